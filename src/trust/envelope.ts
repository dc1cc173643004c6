/** DSSE envelopes with Ed25519 (DSSE v1, RFC 8032). Verification only: the private key never leaves the editor. */
import { createPublicKey, verify as verifySignature } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { decisionPayload } from '../core/decision.ts';
import type { DecisionPayload, Trust } from '../core/decision.ts';
import type { Envelope } from '../core/recordParts.ts';
import { hashOf, sha256 } from './canonical.ts';

export const payloadType = 'application/vnd.holdpoint.decision+json';

/** A public key that a human's act pinned on this machine. */
export interface PinnedKey {
  /** SHA-256 of the SPKI DER, hexadecimal. */
  readonly keyid: string;
  /** SPKI DER, base64. */
  readonly publicKey: string;
  /** The human's name, as given at enrolment. */
  readonly name: string;
  readonly enrolledAt: string;
}

/** DSSE pre-authentication encoding: what is signed. */
export function preAuthEncoding(type: string, payload: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${String(Buffer.byteLength(type))} ${type} ${String(payload.length)} `),
    payload,
  ]);
}

export function keyId(spkiDer: Uint8Array): string {
  return sha256(spkiDer);
}

/**
 * The domain's cryptography over a set of pinned keys.
 * @param pins read again whenever an unknown key turns up: another window may just have enrolled it
 */
export function createTrust(pins: () => readonly PinnedKey[]): Trust {
  let keys = new Map<string, KeyObject>();
  const keyFor = (id: string) => {
    if (!keys.has(id)) keys = new Map(pins().flatMap(publicKeyOf));
    return keys.get(id);
  };
  return { hash: hashOf, verify: (envelope) => verifyEnvelope(envelope, keyFor) };
}

function publicKeyOf(pin: PinnedKey): [string, KeyObject][] {
  const der = Buffer.from(pin.publicKey, 'base64');
  if (keyId(der) !== pin.keyid) return [];
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' ? [[pin.keyid, key]] : [];
  } catch {
    return [];
  }
}

function verifyEnvelope(
  envelope: Envelope,
  keyFor: (id: string) => KeyObject | undefined,
): { payload: DecisionPayload; keyid: string } | { why: string } {
  const bytes = Buffer.from(envelope.payload, 'base64');
  const signed = preAuthEncoding(envelope.payloadType, bytes);
  const signer = envelope.signatures.find(({ keyid, sig }) => {
    const key = keyFor(keyid);
    return key !== undefined && verifySignature(null, signed, key, Buffer.from(sig, 'base64'));
  });
  if (!signer) {
    const known = envelope.signatures.some(({ keyid }) => keyFor(keyid) !== undefined);
    return { why: known ? 'has no valid signature' : 'is signed by a key that no human enrolled on this machine' };
  }
  const payload = decisionPayload.safeParse(jsonOrNull(bytes));
  return payload.success
    ? { payload: payload.data, keyid: signer.keyid }
    : { why: 'signs something that is not a decision' };
}

function jsonOrNull(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
