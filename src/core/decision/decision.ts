/**
 * A kind of decision that a human signs, as one object: its record, what the human is shown, when it has no effect, its
 * effect, and what the policy's rules and checks in CI make of it. The fold, the use cases that sign it, attestations and
 * the check of a change follow from it.
 */
import type * as z from 'zod';
import { subjectOf } from '../records/decision.ts';
import { envelope, record, type RecordKindOf } from '../records/parts.ts';
import type { QuestionType } from '../kit/words.ts';
import { Inadmissible, requireNone, type Deciding } from '../state/change.ts';
import type { State } from '../state/state.ts';

/** What a decision means for a change that it concerns, when only its attestation is known. */
export type Meaning = 'allowed' | 'undecided' | 'refused' | 'not_approved';

interface Rules<R> {
  /**
   * The content that a human is shown and signs; null for an item that does not exist. A change of it changes the hash,
   * so a decision on the earlier content is refused.
   */
  shown(state: State, record: Omit<R, 'envelope'>): object | null;
  /** Why it has no effect now; null if it can have one. The same words for the fold and for whoever is about to sign. */
  problem(state: State, record: Omit<R, 'envelope'>): string | null;
  /** Changes the state, after all that is checked above. May still throw `Inadmissible`. */
  apply(at: Deciding, record: R): void;
  /** Whether the policy's rules on people and passkeys are about it. Those of the other kinds release nothing. */
  readonly ruled: boolean;
  /** Whether it only refuses: one person is enough for that, whatever the rules ask for. */
  refuses?(state: State, record: Omit<R, 'envelope'>): boolean;
  /** Whether an attestation contains what was shown: all about questions, RFCs, the policy and where the journal is. */
  readonly attested: boolean;
  /**
   * For kinds that settle their question or RFC.
   * @param type of the question; null if it is not known
   * @param isNamed by a commit, as the decision that allows it: then a cancelled question decided nothing
   */
  meaning?(record: R, type: QuestionType | null, isNamed: boolean): Meaning;
}

type Signed<Shape extends z.ZodRawShape> = Shape & { envelope: typeof envelope };
type SignedKind<K extends string, Shape extends z.ZodRawShape> = RecordKindOf<K, Signed<Shape>>;

export interface Decision<R, Kind = unknown> extends Rules<R> {
  readonly record: Kind;
}

/** @param shape the members of the record, without the signature that each has */
export function defineDecision<K extends string, Shape extends z.ZodRawShape>(
  kind: K,
  shape: () => Shape,
  rules: Rules<z.output<SignedKind<K, Shape>['schema']>>,
): Decision<z.output<SignedKind<K, Shape>['schema']>, SignedKind<K, Shape>> {
  return { record: record(kind, (): Signed<Shape> => ({ ...shape(), envelope })), ...rules };
}

/** Who signed, with which key, and when: what the state keeps of a decision. */
export function signedBy({ payload: { by, at }, keyid }: Deciding) {
  return { by, keyid, at };
}

/** Of kinds whose forms show what no journal has: the fold cannot compare it. */
export const shownElsewhere = { shown: () => null, problem: () => null, ruled: false, attested: false } as const;

/** @throws Inadmissible */
export function decide<R extends { readonly kind: string }>(decision: Decision<R>, at: Deciding, record: R): void {
  const { state, trust, payload } = at;
  requireNone(decision.problem(state, record));
  const shown = decision.shown(state, record);
  if (decision.shown !== shownElsewhere.shown && (shown === null || payload.shown !== trust.hash(shown)))
    throw new Inadmissible(`${subjectOf(record)} has changed since it was shown`, 'forgery');
  decision.apply(at, record);
}
