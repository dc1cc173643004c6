/**
 * The projector: writes a counted line's changes as rows. It writes entities as the fold left them, so that live
 * writes, replay and snapshot plus replay give the same database. It decides nothing.
 */
import { directlyHeld } from '../../core/hold/holds.ts';
import type { Holder } from '../../core/hold/holds.ts';
import { subjectOf } from '../../core/records/decision.ts';
import type { JournalRecord, RecordKind } from '../../core/records/records.ts';
import { withParts } from '../../core/state/cancelWork.ts';
import { isStop } from '../../core/state/state.ts';
import type { Admitted, State } from '../../core/state/state.ts';
import { askBackProjections } from './projectAskBack.ts';
import { parkingProjections } from './projectParking.ts';
import { eventProjections, mention, namedEvents } from './projectEvents.ts';
import { importProjections } from './projectImport.ts';
import { noRows } from './projection.ts';
import type { Projecting, Projections } from './projection.ts';
import { projectQuestion, projectRaised } from './projectQuestion.ts';
import { requestProjections } from './projectRequest.ts';
import { projectState, rfcProjections } from './projectRfc.ts';
import { put } from './put.ts';
import { StoreError } from '../journal/problem.ts';
import type { Projection } from './laterRows.ts';
import type { Database } from './sqlite.ts';
import { schema } from './tables.ts';
import { projectionVersion } from './version.ts';
import { withoutRows } from './withoutRows.ts';

export function createSchema(db: Database): void {
  createTables(db);
  createIndexes(db);
}

/** Without indexes. Those that refuse rows do so when they are built. */
export function createTables(db: Database): void {
  for (const statement of schema()) if (isTable(statement)) db.run(statement);
  db.run(`PRAGMA user_version = ${String(projectionVersion())}`);
}

/**
 * After a replay: building an index of all rows takes less time than adding to it row by row. That of words is an index
 * too, with the triggers that keep it.
 */
export function createIndexes(db: Database): void {
  for (const statement of schema()) if (!isTable(statement)) db.run(statement);
}

function isTable(statement: string): boolean {
  return statement.startsWith('CREATE TABLE') || statement.startsWith('CREATE VIEW');
}

/**
 * Computes the rows of an act that is tried: `db.end` keeps or drops them.
 * @throws StoreError `constraint`, or what makes the journal unreadable
 */
export function projectAct(db: Projection, state: State, admitted: readonly Admitted[]): void {
  db.begin();
  try {
    project(db, state, admitted);
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError('constraint', 'nothing was saved: the rows of this act could not be computed', { cause });
  }
}

export function project(db: Database, state: State, admitted: readonly Admitted[]): void {
  if (db === withoutRows) return;
  for (const [index, effect] of admitted.entries()) {
    const { record } = effect;
    projectDecision(db, effect);
    if (effect.kept) continue;
    // The table's type relates each kind to its projection; indexing by a union loses that.
    const toRows = projections[record.kind] as (at: Projecting, record: JournalRecord) => void;
    toRows({ db, state, effect, following: () => admitted.slice(index + 1) }, record);
  }
}

