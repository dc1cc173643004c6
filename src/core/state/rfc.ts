/** What the fold stores about an RFC. */
import type { Actor } from '../records/records.ts';
import type { RfcContext } from '../records/rfc.ts';
import type { RejectionThen, ReviewStage, RfcStatus } from '../records/rfcWords.ts';
import type { Widening } from '../records/widening.ts';

/** An RFC as needed by the gate and decisions. Texts are rows of the projection; the state has only titles. */
export interface Rfc {
  readonly id: string;
  /** Title of the latest revision. */
  readonly title: string;
  readonly status: RfcStatus;
  readonly asker: Actor;
  /** The agent to which its author handed it over, or null. */
  readonly keeper: string | null;
  /** The person or responsibility that it is for, or null. */
  readonly for: string | null;
  readonly proposedAt: string;
  readonly updatedAt: string;
  /** When its latest revision was submitted for review, an amendment too; null before the first time. */
  readonly waitingSince: string | null;
  readonly workflows: readonly string[];
  readonly tasks: readonly string[];
  readonly holds: readonly string[];
  /** Globs added after it was proposed. */
  readonly addedHolds: readonly string[];
  /** Set while a human's decision widens it to every file. */
  readonly widened: Widening | null;
  readonly contexts: readonly RfcContext[];
  readonly revisions: readonly Revision[];
  /** The revision in force; later ones are amendments. */
  readonly approval: Approval | null;
  /** Status of the amendment of an approved revision; null without one. */
  readonly amendment: 'draft' | 'under_review' | null;
  readonly threads: readonly Thread[];
  readonly questions: readonly OpenQuestion[];
  readonly review: Review;
  /** Number of decisions to deliver to agents. */
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
  /** Numbers of open questions left unanswered. Absent if none, so that earlier content keeps its hash. */
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
  /** Hash of its texts (`core/rfc/threadTexts.ts`). */
  readonly texts: string;
}

export interface OpenQuestion {
  readonly number: number;
  readonly text: string;
  /** Whether the latest revision still asks it. One that needs a human stays open even if not. */
  readonly inDocument: boolean;
  readonly checked: boolean;
  /** The review that answered it; null if none did or the answer was rejected. */
  readonly answeredIn: number | null;
  /** Once true, only a human's signed answer to `asked` settles it. */
  readonly required: boolean;
  /** The question raised for it, if any. */
  readonly asked: string | null;
}

export interface Review {
  readonly stage: ReviewStage | null;
  /** Calls so far; revisions and question loops share one budget. */
  readonly count: number;
  /** How many of them were follow-ups on unanswered questions. */
  readonly loops: number;
}

export interface Ending {
  readonly how: 'rejected' | 'withdrawn';
  readonly then: RejectionThen;
  readonly reason: string;
  readonly by: string;
  readonly keyid: string;
  readonly at: string;
  /** A rejection by fewer people than the policy asks for: what the RFC held stays held until enough have signed. */
  readonly unmet?: true;
}
