/** Verifies a passkey that a browser has just made here: the challenge, origin and domain, its human's PIN or finger. */
import { createPublicKey } from 'node:crypto';
import type { JsonWebKey } from 'node:crypto';
import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';
import * as z from 'zod';

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

/** Null for one that does not count. */
export async function registeredPasskey(
  given: Registration,
  { isChallenge, origin }: ExpectedRegistration,
): Promise<Registered | null> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...given, clientExtensionResults: {} },
      expectedChallenge: isChallenge,
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return null;
    const { id, publicKey } = registrationInfo.credential;
    const key = publicKeyOf(publicKey);
    return key === null ? null : { publicKey: key, credentialId: id };
  } catch {
    // The library throws for whatever is wrong.
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
  const { x, y } = cose.COSEKEYS;
  if (cose.isCOSEPublicKeyOKP(key)) return { kty: 'OKP', crv: 'Ed25519', x: base64Of(key.get(x)) };
  if (cose.isCOSEPublicKeyEC2(key))
    return { kty: 'EC', crv: 'P-256', x: base64Of(key.get(x)), y: base64Of(key.get(y)) };
  return null;
}

function base64Of(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes).toString('base64url');
}