/** The projection of every record kind. A missing kind does not compile. */
const projections: Projections<RecordKind> = {
  'workspace.created': noRows,
  'format.changed': noRows,
  'segment.sealed': noRows,
  'policy.changed': noRows,
  'journal.lineSetAside': noRows,
  'journal.restored': noRows,
  'gate.decidedOffline': noRows,
  'journal.startedAnew': noRows,
  'key.enrolled': noRows,
  'key.lost': noRows,
  'key.rotated': noRows,
  'key.trusted': noRows,
  'key.retired': noRows,
  'key.passkeyAdded': noRows,
  'key.passkeyRenamed': noRows,
  'store.shared': noRows,
  'store.unshared': noRows,
  'hold.widened': noRows,
  'hold.narrowed': noRows,
  'hold.baselineTaken': noRows,
  'hold.violated': noRows,
  'hold.fileRestored': noRows,
  'hold.changeAccepted': noRows,
  'precedent.set': noRows,
  'precedent.ended': noRows,
  'precedent.used': noRows,
  'precedent.takenBack': noRows,
  'agent.registered': ({ db }, { id, type, host, label }) => {
    put(db, 'agents', ['id'], { id, type, host, label });
  },
  'work.registered': projectWork,
  'work.updated': projectWork,
  'work.deleted': (at, { id }) => {
    projectAllOf(at, [id]);
  },
  'question.raised': (at, record) => {
    projectRaised(at, record);
    mention(at.db, namedEvents(record.text, record.background, record.context), at.effect.time);
    const rfc = at.state.rfcs.get(record.rfc?.id ?? '');
    if (rfc) projectState(at.db, rfc);
  },
  'question.widened': projectQuestion,
  'question.escalated': projectQuestion,
  'question.expired': projectQuestion,
  'question.withdrawn': projectQuestion,
  'question.answered': projectAnswered,
  'refusal.lifted': (at, record) => {
    projectQuestion(at, record);
    // Lifting a refusal is an outcome of its own, also delivered to agents that already received the refusal.
    at.db.run('DELETE FROM deliveries WHERE question_id = ?', [record.id]);
  },
  'question.cancelled': projectQuestion,
  'question.released': projectQuestion,
  'answer.revoked': projectQuestion,
  'outcome.offered': offer,
  'outcome.acknowledged': (at, record) => {
    offer(at, record);
    at.db.run(
      'UPDATE deliveries SET acknowledged_at = coalesce(acknowledged_at, ?) WHERE question_id = ? AND agent_id = ?',
      [at.effect.time, record.id, record.agent],
    );
  },
  ...askBackProjections,
  ...parkingProjections,
  'wait.noted': noRows,
  'answer.reused': ({ db, effect }, { id, agent }) => {
    put(db, 'answer_reuses', ['question_id', 'position'], {
      position: effect.at,
      question_id: id,
      agent_id: agent,
      reused_at: effect.time,
    });
  },
  ...eventProjections,
  ...rfcProjections,
  'rfc.rejected': (at, record) => {
    rfcProjections['rfc.rejected'](at, record);
    const rfc = at.state.rfcs.get(record.id);
    if (rfc && record.then === 'stop') projectCancelled(at, rfc);
  },
  ...requestProjections,
  ...importProjections,
};

function projectDecision(db: Database, { record, signed, time, at }: Admitted): void {
  if (!signed) return;
  put(db, 'decisions', ['nonce'], {
    nonce: signed.nonce,
    subject: 'envelope' in record ? subjectOf(record) : record.kind,
    action: record.kind,
    decided_by: signed.by,
    keyid: signed.keyid,
    decided_at: time,
    position: at,
  });
}

function projectWork({ db, state }: Projecting, { id }: { readonly id: string }): void {
  const item = state.work.get(id);
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
}

function projectAnswered(at: Projecting, record: { readonly id: string }): void {
  projectQuestion(at, record);
  const question = at.state.questions.get(record.id);
  if (question && isStop(question)) projectCancelled(at, question);
}

/** Work that a human stopped is cancelled. */
function projectCancelled(at: Projecting, holder: Holder): void {
  projectAllOf(at, directlyHeld(at.state, holder));
}

/** The items, and everything in those that are workflows. */
function projectAllOf(at: Projecting, named: readonly string[]): void {
  for (const id of withParts(at.state, named)) projectWork(at, { id });
}

/** Keeps the time of the first offer, and the session of the last: only that one knows of it. */
function offer({ db, effect }: Projecting, { id, agent }: { readonly id: string; readonly agent: string }): void {
  db.run(
    `INSERT INTO deliveries VALUES (?, ?, ?, ?, NULL)
      ON CONFLICT (question_id, agent_id) DO UPDATE SET session = excluded.session WHERE acknowledged_at IS NULL`,
    [id, agent, effect.actor.session ?? '', effect.time],
  );
}
