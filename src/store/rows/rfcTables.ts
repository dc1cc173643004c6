/** Tables of RFCs. Lists are JSON, or a table of their own where something joins them. */
import type {
  ContextRole,
  FeedbackType,
  ReviewNote,
  ReviewStage,
  ReviewVerdict,
  RfcStatus,
} from '../../core/records/rfcWords.ts';
import * as words from '../../core/records/rfcWords.ts';

export interface Rfcs {
  id: string;
  number: number;
  title: string;
  review_status: RfcStatus;
  /** Status of the review of changes after an approval. */
  amendment: 'draft' | 'under_review' | null;
  agent_id: string;
  /** The agent to which its author handed it over. */
  keeper: string | null;
  /** The person or responsibility that it is for. */
  addressed_to: string | null;
  session: string | null;
  worktree: string | null;
  proposed_at: string;
  updated_at: string;
  /** Number of the latest revision. */
  revision: number;
  /** JSON array of globs. */
  holds: string;
  approved_revision: number | null;
  approved_hash: string | null;
  approved_by: string | null;
  approved_at: string | null;
  /** JSON arrays of strings. */
  approval_conditions: string;
  implementation_constraints: string;
  rejection_reason: string | null;
  ended_by: string | null;
  ended_at: string | null;
  review_stage: ReviewStage | null;
  review_count: number;
  question_loop_count: number;
  /** Number of the last decision; 0 for none. */
  decision: number;
}

export interface Feedback {
  rfc_id: string;
  thread: number;
  revision: number;
  reviewer: string;
  reviewer_kind: string;
  /** 1 where a human's signature proves who gave it. */
  signed: number;
  feedback_type: FeedbackType;
  section_key: string | null;
  section_heading: string | null;
  quote: string | null;
  content: string;
  blocking: number;
  given_at: string;
  resolved_by: string | null;
  resolved_at: string | null;
}

export interface RfcTables {
  rfcs: Rfcs;
  rfc_revisions: {
    rfc_id: string;
    number: number;
    hash: string;
    author: string;
    revised_at: string;
    note: string | null;
    title: string;
    /** JSON array of {key, heading, text}. */
    sections: string;
    /** JSON array of {text, answered, answer}: the questions of this revision. */
    questions: string;
  };
  /** `pros` and `cons`: JSON arrays of strings. */
  rfc_alternatives: {
    rfc_id: string;
    revision: number;
    position: number;
    name: string;
    description: string | null;
    pros: string;
    cons: string;
    effort_estimate: string | null;
  };
  /** Open questions in their current status, including those that the latest revision no longer asks. */
  rfc_feedback: Feedback;
  rfc_replies: {
    rfc_id: string;
    thread: number;
    number: number;
    author: string;
    author_kind: string;
    signed: number;
    content: string;
    replied_at: string;
  };
  rfc_reviews: {
    rfc_id: string;
    number: number;
    revision: number;
    model: string | null;
    prompt_name: string | null;
    prompt_version: string | null;
    follow_up: number;
    verdict: ReviewVerdict | null;
    stage: ReviewStage;
    summary: string | null;
    note: ReviewNote | null;
    reviewed_at: string;
  };
  /** `evidence`: JSON array of strings. */
  rfc_answers: {
    rfc_id: string;
    review: number;
    question: number;
    outcome: 'answered' | 'human_required';
    answer: string | null;
    evidence: string;
    confidence: string | null;
    overruled_by: string | null;
    overruled_at: string | null;
    overruled_reason: string | null;
  };
  /** Decisions of humans, in order. `conditions` and `constraints`: JSON arrays of strings. */
  rfc_decisions: {
    rfc_id: string;
    number: number;
    action: 'approved' | 'changes_requested' | 'rejected' | 'withdrawn';
    revision: number | null;
    reason: string | null;
    rejection_then: string | null;
    conditions: string;
    constraints: string;
    /** JSON array of question numbers. */
    waived: string;
    decided_by: string;
    decided_at: string;
    /** Of the key that signed it. */
    keyid: string;
    /** 1 if that is a passkey. */
    passkey: number;
  };
  rfc_deliveries: {
    rfc_id: string;
    decision: number;
    agent_id: string;
    session: string;
    offered_at: string;
    acknowledged_at: string | null;
  };
  rfc_review_deliveries: {
    rfc_id: string;
    review: number;
    agent_id: string;
    session: string;
    offered_at: string;
    acknowledged_at: string | null;
  };
  rfc_work: { rfc_id: string; work_id: string; role: 'workflow' | 'task' };
  rfc_contexts: { rfc_id: string; context_id: string; role: ContextRole };
}

