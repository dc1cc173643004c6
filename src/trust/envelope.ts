/**
 * DSSE envelopes with Ed25519 (DSSE v1, RFC 8032) or passkeys. Verification only: private keys never leave the editor or
 * the device.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { jsonOrNull } from '../core/kit/quickChecks.ts';
import { decisionPayload, type Trust, type SavedPlace } from '../core/records/decision.ts';
import type { Envelope } from '../core/records/parts.ts';
import { unknownKey } from '../core/state/change.ts';
import { hashOf, sha256, canonicalJson } from './canonical.ts';
import { hashOfKeys, type PinnedKey } from './keyring.ts';
import { assertionProblem, challengeOf, challengeOfAll, passkeyPublicKey } from './webauthn.ts';

export const payloadType = 'application/vnd.holdpoint.decision+json';

/** DSSE pre-authentication encoding: the bytes that are signed. */
export function preAuthEncoding(type: string, payload: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${String(Buffer.byteLength(type))} ${type} ${String(payload.length)} `),
    payload,
  ]);
}

export function keyId(spkiDer: Uint8Array): string {
  return sha256(spkiDer);
}

/** @param publicKey SPKI DER, base64 */
export function idOf({ publicKey }: Pick<PinnedKey, 'publicKey'>): string {
  return keyId(Buffer.from(publicKey, 'base64'));
}

/** @throws Error for anything but a public key */
export function keyIn({ publicKey }: Pick<PinnedKey, 'publicKey'>): KeyObject {
  return createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
}

/**
 * Verification over a set of pinned keys.
 * @param pins called for each signature, so it must be cheap; a human may just have trusted a key or given one up
 * @param accepts which saved states may be used; default: all
 */
export function createTrust(pins: () => readonly PinnedKey[], accepts: Trust['accepts'] = () => true): Trust {
  const keys = new Map<string, { readonly key: KeyObject | null; readonly id: string }>();
  const pinned = (id: string): Pinned | undefined => {
    const pin = pins().find(({ keyid }) => keyid === id);
    if (!pin) return undefined;
    let known = keys.get(pin.publicKey);
    if (!known) keys.set(pin.publicKey, (known = { key: publicKeyOf(pin), id: idOf(pin) }));
    return known.key === null || known.id !== id ? undefined : { key: known.key, pin };
  };
  return {
    hash: hashOf,
    verify: (envelope, at) => verifyEnvelope(envelope, at, pinned),
    counts(id, at, workspace) {
      const known = pinned(id);
      return known !== undefined && !isEnded(known.pin, at, workspace);
    },
    accepts,
    keys() {
      try {
        return hashOfKeys(pins());
      } catch {
        return null; // the fault surfaces when a signature is checked
      }
    },
  };
}

interface Pinned {
  readonly key: KeyObject;
  readonly pin: PinnedKey;
}

/** Null for a key that cannot sign decisions. */
export function publicKeyOf(pin: PinnedKey): KeyObject | null {
  if (pin.passkey) return passkeyPublicKey(Buffer.from(pin.publicKey, 'base64'));
  try {
    const key = keyIn(pin);
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

function verifyEnvelope(
  envelope: Envelope,
  at: number | undefined,
  pinned: (id: string) => Pinned | undefined,
): ReturnType<Trust['verify']> {
  const bytes = Buffer.from(envelope.payload, 'base64');
  const signed = preAuthEncoding(envelope.payloadType, bytes);
  const signers = envelope.signatures.map((signature) => ({ signature, known: pinned(signature.keyid) }));
  let why = unknownKey;
  let signer: PinnedKey | undefined;
  for (const { signature, known } of signers) {
    const problem = known && signatureProblem(signature, known, signed);
    if (problem === null) signer ??= known?.pin;
    else if (problem !== undefined) why = problem;
  }
  if (!signer) return { why };
  const payload = decisionPayload.safeParse(jsonOrNull(bytes.toString('utf8'))).data;
  if (!payload) return { why: 'signs something that is not a decision' };
  if (isEnded(signer, at ?? payload.position, payload.workspace))
    return { why: `is signed by a key that was given up at ${signer.retired?.at ?? ''}` };
  return { payload, keyid: signer.keyid, name: signer.name, passkey: signer.passkey !== undefined };
}

function isEnded({ retired }: PinnedKey, at: number, workspace: string): boolean {
  return retired !== undefined && at >= (retired.upTo[workspace] ?? 0);
}

/** Null for a genuine signature of the kind that the key gives. */
function signatureProblem(
  signature: Envelope['signatures'][number],
  { key, pin: { passkey } }: Pinned,
  signed: Uint8Array,
): string | null {
  const sig = Buffer.from(signature.sig, 'base64');
  if (passkey && signature.webauthn) {
    const own = challengeOf(signed);
    const { batch = [own], ...data } = signature.webauthn;
    if (!batch.includes(own)) return 'was signed with other records';
    const assertion = { ...data, signature: sig.toString('base64url') };
    return assertionProblem(assertion, { key, binding: passkey, challenge: challengeOfAll(batch) });
  }
  const isKeys = !passkey && !signature.webauthn && verify(null, signed, key, sig);
  return isKeys ? null : 'has no valid signature';
}

// An editor's signature over a saved state that it has compared with the journal, so that programs which may not believe
// files of this user can start from it. It decides nothing: its type is not that of a decision.

const vouchingType = 'application/vnd.holdpoint.saved-state+json';

/** The bytes to sign: the contents, and the place in the journal that they stand for. */
export function vouchingBytes({ stateHash, databaseHash, position, head, headAt, keys }: SavedPlace): Uint8Array {
  const place = { stateHash, databaseHash, position, head, headAt, keys };
  return preAuthEncoding(vouchingType, Buffer.from(canonicalJson(place)));
}

export function isVouchedFor(saved: SavedPlace, pins: readonly PinnedKey[]): boolean {
  const { vouched } = saved;
  const pin = pins.find(({ keyid, passkey, retired }) => keyid === vouched?.keyid && !passkey && !retired);
  if (!vouched || !pin) return false;
  try {
    const sig = Buffer.from(vouched.sig, 'base64');
    return idOf(pin) === pin.keyid && verify(null, vouchingBytes(saved), keyIn(pin), sig);
  } catch {
    return false;
  }
}
