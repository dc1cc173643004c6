/**
 * Acts about keys: humans' decisions on who may decide. A key counts because it is pinned on a machine, never because a
 * record says so; what a record takes away is taken in the order of the journal, for whoever reads it.
 */
import * as z from 'zod';
import { envelope, record } from './parts.ts';
import { sha256Hex, textField } from '../kit/text.ts';
import { limits } from '../kit/words.ts';

/** The id of a key: SHA-256 of its SPKI DER. */
const keyid = sha256Hex;
const name = textField(limits.id);
const key = () => ({ keyid, publicKey: z.base64().max(200), name });

export const keyRecords = [
  /** An editor of the same human was let sign. Signed by its own key. */
  record('key.enrolled', () => ({ ...key(), envelope })),
  /** The private halves of `lost` are gone; this one signs from now on. Signed by the new key, for there is no other. */
  record('key.lost', () => ({ ...key(), lost: z.array(z.object({ keyid, name })).min(1).max(100), envelope })),
  /** A human made a new key for this editor. Signed by the old one, its last act. */
  record('key.rotated', () => ({ ...key(), from: keyid, envelope })),
  /** Another human's key is trusted on a machine of the signer's. */
  record('key.trusted', () => ({ ...key(), envelope })),
  /** Another human's key was taken out: what it decided before stands, what it decides from here on does not. */
  record('key.retired', () => ({ keyid, name, envelope })),
] as const;

export type KeyRecord = z.infer<(typeof keyRecords)[number]['schema']>;

const kinds: ReadonlySet<string> = new Set(keyRecords.map(({ kind }) => kind));

export function isKeyRecord<R extends { readonly kind: string }>(record: R): record is Extract<R, KeyRecord> {
  return kinds.has(record.kind);
}