const oneOf = (list: { readonly options: readonly string[] }) => list.options.map((value) => `'${value}'`).join(', ');

export const rfcSchema: readonly string[] = [
  `CREATE TABLE rfcs (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, title TEXT NOT NULL,
    review_status TEXT NOT NULL CHECK (review_status IN (${oneOf(words.rfcStatus)})),
    amendment TEXT CHECK (amendment IN ('draft', 'under_review')),
    agent_id TEXT NOT NULL, keeper TEXT, addressed_to TEXT, session TEXT, worktree TEXT, proposed_at TEXT NOT NULL, updated_at TEXT NOT NULL,
    revision INTEGER NOT NULL, holds TEXT NOT NULL, approved_revision INTEGER, approved_hash TEXT, approved_by TEXT,
    approved_at TEXT, approval_conditions TEXT NOT NULL, implementation_constraints TEXT NOT NULL, rejection_reason TEXT,
    ended_by TEXT, ended_at TEXT, review_stage TEXT CHECK (review_stage IN (${oneOf(words.reviewStage)})),
    review_count INTEGER NOT NULL, question_loop_count INTEGER NOT NULL, decision INTEGER NOT NULL,
    CHECK ((review_status IN ('approved', 'implemented')) = (approved_at IS NOT NULL)),
    CHECK ((review_status IN ('rejected', 'withdrawn')) = (ended_at IS NOT NULL)),
    CHECK (amendment IS NULL OR review_status = 'approved')) STRICT`,
  `CREATE INDEX rfcs_by_status ON rfcs (review_status, proposed_at)`,
  `CREATE TABLE rfc_revisions (
    rfc_id TEXT NOT NULL REFERENCES rfcs(id), number INTEGER NOT NULL, hash TEXT NOT NULL, author TEXT NOT NULL,
    revised_at TEXT NOT NULL, note TEXT, title TEXT NOT NULL, sections TEXT NOT NULL,
    questions TEXT NOT NULL, PRIMARY KEY (rfc_id, number)) STRICT`,
  `CREATE TABLE rfc_alternatives (
    rfc_id TEXT NOT NULL, revision INTEGER NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, description TEXT,
    pros TEXT NOT NULL, cons TEXT NOT NULL, effort_estimate TEXT, PRIMARY KEY (rfc_id, revision, position),
    FOREIGN KEY (rfc_id, revision) REFERENCES rfc_revisions(rfc_id, number)) STRICT`,
  `CREATE TABLE rfc_feedback (
    rfc_id TEXT NOT NULL REFERENCES rfcs(id), thread INTEGER NOT NULL, revision INTEGER NOT NULL, reviewer TEXT NOT NULL,
    reviewer_kind TEXT NOT NULL, signed INTEGER NOT NULL,
    feedback_type TEXT NOT NULL CHECK (feedback_type IN (${oneOf(words.feedbackType)})), section_key TEXT,
    section_heading TEXT, quote TEXT, content TEXT NOT NULL, blocking INTEGER NOT NULL, given_at TEXT NOT NULL,
    resolved_by TEXT, resolved_at TEXT, PRIMARY KEY (rfc_id, thread),
    CHECK (feedback_type <> 'approval' OR signed = 1)) STRICT`,
  `CREATE TABLE rfc_replies (
    rfc_id TEXT NOT NULL, thread INTEGER NOT NULL, number INTEGER NOT NULL, author TEXT NOT NULL,
    author_kind TEXT NOT NULL, signed INTEGER NOT NULL, content TEXT NOT NULL, replied_at TEXT NOT NULL,
    PRIMARY KEY (rfc_id, thread, number), FOREIGN KEY (rfc_id, thread) REFERENCES rfc_feedback(rfc_id, thread)) STRICT`,
  `CREATE TABLE rfc_reviews (
    rfc_id TEXT NOT NULL REFERENCES rfcs(id), number INTEGER NOT NULL, revision INTEGER NOT NULL, model TEXT,
    prompt_name TEXT, prompt_version TEXT, follow_up INTEGER NOT NULL,
    verdict TEXT CHECK (verdict IN (${oneOf(words.reviewVerdict)})),
    stage TEXT NOT NULL CHECK (stage IN (${oneOf(words.reviewStage)})), summary TEXT, note TEXT,
    reviewed_at TEXT NOT NULL, PRIMARY KEY (rfc_id, number)) STRICT`,
  `CREATE TABLE rfc_answers (
    rfc_id TEXT NOT NULL, review INTEGER NOT NULL, question INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('answered', 'human_required')), answer TEXT, evidence TEXT NOT NULL,
    confidence TEXT CHECK (confidence IN (${oneOf(words.confidence)})), overruled_by TEXT, overruled_at TEXT,
    overruled_reason TEXT, PRIMARY KEY (rfc_id, review, question),
    FOREIGN KEY (rfc_id, review) REFERENCES rfc_reviews(rfc_id, number)) STRICT`,
  `CREATE TABLE rfc_decisions (
    rfc_id TEXT NOT NULL REFERENCES rfcs(id), number INTEGER NOT NULL, action TEXT NOT NULL, revision INTEGER,
    reason TEXT, rejection_then TEXT CHECK (rejection_then IN (${oneOf(words.rejectionThen)})),
    conditions TEXT NOT NULL, constraints TEXT NOT NULL, waived TEXT NOT NULL, decided_by TEXT NOT NULL, decided_at TEXT NOT NULL,
    keyid TEXT NOT NULL, passkey INTEGER NOT NULL, PRIMARY KEY (rfc_id, number)) STRICT`,
  `CREATE TABLE rfc_deliveries (
    rfc_id TEXT NOT NULL, decision INTEGER NOT NULL, agent_id TEXT NOT NULL, session TEXT NOT NULL,
    offered_at TEXT NOT NULL, acknowledged_at TEXT, PRIMARY KEY (rfc_id, decision, agent_id)) STRICT`,
  `CREATE TABLE rfc_review_deliveries (
    rfc_id TEXT NOT NULL, review INTEGER NOT NULL, agent_id TEXT NOT NULL, session TEXT NOT NULL,
    offered_at TEXT NOT NULL, acknowledged_at TEXT, PRIMARY KEY (rfc_id, review, agent_id)) STRICT`,
  `CREATE TABLE rfc_work (
    rfc_id TEXT NOT NULL REFERENCES rfcs(id), work_id TEXT NOT NULL REFERENCES work_items(id) DEFERRABLE INITIALLY DEFERRED,
    role TEXT NOT NULL CHECK (role IN ('workflow', 'task')), PRIMARY KEY (rfc_id, work_id)) STRICT`,
  `CREATE INDEX rfc_work_by_work ON rfc_work (work_id)`,
  `CREATE TABLE rfc_contexts (
    rfc_id TEXT NOT NULL REFERENCES rfcs(id), context_id TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN (${oneOf(words.contextRole)})), PRIMARY KEY (rfc_id, context_id, role)) STRICT`,
];

/** RFCs as relations: what they block and what they refer to. */
export const rfcRelationships = `SELECT rfc_id, 'rfc', 'blocks', work_id,
    (SELECT kind FROM work_items WHERE work_items.id = work_id) FROM rfc_work
  UNION ALL SELECT rfc_id, 'rfc', 'references', context_id, 'context' FROM rfc_contexts`;
