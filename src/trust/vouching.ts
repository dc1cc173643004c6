/**
 * An editor's signature over a saved state that it has compared with the journal, so that programs which may not believe
 * files of this user can start from it. It decides nothing: its type is not that of a decision.
 */
import { createPublicKey, verify } from 'node:crypto';
import type { SavedPlace } from '../core/records/decision.ts';
import { canonicalJson } from './canonical.ts';
import { keyId, preAuthEncoding } from './envelope.ts';
import type { PinnedKey } from './keyring.ts';

const vouchingType = 'application/vnd.holdpoint.saved-state+json';

/** The bytes to sign: the contents, and the place in the journal that they stand for. */
export function vouchingBytes({ stateHash, databaseHash, position, head, headAt, keys }: SavedPlace): Uint8Array {
  const place = { stateHash, databaseHash, position, head, headAt, keys };
  return preAuthEncoding(vouchingType, Buffer.from(canonicalJson(place)));
}

/** Whether the key of an editor, pinned and not given up, signed it. */
export function isVouchedFor(saved: SavedPlace, pins: readonly PinnedKey[]): boolean {
  const { vouched } = saved;
  const pin = pins.find(({ keyid, passkey, retired }) => keyid === vouched?.keyid && !passkey && !retired);
  if (!vouched || !pin) return false;
  try {
    const der = Buffer.from(pin.publicKey, 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return keyId(der) === pin.keyid && verify(null, vouchingBytes(saved), key, Buffer.from(vouched.sig, 'base64'));
  } catch {
    return false;
  }
}
