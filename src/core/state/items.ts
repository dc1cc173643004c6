/** What the fold stores about RFCs, requests and responsibilities. */
import type { Actor } from '../records/plain.ts';
import type { RfcContext, RejectionThen, ReviewStage, RfcStatus } from '../records/rfc.ts';
import type { Widening } from './heldChanges.ts';
import type { Breach, RequestType, ResponsibilityKind, StewardStep, openRequestStatus } from '../records/request.ts';
import type * as z from 'zod';

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

interface Approval {
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
  /** Hash of its texts (rfc/fold.ts). */
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

interface Review {
  readonly stage: ReviewStage | null;
  /** Calls so far; revisions and question loops share one budget. */
  readonly count: number;
  /** How many of them were follow-ups on unanswered questions. */
  readonly loops: number;
}

interface Ending {
  readonly how: 'rejected' | 'withdrawn';
  readonly then: RejectionThen;
  readonly reason: string;
  readonly by: string;
  readonly keyid: string;
  readonly at: string;
  /** A rejection by fewer people than the policy asks for: what the RFC held stays held until enough have signed. */
  readonly unmet?: true;
}

// What the fold stores about requests and responsibilities; texts are rows of the projection.

export interface Responsibility {
  readonly id: string;
  readonly kind: ResponsibilityKind;
  readonly name: string;
  /** Ids of agents that act for it. Empty for humans, and for human stewards. */
  readonly agents: readonly string[];
  readonly registeredBy: string;
  readonly registeredAt: string;
}

/** A request whose status is not final. */
export interface OpenRequest {
  readonly id: string;
  readonly type: RequestType;
  readonly origin: string;
  readonly target: string;
  readonly status: z.infer<typeof openRequestStatus>;
  readonly priority: number;
  /** Hash of the asked content (`askedContent`). */
  readonly content: string;
  readonly availableAt: string;
  readonly dueAt: string | null;
  readonly responseSeconds: number | null;
  readonly completionSeconds: number | null;
  /** When the current target accepted it; start of the agreed time for completion. */
  readonly acceptedAt: string | null;
  readonly attempts: number;
  /** Bundles that `ingest_new_context` proposes; empty for other types. */
  readonly bundles: readonly string[];
  readonly steps: readonly StewardStep[];
  readonly alerted: readonly Breach[];
  readonly escalated: boolean;
}
