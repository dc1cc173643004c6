/** Rows of RFCs: each record in its own table, and the RFC itself as the fold left it. */
import type { Rfc } from '../../core/state/rfc.ts';
import type { RfcDecision, RfcDocument, RfcRecord } from '../../core/records/rfc.ts';
import type { RecordOf } from '../../core/records/records.ts';
import type { Admitted } from '../../core/state/state.ts';
import { mention } from './projectEvents.ts';
import { noRows } from './projection.ts';
import type { Projecting, Projections } from './projection.ts';
import { put } from './put.ts';
import type { RfcTables } from './rfcTables.ts';
import type { Database } from './sqlite.ts';

/** Writes the rows of one record kind, except the RFC's own row. */
type Part<K extends Kind> = (at: Projecting & { readonly rfc: Rfc }, record: RecordOf<K>) => void;
type Kind = (RfcRecord | RfcDecision)['kind'];

export const rfcProjections: Projections<Kind> = {
  'rfc.proposed': withState(({ db, rfc, effect }, { document, contexts }) => {
    revision(db, rfc, { number: 1, document, note: null });
    mentionContexts(db, contexts, effect.time);
  }),
  'rfc.revised': withState(({ db, rfc }, { revision: number, document, note = null }) => {
    revision(db, rfc, { number, document, note });
  }),
  'rfc.widened': withState(({ db, effect }, { addContexts }) => {
    mentionContexts(db, addContexts, effect.time);
  }),
  'rfc.handedOver': withState(noRows),
  'rfc.addressed': withState(noRows),
  'rfc.submitted': withState(noRows),
  'rfc.implemented': withState(noRows),
  'rfc.feedbackGiven': withState(feedback),
  'rfc.commented': withState(feedback),
  'rfc.feedbackReplied': withState(reply),
  'rfc.threadReplied': withState(reply),
  'rfc.threadResolved': withState(({ db, effect }, { id, thread }) => {
    db.run('UPDATE rfc_feedback SET resolved_by = ?, resolved_at = ? WHERE rfc_id = ? AND thread = ?', [
      authorOf(effect).author,
      effect.time,
      id,
      thread,
    ]);
  }),
  'rfc.answerOverruled': withState(({ db, effect }, { id, question, reason = null }) => {
    db.run(
      `UPDATE rfc_answers SET overruled_by = ?, overruled_at = ?, overruled_reason = ?
        WHERE rfc_id = ? AND question = ? AND outcome = 'answered' AND overruled_at IS NULL`,
      [authorOf(effect).author, effect.time, reason, id, question],
    );
  }),
  'rfc.reviewed': withState(review),
  'rfc.approved': withState((at, { revision, conditions, constraints, waived = [] }) => {
    const numbers = waived.map(({ question }) => question);
    decision(at, { action: 'approved', revision, conditions, constraints, waived: numbers });
  }),
  'rfc.changesRequested': withState((at, { revision, reason }) => {
    decision(at, { action: 'changes_requested', revision, reason });
  }),
  'rfc.rejected': withState((at, { revision, reason, then }) => {
    decision(at, { action: 'rejected', revision, reason, then });
  }),
  'rfc.withdrawn': withState((at, { reason }) => {
    decision(at, { action: 'withdrawn', revision: null, reason });
  }),
  'rfc.reviewOffered': withState(offerReview),
  'rfc.reviewAcknowledged': withState((at, record) => {
    offerReview(at, record);
    at.db.run(
      `UPDATE rfc_review_deliveries SET acknowledged_at = coalesce(acknowledged_at, ?)
        WHERE rfc_id = ? AND review = ? AND agent_id = ?`,
      [at.effect.time, record.id, record.review, record.agent],
    );
  }),
  'rfc.decisionOffered': withState(offer),
  'rfc.decisionAcknowledged': withState((at, record) => {
    offer(at, record);
    at.db.run(
      `UPDATE rfc_deliveries SET acknowledged_at = coalesce(acknowledged_at, ?)
        WHERE rfc_id = ? AND decision = ? AND agent_id = ?`,
      [at.effect.time, record.id, record.decision, record.agent],
    );
  }),
};

