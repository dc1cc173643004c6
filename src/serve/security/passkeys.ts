/** Verifies a passkey that a browser has just made here: the challenge, origin and domain, its human's PIN or finger. */
import { createHash, createHmac, createPublicKey, randomBytes, timingSafeEqual, type JsonWebKey } from 'node:crypto';
import {
  cose,
  decodeAttestationObject,
  decodeClientDataJSON,
  decodeCredentialPublicKey,
  isoBase64URL,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers';
import * as z from 'zod';
import { isPasskey, type PasskeyPin } from '../../app/decision/passkey.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { assertionProblem, passkeyPublicKey, type PasskeySignature } from '../../trust/webauthn.ts';

const text = (most: number) => z.base64url().min(1).max(most);

/** What `startRegistration` of the browser's library returns, as far as it is read. */
export const registration = z.object({
  id: text(1_400),
  rawId: text(1_400),
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: text(6_000), attestationObject: text(20_000) }),
});
export type Registration = z.infer<typeof registration>;

export interface ExpectedRegistration {
  /** Whether this server issued the challenge to this session, and for this. */
  readonly isChallenge: (challenge: string) => boolean;
  readonly origin: string;
}

export interface Registered {
  /** SPKI DER, base64. */
  readonly publicKey: string;
  readonly credentialId: string;
}

/** Ed25519, and P-256 for devices without it (COSE). */
export const algorithms = [-8, -7];

/** The new passkey, or null if the registration is not valid. */
export function registeredPasskey(
  { id, rawId, response }: Registration,
  { isChallenge, origin }: ExpectedRegistration,
): Registered | null {
  try {
    const { type, challenge, origin: madeAt } = decodeClientDataJSON(response.clientDataJSON);
    // Statements of devices about themselves are not requested, and not read.
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
    const { rpIdHash, flags, credentialID, credentialPublicKey } = parseAuthenticatorData(attestation.get('authData'));
    const domain = createHash('sha256').update(new URL(origin).hostname).digest();
    if (type !== 'webauthn.create' || !isChallenge(challenge) || madeAt !== origin || !domain.equals(rpIdHash))
      return null;
    if (!flags.up || !flags.uv || !credentialID || !credentialPublicKey) return null;
    const credentialId = isoBase64URL.fromBuffer(credentialID);
    if (id !== credentialId || rawId !== credentialId) return null;
    const publicKey = publicKeyOf(credentialPublicKey);
    return publicKey === null ? null : { publicKey, credentialId };
  } catch {
    // The library throws for malformed data.
    return null;
  }
}

/** SPKI of an Ed25519 or P-256 key; null for others. */
function publicKeyOf(bytes: Parameters<typeof decodeCredentialPublicKey>[0]): string | null {
  const jwk = jwkOf(decodeCredentialPublicKey(bytes));
  if (jwk === null) return null;
  return createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'der', type: 'spki' }).toString('base64');
}

function jwkOf(key: cose.COSEPublicKey): JsonWebKey | null {
  const { alg, x, y } = cose.COSEKEYS;
  if (!algorithms.includes(key.get(alg) ?? 0)) return null;
  if (cose.isCOSEPublicKeyOKP(key)) return { kty: 'OKP', crv: 'Ed25519', x: base64Of(key.get(x)) };
  if (cose.isCOSEPublicKeyEC2(key))
    return { kty: 'EC', crv: 'P-256', x: base64Of(key.get(x)), y: base64Of(key.get(y)) };
  return null;
}

function base64Of(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes).toString('base64url');
}

// The trusted passkeys at this server's address.

/** A passkey belongs to the address where it was made. */
export function passkeysAt(workspace: Workspace, origin: string): PasskeyPin[] {
  return workspace
    .pins()
    .filter((pin): pin is PasskeyPin => isPasskey(pin) && !pin.retired && pin.passkey.origin === origin);
}

const challengeMs = 5 * 60_000;
const [nonceBytes, timeBytes, macBytes] = [32, 6, 32] as const;

export type Challenges = ReturnType<typeof createChallenges>;

const login = 'login';

/**
 * Random, and longer than what a decision signs, so that no login can be taken for one. A challenge carries its time and a
 * proof that this server issued it: none is kept before it is used, so that a flood of requests makes none invalid.
 * @param clock monotonic milliseconds
 */
export function createChallenges(clock: () => number) {
  const secret = randomBytes(32);
  /** Used ones, and when they end. */
  const used = new Map<string, number>();
  const proofOf = (body: Buffer, purpose: string) => createHmac('sha256', secret).update(body).update(purpose).digest();

  function endOf(challenge: string, purpose: string): number | null {
    const bytes = Buffer.from(challenge, 'base64url');
    // Other spellings of the same bytes would be used twice.
    if (bytes.length !== nonceBytes + timeBytes + macBytes || bytes.toString('base64url') !== challenge) return null;
    const body = bytes.subarray(0, nonceBytes + timeBytes);
    if (!timingSafeEqual(bytes.subarray(body.length), proofOf(body, purpose))) return null;
    return body.readUIntBE(nonceBytes, timeBytes) + challengeMs;
  }

  return {
    /** @param purpose what it may be used for: a login, or a new passkey of one session */
    issue(purpose = login): string {
      const body = Buffer.concat([randomBytes(nonceBytes), Buffer.alloc(timeBytes)]);
      body.writeUIntBE(Math.floor(clock()), nonceBytes, timeBytes);
      return Buffer.concat([body, proofOf(body, purpose)]).toString('base64url');
    },
    /** Whether it was issued for this and not used yet; it is never valid again. */
    use(challenge: string, purpose = login): boolean {
      const now = clock();
      for (const [one, until] of used) if (until <= now) used.delete(one);
      const end = endOf(challenge, purpose);
      if (end === null || end <= now || used.has(challenge)) return false;
      used.set(challenge, end);
      return true;
    },
  };
}

export function isSignedBy(pin: PasskeyPin, challenge: string, assertion: PasskeySignature): boolean {
  const key = passkeyPublicKey(Buffer.from(pin.publicKey, 'base64'));
  return key !== null && assertionProblem(assertion, { key, binding: pin.passkey, challenge }) === null;
}
