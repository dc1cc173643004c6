/**
 * What defines a kind of decision besides the schema of its record: one object, from which the fold, the use cases that
 * sign it, attestations and the check of a change follow.
 */
import { subjectOf } from '../records/decision.ts';
import type { RecordOf, SignedRecord } from '../records/records.ts';
import type { QuestionType } from '../kit/words.ts';
import { Inadmissible } from '../state/change.ts';
import type { Deciding } from '../state/effect.ts';
import type { State } from '../state/state.ts';

export type DecisionKind = SignedRecord['kind'];

/** What a decision means for a change that it concerns, when only its attestation is known. */
export type Meaning = 'allowed' | 'undecided' | 'refused' | 'not_approved';

export interface Decision<K extends DecisionKind = DecisionKind> {
  /**
   * The content that a human is shown and signs; null for an item that does not exist. A change of it changes the hash,
   * so a decision on the earlier content is refused.
   */
  shown(state: State, record: Omit<RecordOf<K>, 'envelope'>): object | null;
  /** Why it has no effect now; null if it can have one. The same words for the fold and for whoever is about to sign. */
  problem(state: State, record: Omit<RecordOf<K>, 'envelope'>): string | null;
  /** Changes the state, after all that is checked above. May still throw `Inadmissible`. */
  apply(at: Deciding, record: RecordOf<K>): void;
  /** Whether the policy's rules on people and passkeys are about it. Those of the other kinds release nothing. */
  readonly ruled: boolean;
  /** Whether it only refuses: one person is enough for that, whatever the rules ask for. */
  refuses?(state: State, record: Omit<RecordOf<K>, 'envelope'>): boolean;
  /** Whether an attestation contains what was shown: all about questions, RFCs, the policy and where the journal is. */
  readonly attested: boolean;
  /**
   * For kinds that settle their question or RFC.
   * @param type of the question; null if it is not known
   * @param isNamed by a commit, as the decision that allows it: then a cancelled question decided nothing
   */
  readonly meaning?: (record: RecordOf<K>, type: QuestionType | null, isNamed: boolean) => Meaning;
}

export type Decisions<K extends DecisionKind> = { readonly [Kind in K]: Decision<Kind> };

/** Of kinds whose forms show what no journal has: the fold cannot compare it. */
export const shownElsewhere = { shown: () => null, problem: () => null, ruled: false, attested: false } as const;

/** @throws Inadmissible */
export function decide<K extends DecisionKind>(decision: Decision<K>, at: Deciding, record: RecordOf<K>): void {
  const { state, trust, payload } = at;
  const problem = decision.problem(state, record);
  if (problem !== null) throw new Inadmissible(problem);
  const shown = decision.shown(state, record);
  if (decision.shown !== shownElsewhere.shown && (shown === null || payload.shown !== trust.hash(shown)))
    throw new Inadmissible(`${subjectOf(record)} has changed since it was shown`, 'forgery');
  decision.apply(at, record);
}
