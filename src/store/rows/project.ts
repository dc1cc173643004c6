/**
 * The projector: what a counted line changed, as rows. It writes entities as the fold left them, so that live, replay
 * and snapshot-plus-rest give the same database, and it never decides anything.
 */
import { sameTextKey } from '../../core/kit/text.ts';
import { subjectOf } from '../../core/records/decision.ts';
import { isImportRecord } from '../../core/records/import.ts';
import { isKeyRecord } from '../../core/records/key.ts';
import { isRequestDecision, isRequestRecord } from '../../core/records/request.ts';
import { isRfcDecision, isRfcRecord } from '../../core/records/rfc.ts';
import type { Admitted, Question, State, WorkItem } from '../../core/state/state.ts';
import { isWideningRecord } from '../../core/records/widening.ts';
import * as words from '../../core/kit/words.ts';
import { urgencyRank } from '../../core/kit/words.ts';
import { projectEvent } from './projectEvents.ts';
import { projectImport } from './projectImport.ts';
import { projectRequest } from './projectRequest.ts';
import { projectRfc, projectState } from './projectRfc.ts';
import { put } from './put.ts';
import type { Database } from './sqlite.ts';
import { projectionVersion, schema } from './tables.ts';

export function createSchema(db: Database): void {
  const lists = {
    workKind: words.workKind.options,
    baseStatus: words.baseStatus.options,
    questionType: words.questionType.options,
    urgency: words.urgency.options,
    questionMode: words.questionMode.options,
    questionStatus: words.questionStatus.options,
  };
  for (const statement of schema(lists)) db.run(statement);
  db.run(`PRAGMA user_version = ${String(projectionVersion)}`);
}

export function project(db: Database, state: State, admitted: readonly Admitted[]): void {
  for (const [index, effect] of admitted.entries()) {
    const { record, time, signed, at, actor } = effect;
    if (signed)
      put(db, 'decisions', ['nonce'], {
        nonce: signed.nonce,
        subject: 'envelope' in record ? subjectOf(record) : record.kind,
        action: record.kind,
        decided_by: signed.by,
        keyid: signed.keyid,
        decided_at: time,
        position: at,
      });
    if (isRfcRecord(record) || isRfcDecision(record)) {
      projectRfc(db, state, record, effect);
      continue;
    }
    if (isRequestRecord(record) || isRequestDecision(record)) {
      projectRequest(db, state, record, effect);
      continue;
    }
    if (isImportRecord(record)) {
      projectImport(db, record, effect, admitted.slice(index + 1));
      continue;
    }
    if (isKeyRecord(record) || isWideningRecord(record)) continue;
    switch (record.kind) {
      case 'agent.registered':
        put(db, 'agents', ['id'], { id: record.id, type: record.type, host: record.host, label: record.label });
        break;
      case 'work.registered':
      case 'work.updated':
        projectWork(db, state.work.get(record.id));
        break;
      case 'question.raised': {
        projectQuestion(db, state.questions.get(record.id));
        const rfc = state.rfcs.get(record.rfc?.id ?? '');
        if (rfc) projectState(db, rfc);
        break;
      }
      case 'question.widened':
      case 'question.escalated':
      case 'question.expired':
      case 'question.answered':
      case 'question.cancelled':
      case 'question.released':
      case 'answer.revoked':
        projectQuestion(db, state.questions.get(record.id));
        break;
      case 'outcome.offered':
        offer(db, record.id, record.agent, actor.session ?? '', time);
        break;
      case 'answer.reused':
        put(db, 'answer_reuses', ['question_id', 'position'], {
          position: at,
          question_id: record.id,
          agent_id: record.agent,
          reused_at: time,
        });
        break;
      case 'outcome.acknowledged':
        offer(db, record.id, record.agent, actor.session ?? '', time);
        db.run(
          'UPDATE deliveries SET acknowledged_at = coalesce(acknowledged_at, ?) WHERE question_id = ? AND agent_id = ?',
          [time, record.id, record.agent],
        );
        break;
      case 'event.posted':
      case 'event.postedByHuman':
      case 'event.closed':
      case 'event.closedByHuman':
        projectEvent(db, record, effect);
        break;
      case 'event.closeProposed':
      case 'event.proposalDeclined':
      case 'workspace.created':
      case 'policy.changed':
      case 'format.changed':
      case 'segment.sealed':
      case 'journal.lineSetAside':
      case 'journal.restored':
      case 'journal.startedAnew':
        break;
    }
  }
}

function projectWork(db: Database, item: WorkItem | undefined): void {
  if (!item) return;
  put(db, 'work_items', ['id'], {
    id: item.id,
    kind: item.kind,
    title: item.title,
    status: item.status,
    step: item.step,
    workflow_id: item.workflow,
    assigned_agent: item.assignee,
    created_by: item.createdBy,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
  });
  db.run('DELETE FROM work_dependencies WHERE work_id = ?', [item.id]);
  for (const depends_on of item.dependsOn)
    put(db, 'work_dependencies', ['work_id', 'depends_on'], { work_id: item.id, depends_on });
  db.run('DELETE FROM work_holds WHERE work_id = ?', [item.id]);
  for (const glob of item.holds) put(db, 'work_holds', ['work_id', 'glob'], { work_id: item.id, glob });
}

function projectQuestion(db: Database, question: Question | undefined): void {
  if (!question) return;
  const { raised, resolution } = question;
  put(db, 'questions', ['id'], {
    id: question.id,
    number: Number(question.id.slice(2)),
    agent_id: question.asker.id,
    session: question.asker.session ?? null,
    worktree: question.asker.worktree ?? null,
    work_id: raised.work,
    work_key: raised.work ?? '',
    text_key: sameTextKey(raised.text),
    question_text: raised.text,
    question_type: raised.type,
    urgency: question.urgency,
    urgency_rank: urgencyRank(question.urgency),
    mode: question.mode,
    status: question.status,
    raised_at: question.raisedAt,
    expires_at: raised.expiresAt,
    choices: JSON.stringify(raised.choices),
    multiple: raised.multiple ? 1 : 0,
    free_text: raised.freeText ? 1 : 0,
    background_reasoning: raised.background ?? null,
    context_snippet: raised.context ?? null,
    estimated_impact: raised.impact ?? null,
    what_happens_if_delayed: raised.ifDelayed ?? null,
    assumption: raised.assumption ?? null,
    alternative_approaches_considered: JSON.stringify(raised.alternatives),
    related_files: JSON.stringify(raised.files),
    holds: JSON.stringify([...raised.holds, ...question.addedHolds]),
    resolution: resolution?.how ?? null,
    answer: resolution?.answer?.text ?? null,
    answer_choices: JSON.stringify(resolution?.answer?.choices ?? []),
    note: resolution?.note ?? null,
    answered_by: resolution?.by ?? null,
    answered_at: resolution?.at ?? null,
    rfc_id: raised.rfc?.id ?? null,
    reopens: raised.reopens ?? null,
    reopen_reason: raised.reopenReason ?? null,
    revoked_at: question.revoked?.at ?? null,
    revoked_by: question.revoked?.by ?? null,
    revoked_reason: question.revoked?.reason ?? null,
  });
}

/** The first offer's time stays; the session is the last one's, for only that knows of it. */
function offer(db: Database, question: string, agent: string, session: string, time: string): void {
  db.run(
    `INSERT INTO deliveries VALUES (?, ?, ?, ?, NULL)
      ON CONFLICT (question_id, agent_id) DO UPDATE SET session = excluded.session WHERE acknowledged_at IS NULL`,
    [question, agent, session, time],
  );
}
