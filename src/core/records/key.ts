/**
 * Records about keys: humans' decisions about who may decide. A key is trusted because it is pinned on a machine, never
 * because of a record; revocations take effect in journal order, for every reader.
 */
import * as z from 'zod';
import { envelope, record } from './parts.ts';
import { sha256Hex, textField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';

/** The id of a key: SHA-256 of its SPKI DER. */
const keyid = sha256Hex;
const name = textField(limits.id);
const key = () => ({ keyid, publicKey: z.base64().max(200), name });

export const keyRecords = [
  /** Allows another editor of the same human to sign. Signed by that editor's key. */
  record('key.enrolled', () => ({ ...key(), envelope })),
  /** Replaces keys whose private halves are lost. Signed by the new key, because no other is left. */
  record('key.lost', () => ({ ...key(), lost: z.array(z.object({ keyid, name })).min(1).max(100), envelope })),
  /** Replaces this editor's key. Signed by the old one, as its last act. */
  record('key.rotated', () => ({ ...key(), from: keyid, envelope })),
  record('key.trusted', () => ({ ...key(), envelope })),
  /** Revokes another human's key: earlier decisions stand, later ones are not valid. */
  record('key.retired', () => ({ keyid, name, envelope })),
] as const;

export type KeyRecord = z.infer<(typeof keyRecords)[number]['schema']>;

const kinds: ReadonlySet<string> = new Set(keyRecords.map(({ kind }) => kind));

export function isKeyRecord<R extends { readonly kind: string }>(record: R): record is Extract<R, KeyRecord> {
  return kinds.has(record.kind);
}
