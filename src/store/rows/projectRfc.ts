/** Rows of RFCs: what a record says, in its own table; the RFC itself as the fold left it. */
import type { Rfc } from '../../core/state/rfc.ts';
import type { RfcDecision, RfcDocument, RfcRecord } from '../../core/records/rfc.ts';
import type { Admitted, State } from '../../core/state/state.ts';
import { put } from './put.ts';
import type { RfcTables } from './rfcTables.ts';
import type { Database } from './sqlite.ts';

export function projectRfc(db: Database, state: State, record: RfcRecord | RfcDecision, admitted: Admitted): void {
  const rfc = state.rfcs.get(record.id);
  if (!rfc) return;
  const { time, actor, signed } = admitted;
  const id = record.id;
  const by = signed
    ? { author: signed.by, author_kind: 'human', signed: 1 }
    : { author: actor.id, author_kind: actor.kind, signed: 0 };
  projectState(db, rfc);
  switch (record.kind) {
    case 'rfc.proposed':
      revision(db, rfc, 1, record.document, null);
      return;
    case 'rfc.revised':
      revision(db, rfc, record.revision, record.document, record.note ?? null);
      return;
    case 'rfc.feedbackGiven':
    case 'rfc.commented':
      put(db, 'rfc_feedback', ['rfc_id', 'thread'], {
        rfc_id: id,
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
        given_at: time,
        resolved_by: null,
        resolved_at: null,
      });
      return;
    case 'rfc.feedbackReplied':
    case 'rfc.threadReplied':
      put(db, 'rfc_replies', ['rfc_id', 'thread', 'number'], {
        rfc_id: id,
        thread: record.thread,
        number: record.reply,
        ...by,
        content: record.text,
        replied_at: time,
      });
      return;
    case 'rfc.threadResolved':
      db.run('UPDATE rfc_feedback SET resolved_by = ?, resolved_at = ? WHERE rfc_id = ? AND thread = ?', [
        by.author,
        time,
        id,
        record.thread,
      ]);
      return;
    case 'rfc.answerOverruled':
      db.run(
        `UPDATE rfc_answers SET overruled_by = ?, overruled_at = ?, overruled_reason = ?
          WHERE rfc_id = ? AND question = ? AND outcome = 'answered' AND overruled_at IS NULL`,
        [by.author, time, record.reason ?? null, id, record.question],
      );
      return;
    case 'rfc.reviewed':
      review(db, record, time);
      return;
    case 'rfc.approved':
      decision(db, rfc, by.author, time, {
        action: 'approved',
        revision: record.revision,
        conditions: record.conditions,
        constraints: record.constraints,
      });
      return;
    case 'rfc.changesRequested':
      decision(db, rfc, by.author, time, {
        action: 'changes_requested',
        revision: record.revision,
        reason: record.reason,
      });
      return;
    case 'rfc.rejected':
      decision(db, rfc, by.author, time, {
        action: 'rejected',
        revision: record.revision,
        reason: record.reason,
        then: record.then,
      });
      return;
    case 'rfc.withdrawn':
      decision(db, rfc, by.author, time, { action: 'withdrawn', revision: null, reason: record.reason });
      return;
    case 'rfc.decisionOffered':
      offer(db, record, actor.session ?? '', time);
      return;
    case 'rfc.decisionAcknowledged':
      offer(db, record, actor.session ?? '', time);
      db.run(
        `UPDATE rfc_deliveries SET acknowledged_at = coalesce(acknowledged_at, ?)
          WHERE rfc_id = ? AND decision = ? AND agent_id = ?`,
        [time, id, record.decision, record.agent],
      );
      return;
    case 'rfc.submitted':
    case 'rfc.handedOver':
    case 'rfc.widened':
    case 'rfc.implemented':
  }
}

/** What the fold knows of an RFC; also after records of other kinds that changed it. */
export function projectState(db: Database, rfc: Rfc): void {
  const { approval, ended } = rfc;
  put(db, 'rfcs', ['id'], {
    id: rfc.id,
    number: Number(rfc.id.slice(4)),
    title: rfc.title,
    review_status: rfc.status,
    amendment: rfc.amendment,
    agent_id: rfc.asker.id,
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
  for (const question of rfc.questions)
    put(db, 'rfc_questions', ['rfc_id', 'number'], {
      rfc_id: rfc.id,
      number: question.number,
      question_text: question.text,
      in_document: question.inDocument ? 1 : 0,
      checked: question.checked ? 1 : 0,
      answered_in: question.answeredIn,
      required: question.required ? 1 : 0,
      question_id: question.asked,
    });
}

function revision(db: Database, rfc: Rfc, number: number, document: RfcDocument, note: string | null): void {
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

function review(db: Database, record: Extract<RfcRecord, { kind: 'rfc.reviewed' }>, time: string): void {
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
    reviewed_at: time,
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
}

function decision(db: Database, rfc: Rfc, by: string, at: string, decided: Decided): void {
  put(db, 'rfc_decisions', ['rfc_id', 'number'], {
    rfc_id: rfc.id,
    number: rfc.decisions,
    action: decided.action,
    revision: decided.revision,
    reason: decided.reason ?? null,
    rejection_then: decided.then ?? null,
    conditions: JSON.stringify(decided.conditions ?? []),
    constraints: JSON.stringify(decided.constraints ?? []),
    decided_by: by,
    decided_at: at,
  });
}

/** The first offer's time stays; the session is the last one's, for only that knows of it. */
function offer(
  db: Database,
  record: { readonly id: string; readonly decision: number; readonly agent: string },
  session: string,
  time: string,
): void {
  db.run(
    `INSERT INTO rfc_deliveries VALUES (?, ?, ?, ?, ?, NULL)
      ON CONFLICT (rfc_id, decision, agent_id) DO UPDATE SET session = excluded.session WHERE acknowledged_at IS NULL`,
    [record.id, record.decision, record.agent, session, time],
  );
}