/** Writes the RFC's own row after each of its records. */
function withState<K extends Kind>(part: Part<K>): (at: Projecting, record: RecordOf<K>) => void {
  return (at, record) => {
    const rfc = at.state.rfcs.get((record as RfcRecord | RfcDecision).id);
    if (!rfc) return;
    projectState(at.db, rfc);
    part({ ...at, rfc }, record);
  };
}

function mentionContexts(db: Database, contexts: Rfc['contexts'], time: string): void {
  mention(
    db,
    contexts.map(({ id }) => id),
    time,
  );
}

function authorOf({ signed, actor }: Admitted) {
  return signed
    ? { author: signed.by, author_kind: 'human', signed: 1 }
    : { author: actor.id, author_kind: actor.kind, signed: 0 };
}

function feedback({ db, effect }: Projecting, record: RecordOf<'rfc.feedbackGiven' | 'rfc.commented'>): void {
  const by = authorOf(effect);
  put(db, 'rfc_feedback', ['rfc_id', 'thread'], {
    rfc_id: record.id,
    thread: record.thread,
    revision: record.revision,
    reviewer: by.author,
    reviewer_kind: by.author_kind,
    signed: by.signed,
    feedback_type: record.type,
    section_key: record.section?.key ?? null,
    section_heading: record.section?.heading ?? null,
    quote: record.quote ?? null,
    content: record.text,
    blocking: record.blocking ? 1 : 0,
    given_at: effect.time,
    resolved_by: null,
    resolved_at: null,
  });
}

function reply({ db, effect }: Projecting, record: RecordOf<'rfc.feedbackReplied' | 'rfc.threadReplied'>): void {
  put(db, 'rfc_replies', ['rfc_id', 'thread', 'number'], {
    rfc_id: record.id,
    thread: record.thread,
    number: record.reply,
    ...authorOf(effect),
    content: record.text,
    replied_at: effect.time,
  });
}

/** Writes the RFC as the fold left it; also after records of other kinds that changed it. */
export function projectState(db: Database, rfc: Rfc): void {
  const { approval, ended } = rfc;
  put(db, 'rfcs', ['id'], {
    id: rfc.id,
    number: Number(rfc.id.slice(4)),
    title: rfc.title,
    review_status: rfc.status,
    amendment: rfc.amendment,
    agent_id: rfc.asker.id,
    keeper: rfc.keeper,
    addressed_to: rfc.for,
    session: rfc.asker.session ?? null,
    worktree: rfc.asker.worktree ?? null,
    proposed_at: rfc.proposedAt,
    updated_at: rfc.updatedAt,
    revision: rfc.revisions.length,
    holds: JSON.stringify([...rfc.holds, ...rfc.addedHolds]),
    approved_revision: approval?.revision ?? null,
    approved_hash: approval?.hash ?? null,
    approved_by: approval?.by ?? null,
    approved_at: approval?.at ?? null,
    approval_conditions: JSON.stringify(approval?.conditions ?? []),
    implementation_constraints: JSON.stringify(approval?.constraints ?? []),
    rejection_reason: ended?.reason ?? null,
    ended_by: ended?.by ?? null,
    ended_at: ended?.at ?? null,
    review_stage: rfc.review.stage,
    review_count: rfc.review.count,
    question_loop_count: rfc.review.loops,
    decision: rfc.decisions,
  });
  for (const work_id of rfc.workflows)
    put(db, 'rfc_work', ['rfc_id', 'work_id'], { rfc_id: rfc.id, work_id, role: 'workflow' });
  for (const work_id of rfc.tasks)
    put(db, 'rfc_work', ['rfc_id', 'work_id'], { rfc_id: rfc.id, work_id, role: 'task' });
  for (const { id: context_id, role } of rfc.contexts)
    put(db, 'rfc_contexts', ['rfc_id', 'context_id', 'role'], { rfc_id: rfc.id, context_id, role });
}

interface Revised {
  readonly number: number;
  readonly document: RfcDocument;
  readonly note: string | null;
}

