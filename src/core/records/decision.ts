/**
 * What a human signs, and keys. The payload names everything a decision is bound to, so it cannot be moved, replayed or edited.
 */

import * as z from 'zod';
import { instant, sha256Hex, textField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';
import { domainPattern, originPattern, passkeyLimits } from '../kit/quickChecks.ts';
import type { Envelope } from './parts.ts';

/** The human's name, which is also the actor's id and has its length limit. */
export const signerName = textField(limits.id);

export const decisionPayload = z.strictObject({
  v: z.literal(1),
  workspace: z.uuid(),
  /** Kind of the record that this payload signs, for example `question.answered`. */
  action: z.string().max(100),
  /** Id of the decided item, for example `Q-12`; `journal` for recovery from UNKNOWN. */
  subject: z.string().max(limits.id),
  shown: sha256Hex,
  /** Hash of the record itself without its envelope: the answer, reason or note. */
  recordHash: sha256Hex,
  nonce: z.uuid(),
  position: z.int().nonnegative(),
  head: sha256Hex,
  at: instant,
  by: signerName,
});
export type DecisionPayload = z.infer<typeof decisionPayload>;

export interface VerifiedDecision {
  readonly payload: DecisionPayload;
  readonly keyid: string;
  /** The name of the key in the ring. */
  readonly name: string;
  /** Whether it was signed with a passkey, verified by a PIN, a fingerprint or the like. */
  readonly passkey: boolean;
}

/** A saved state and index, and the line of the journal that they end with. */
export interface SavedPlace {
  readonly stateHash: string;
  readonly databaseHash: string;
  readonly position: number;
  readonly head: string;
  /** Offset of the line whose hash is `head`. */
  readonly headAt: number;
  /** Hash of the keys that were trusted when it was made (`Trust.keys`); with other keys, other decisions are valid. */
  readonly keys?: string | undefined;
  /** The signature of an editor that compared it with the journal. */
  readonly vouched?: { readonly keyid: string; readonly sig: string } | undefined;
}

/** Cryptography that core needs, injected because core has none. */
export interface Trust {
  /** SHA-256 over the canonical JSON of a value, lower-case hexadecimal. */
  hash(value: unknown): string;
  /**
   * The payload, the key and its name in the ring if a pinned key signed it while it counted; otherwise the reason.
   * @param at offset of its line; without a journal, the payload's own position is used
   */
  verify(envelope: Envelope, at?: number): VerifiedDecision | { readonly why: string };
  /** Whether a key is trusted at this offset of a workspace's journal. */
  counts(keyid: string, at: number, workspace: string): boolean;
  /** Identifies the keys that count now, and up to where. A change means verifying everything again. Null: unknown. */
  keys(): string | null;
  /** Whether a program may start from this saved state: where an administrator manages the keys, one must have signed it. */
  accepts(saved: SavedPlace): boolean;
}

export function withoutEnvelope<R extends object>(record: R): Omit<R, 'envelope'> {
  const { envelope: _, ...rest } = record as R & { readonly envelope?: unknown };
  return rest;
}

/** Id of the item that a signed record decides; `policy`, `keys` and `journal` for decisions about those. */
export function subjectOf(record: { readonly kind: string; readonly id?: string }): string {
  const [family = ''] = record.kind.split('.');
  return record.id ?? subjects.get(family) ?? family;
}

/** Of kinds without an id, if it differs from their first word. */
const subjects: ReadonlyMap<string, string> = new Map([
  ['key', 'keys'],
  ['store', 'journal'],
]);

// Records about keys: humans' decisions about who may decide. A key is trusted because it is pinned on a machine, never
// because of a record; revocations take effect in journal order, for every reader.

/** The id of a key: SHA-256 of its SPKI DER. */
export const keyid = sha256Hex;
export const keyName = textField(limits.id);
export const key = () => ({ keyid, publicKey: z.base64().max(200), name: keyName });

// Passkeys of humans, which sign in a browser. A passkey counts because it is pinned, like every key; a policy that asks
// for passkeys counts only those that such a record named before, so that no other program can add one to satisfy it.

/** SPKI DER of an Ed25519 or P-256 key, base64: each in its one form. */
export const passkeyPublicKey = z
  .string()
  .regex(
    /^(MCowBQYDK2VwAyEA[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=|MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE[A-Za-z0-9+/]{85}[AQgw]==)$/,
    'must be an Ed25519 or P-256 public key',
  );

export const passkeyLabel = textField(limits.id).refine((text) => !/[\r\n]/.test(text), 'must be one line');

/** What the ring knows of a passkey besides its public key. */
export const passkeyBinding = () =>
  z.strictObject({
    origin: z.string().max(passkeyLimits.origin).regex(originPattern, 'must be an origin'),
    /** The domain it belongs to: the origin's host, or a parent of it. */
    rpId: z.string().max(passkeyLimits.rpId).regex(domainPattern, 'must be a domain'),
    /** base64url, as browsers take it in `allowCredentials`. */
    credentialId: z.base64url().min(1).max(passkeyLimits.credentialId),
    /** What its human calls it, for example "Ada's phone". */
    label: passkeyLabel,
  });
export type PasskeyBinding = z.infer<ReturnType<typeof passkeyBinding>>;

// A human moves the journal to a server that a team shares, or back to this machine. Signed, because it changes which
// keys are trusted: a shared workspace has a key ring of its own.

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

/** Under which name the journal is shared, and whose keys say who belongs to the team. */
export interface Shared {
  readonly name: string;
  readonly roots: readonly string[];
  readonly at: string;
  readonly by: string;
}
