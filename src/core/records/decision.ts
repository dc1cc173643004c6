/**
 * What a human signs. The payload names everything a decision is bound to, so it cannot be moved, replayed or edited.
 */
import * as z from 'zod';
import type { Envelope } from './parts.ts';
import { instant, sha256Hex, textField } from '../kit/fields.ts';
import { limits } from '../kit/limits.ts';

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
