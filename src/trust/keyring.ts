/** The pinned keys of this user: a small file in the user-level folder, which the editor writes after a human's act. */
import * as z from 'zod';
import { isBase64, isInstant, isListOf, isPlainText, isRecordOf, isSha256 } from '../core/kit/quickChecks.ts';
import { instant, sha256Hex, textField } from '../core/kit/text.ts';
import { passkeyBinding } from '../core/records/passkey.ts';
import { retiredWhy, type PinnedKey } from './envelope.ts';

const retirement = z.object({
  at: instant,
  why: retiredWhy,
  upTo: z.record(z.uuid(), z.int().nonnegative()),
});
const pin = z.object({
  keyid: sha256Hex,
  publicKey: z.base64(),
  name: textField(200),
  enrolledAt: instant,
  passkey: passkeyBinding().optional(),
  retired: retirement.optional(),
});
/** 2: with passkeys. An earlier program refuses it, instead of writing it again without what makes them passkeys. */
export const keyring = z.object({ v: z.union([z.literal(1), z.literal(2)]), keys: z.array(pin).max(1_000) });

export const keyringFile = 'keys.json';

/** @throws Error when the text is not a key ring: silently trusting no key would hide the fault */
export function parseKeyring(text: string): PinnedKey[] {
  const found: unknown = JSON.parse(text);
  return isPlainKeyring(found) ? found.keys : keyring.parse(found).keys;
}

/** What is wrong with a ring that cannot be parsed, and how decisions become possible again. */
export function unreadableRing(file: string): string {
  return `the key ring ${file} cannot be read: restore an earlier one, or move it away and add your key again: the form in the editor asks for your name and adds it before your next decision`;
}

const keysAtMost = 1_000;
const nameAtMost = 200;

/** Recognizes keys of editors, none of them given up, without the schema. */
export function isPlainKeyring(value: unknown): value is { readonly keys: PinnedKey[] } {
  return (
    isRecordOf(value, ['v', 'keys']) &&
    (value['v'] === 1 || value['v'] === 2) &&
    isListOf(value['keys'], isPlainPin) &&
    value['keys'].length <= keysAtMost
  );
}

function isPlainPin(value: unknown): boolean {
  return (
    isRecordOf(value, ['keyid', 'publicKey', 'name', 'enrolledAt']) &&
    isSha256(value['keyid']) &&
    isBase64(value['publicKey']) &&
    isPlainText(value['name'], nameAtMost) &&
    isInstant(value['enrolledAt'])
  );
}

export function formatKeyring(keys: readonly PinnedKey[]): string {
  const v = keys.some(({ passkey }) => passkey !== undefined) ? 2 : 1;
  return `${JSON.stringify({ v, keys }, null, 2)}\n`;
}
