/**
 * Records about keys: humans' decisions about who may decide. A key is trusted because it is pinned on a machine, never
 * because of a record; revocations take effect in journal order, for every reader.
 */
import * as z from 'zod';
import { envelope, record } from './parts.ts';
import { sha256Hex, textField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';
import { domainPattern, originPattern, passkeyLimits } from '../kit/quickChecks.ts';

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

// Passkeys of humans, which sign in a browser. A passkey counts because it is pinned, like every key; a policy that asks
// for passkeys counts only those that such a record named before, so that no other program can add one to satisfy it.

/** SPKI DER of an Ed25519 or P-256 key, base64: each in its one form. */
export const passkeyPublicKey = z
  .string()
  .regex(
    /^(MCowBQYDK2VwAyEA[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=|MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE[A-Za-z0-9+/]{85}[AQgw]==)$/,
    'must be an Ed25519 or P-256 public key',
  );

const label = textField(limits.id).refine((text) => !/[\r\n]/.test(text), 'must be one line');

/** What the ring knows of a passkey besides its public key. */
export const passkeyBinding = () =>
  z.strictObject({
    origin: z.string().max(passkeyLimits.origin).regex(originPattern, 'must be an origin'),
    /** The domain it belongs to: the origin's host, or a parent of it. */
    rpId: z.string().max(passkeyLimits.rpId).regex(domainPattern, 'must be a domain'),
    /** base64url, as browsers take it in `allowCredentials`. */
    credentialId: z.base64url().min(1).max(passkeyLimits.credentialId),
    /** What its human calls it, for example "Ada's phone". */
    label,
  });
export type PasskeyBinding = z.infer<ReturnType<typeof passkeyBinding>>;

export const passkeyRecords = [
  /** Signed by a key of the same human; by a passkey where the policy asks for passkeys. */
  record('key.passkeyAdded', () => ({
    keyid: sha256Hex,
    publicKey: passkeyPublicKey,
    name: textField(limits.id),
    passkey: passkeyBinding(),
    envelope,
  })),
  record('key.passkeyRenamed', () => ({ keyid: sha256Hex, name: textField(limits.id), label, envelope })),
] as const;
export type PasskeyRecord = z.infer<(typeof passkeyRecords)[number]['schema']>;

// A human moves the journal to a server that a team shares, or back to this machine. Signed, because it changes which
// keys are trusted: a shared workspace has a key ring of its own.

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
