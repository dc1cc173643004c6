/** What the fold knows of an RFC. */
import type { Actor } from '../records/records.ts';
import type { RfcContext } from '../records/rfc.ts';
import type { RejectionThen, ReviewStage, RfcStatus } from '../records/rfcWords.ts';
import type { Widening } from '../records/widening.ts';

/** An RFC as the gate and the decisions need it. Its texts are rows of the projection: the state has none but titles. */
export interface Rfc {
  readonly id: string;
  /** Title of the latest revision. */
  readonly title: string;
  readonly status: RfcStatus;
  /** Who proposed it. */
  readonly asker: Actor;
  /** The agent that its author handed it over to; null while nobody else writes it. */
  readonly keeper: string | null;
  readonly proposedAt: string;
  readonly updatedAt: string;
  readonly workflows: readonly string[];
  readonly tasks: readonly string[];
  readonly holds: readonly string[];
  /** Globs added after it was proposed. */
  readonly addedHolds: readonly string[];
  /** Set while a human has it hold every file. */
  readonly widened: Widening | null;
  readonly contexts: readonly RfcContext[];
  readonly revisions: readonly Revision[];
  /** The revision in force; a later one is an amendment. */
  readonly approval: Approval | null;
  /** Review of the revision behind the approved one; null while there is none. */
  readonly amendment: 'draft' | 'under_review' | null;
  readonly threads: readonly Thread[];
  readonly questions: readonly OpenQuestion[];
  readonly review: Review;
  /** How many decisions agents were or are to be told of. */
  readonly decisions: number;
  /** Set once a human rejected or withdrew it. */
  readonly ended: Ending | null;
}

export interface Revision {
  readonly number: number;
  /** Hash of the document. */
  readonly hash: string;
  readonly by: string;
  readonly at: string;
}

export interface Approval {
  readonly revision: number;
  readonly hash: string;
  readonly conditions: readonly string[];
  readonly constraints: readonly string[];
  /** Numbers of open questions that it left without an answer. Absent for none: what was shown before hashes as it did. */
  readonly waived?: readonly number[];
  readonly by: string;
  readonly keyid: string;
  readonly at: string;
}

export interface Thread {
  readonly number: number;
  readonly blocking: boolean;
  readonly resolved: boolean;
  readonly replies: number;
}

export interface OpenQuestion {
  readonly number: number;
  readonly text: string;
  /** Whether the latest revision still asks it. One that needs a human stays even if not. */
  readonly inDocument: boolean;
  /** Its author ticked it. */
  readonly checked: boolean;
  /** The review that answered it; null while none has or the answer was turned down. */
  readonly answeredIn: number | null;
  /** Once true, only a human's signed decision on `asked` settles it. */
  readonly required: boolean;
  /** The question in "Waiting on you", once it was raised. */
  readonly asked: string | null;
}

export interface Review {
  readonly stage: ReviewStage | null;
  /** Calls so far: revisions and question loops share one budget. */
  readonly count: number;
  /** How many of them asked again about unanswered questions. */
  readonly loops: number;
}

export interface Ending {
  readonly how: 'rejected' | 'withdrawn';
  readonly then: RejectionThen;
  readonly reason: string;
  readonly by: string;
  readonly keyid: string;
  readonly at: string;
}
