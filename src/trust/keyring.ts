/** The pinned keys of this user: a small file in the user-level folder, which the editor writes after a human's act. */
import * as z from 'zod';
import { instant, sha256Hex, textField } from '../core/kit/text.ts';
import { passkeyBinding } from '../core/records/passkey.ts';
import { retiredWhy } from './envelope.ts';
import type { PinnedKey } from './envelope.ts';

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
const keyring = z.object({ v: z.union([z.literal(1), z.literal(2)]), keys: z.array(pin).max(1_000) });

export const keyringFile = 'keys.json';

/** @throws Error when the text is not a key ring: silently trusting no key would hide the fault */
export function parseKeyring(text: string): PinnedKey[] {
  return keyring.parse(JSON.parse(text)).keys;
}

export function formatKeyring(keys: readonly PinnedKey[]): string {
  const v = keys.some(({ passkey }) => passkey !== undefined) ? 2 : 1;
  return `${JSON.stringify({ v, keys }, null, 2)}\n`;
}