function revision(db: Database, rfc: Rfc, { number, document, note }: Revised): void {
  const made = rfc.revisions[number - 1];
  if (!made) return;
  put(db, 'rfc_revisions', ['rfc_id', 'number'], {
    rfc_id: rfc.id,
    number,
    hash: made.hash,
    author: made.by,
    revised_at: made.at,
    note,
    title: document.title,
    sections: JSON.stringify(document.sections),
    questions: JSON.stringify(document.questions),
  });
  for (const [position, { name, description, pros, cons, effortEstimate }] of document.alternatives.entries())
    put(db, 'rfc_alternatives', ['rfc_id', 'revision', 'position'], {
      rfc_id: rfc.id,
      revision: number,
      position,
      name,
      description: description ?? null,
      pros: JSON.stringify(pros),
      cons: JSON.stringify(cons),
      effort_estimate: effortEstimate ?? null,
    });
}

function review({ db, effect }: Projecting, record: RecordOf<'rfc.reviewed'>): void {
  put(db, 'rfc_reviews', ['rfc_id', 'number'], {
    rfc_id: record.id,
    number: record.review,
    revision: record.revision,
    model: record.model,
    prompt_name: record.prompt?.name ?? null,
    prompt_version: record.prompt?.version ?? null,
    follow_up: record.followUp ? 1 : 0,
    verdict: record.verdict,
    stage: record.stage,
    summary: record.summary ?? null,
    note: record.note,
    reviewed_at: effect.time,
  });
  for (const answer of record.answers)
    put(db, 'rfc_answers', ['rfc_id', 'review', 'question'], {
      rfc_id: record.id,
      review: record.review,
      question: answer.question,
      outcome: answer.outcome,
      answer: answer.answer ?? null,
      evidence: JSON.stringify(answer.evidence),
      confidence: answer.confidence ?? null,
      overruled_by: null,
      overruled_at: null,
      overruled_reason: null,
    });
}

interface Decided {
  readonly action: RfcTables['rfc_decisions']['action'];
  readonly revision: number | null;
  readonly reason?: string;
  readonly then?: string;
  readonly conditions?: readonly string[];
  readonly constraints?: readonly string[];
  readonly waived?: readonly number[];
}

function decision({ db, rfc, effect }: Projecting & { readonly rfc: Rfc }, decided: Decided): void {
  put(db, 'rfc_decisions', ['rfc_id', 'number'], {
    rfc_id: rfc.id,
    number: rfc.decisions,
    action: decided.action,
    revision: decided.revision,
    reason: decided.reason ?? null,
    rejection_then: decided.then ?? null,
    conditions: JSON.stringify(decided.conditions ?? []),
    constraints: JSON.stringify(decided.constraints ?? []),
    waived: JSON.stringify(decided.waived ?? []),
    decided_by: authorOf(effect).author,
    decided_at: effect.time,
    keyid: effect.signed?.keyid ?? '',
    passkey: effect.signed?.passkey ? 1 : 0,
  });
}

/** Keeps the time of the first offer, and the session of the last: only that one knows of it. */
function offer({ db, effect }: Projecting, record: RecordOf<'rfc.decisionOffered' | 'rfc.decisionAcknowledged'>): void {
  db.run(
    `INSERT INTO rfc_deliveries VALUES (?, ?, ?, ?, ?, NULL)
      ON CONFLICT (rfc_id, decision, agent_id) DO UPDATE SET session = excluded.session WHERE acknowledged_at IS NULL`,
    [record.id, record.decision, record.agent, effect.actor.session ?? '', effect.time],
  );
}

function offerReview(
  { db, effect }: Projecting,
  record: RecordOf<'rfc.reviewOffered' | 'rfc.reviewAcknowledged'>,
): void {
  db.run(
    `INSERT INTO rfc_review_deliveries VALUES (?, ?, ?, ?, ?, NULL)
      ON CONFLICT (rfc_id, review, agent_id) DO UPDATE SET session = excluded.session WHERE acknowledged_at IS NULL`,
    [record.id, record.review, record.agent, effect.actor.session ?? '', effect.time],
  );
}
