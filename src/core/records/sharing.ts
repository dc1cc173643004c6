/**
 * A human moves the journal to a server that a team shares, or back to this machine. Signed, because it changes which
 * keys are trusted: a shared workspace has a key ring of its own.
 */
import * as z from 'zod';
import { envelope, record } from './parts.ts';

/** A workspace's name on its server. */
export const sharedName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/,
    'must be 1 to 64 of a-z, 0-9, dot, hyphen and underscore, and begin with one of a-z, 0-9',
  );

/** SPKI DER of an Ed25519 key, base64: always the same length and beginning, so that a key has one form. */
export const ringKey = z
  .string()
  .regex(/^MCowBQYDK2VwAyEA[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, 'must be an Ed25519 public key');

export const ringRoots = z
  .array(ringKey)
  .min(1)
  .max(20)
  .refine((roots) => new Set(roots).size === roots.length, 'name a key twice');

export const sharingRecords = [
  record('store.shared', () => ({ name: sharedName, roots: ringRoots, envelope })),
  record('store.unshared', () => ({ envelope })),
] as const;

/** Under which name the journal is shared, and whose keys say who belongs to the team. */
export interface Shared {
  readonly name: string;
  readonly roots: readonly string[];
  readonly at: string;
  readonly by: string;
}
