/** Rows of requests: the row itself as each record leaves it, and one row of `request_events` for every change. */
import type { RequestDecision, RequestRecord } from '../../core/records/request.ts';
import type { RequestStatus } from '../../core/records/requestWords.ts';
import { escalatedPriority } from '../../core/records/requestWords.ts';
import { isSettled, requestRules } from '../../core/request/request.ts';
import type { Admitted, State } from '../../core/state/state.ts';
import { hasFormat, ruleFormat } from '../../core/state/askForFormat.ts';
import { put } from './put.ts';
import type { Requests } from './requestTables.ts';
import type { Database } from './sqlite.ts';

type Record = RequestRecord | RequestDecision;
type Of<K extends Record['kind']> = Extract<Record, { kind: K }>;

export function projectRequest(db: Database, state: State, record: Record, effect: Admitted): void {
  const workspace = state.workspace?.id ?? '';
  switch (record.kind) {
    case 'responsibility.registered':
    case 'responsibility.joined':
    case 'responsibility.appointed':
      projectResponsibility(db, state, workspace, record.id);
      return;
    case 'request.created':
    case 'request.createdByHuman':
      projectCreated(db, state, workspace, record, effect);
      return;
    default:
      projectChange(db, state, record, effect);
  }
}

function projectResponsibility(db: Database, state: State, workspace_id: string, id: string): void {
  const known = state.responsibilities.get(id);
  if (!known) return;
  const { kind, name, registeredBy: registered_by, registeredAt: registered_at } = known;
  put(db, 'responsibilities', ['workspace_id', 'id'], { workspace_id, id, kind, name, registered_by, registered_at });
  db.run('DELETE FROM responsibility_agents WHERE workspace_id = ? AND responsibility_id = ?', [workspace_id, id]);
  for (const agent_id of known.agents)
    put(db, 'responsibility_agents', ['workspace_id', 'responsibility_id', 'agent_id'], {
      workspace_id,
      responsibility_id: id,
      agent_id,
    });
}

function projectCreated(
  db: Database,
  state: State,
  workspace_id: string,
  record: Of<'request.created' | 'request.createdByHuman'>,
  effect: Admitted,
): void {
  const { id, ask, origin, target } = record;
  const { time, actor, signed } = effect;
  const byAutomation = state.responsibilities.get(origin)?.kind === 'automation';
  put(db, 'requests', ['id'], {
    id,
    type: ask.type,
    origin_responsibility_id: origin,
    target_responsibility_id: target,
    origin_mandate_id: record.mandate ?? null,
    subject: record.subject,
    summary: record.summary,
    body_md_path: record.bodyPath ?? null,
    payload_json: JSON.stringify(ask.payload),
    workspace_id,
    status: 'created',
    priority: record.priority,
    sla_response_seconds: record.responseSeconds ?? null,
    sla_completion_seconds: record.completionSeconds ?? null,
    acknowledged_at: null,
    created_at: time,
    available_at: record.availableAt,
    due_at: record.dueAt ?? null,
    processed_at: null,
    closed_at: null,
    idempotency_key: record.idempotencyKey ?? null,
    attempts: 0,
    last_error: null,
    authored_by: signed ? 'human' : byAutomation ? 'automation' : 'ai',
    author_agent_id: signed ? null : actor.id,
    source_context: record.sourceContext ?? null,
    number: Number(id.slice(2)),
    accepted_at: null,
    accepted_by: null,
    responded_at: null,
    response: null,
    note: null,
    escalated_at: null,
  });
  tell(db, workspace_id, id, effect, { type: 'created', from: null, to: 'created' });
  if (record.availableAt > time) return;
  db.run(`UPDATE requests SET status = 'pending' WHERE workspace_id = ? AND id = ?`, [workspace_id, id]);
  tell(db, workspace_id, id, effect, { type: 'released', from: 'created', to: 'pending' });
}

/** The names of changes in `request_events`. */
const eventTypes = {
  release: 'released',
  resume: 'resumed',
  expire: 'expired',
  accept: 'accepted',
  defer: 'deferred',
  reject: 'rejected',
  cancel: 'cancelled',
  complete: 'completed',
} as const;

type Change = Exclude<
  Record,
  Of<
    | 'responsibility.registered'
    | 'responsibility.joined'
    | 'responsibility.appointed'
    | 'request.created'
    | 'request.createdByHuman'
  >
>;

function projectChange(db: Database, state: State, record: Change, effect: Admitted): void {
  const workspace = state.workspace?.id ?? '';
  const { id } = record;
  const { time } = effect;
  const where = 'WHERE workspace_id = ? AND id = ?';
  const set = (assignments: string, ...values: (string | number | null)[]) => {
    db.run(`UPDATE requests SET ${assignments} ${where}`, [...values, workspace, id]);
  };
  const from = db.value(`SELECT status FROM requests ${where}`, [workspace, id]) as RequestStatus;
  const told = (type: string, note: string | null = null, to: RequestStatus | null = from) => {
    tell(db, workspace, id, effect, { type, from, to, note });
  };
  switch (record.kind) {
    case 'request.moved':
    case 'request.movedByHuman': {
      const columns = Object.entries({ status: requestRules[record.act].to, ...movedColumns(record, effect) });
      const byTarget = requestRules[record.act].by === 'target';
      const counted = [
        ...(byTarget ? ['acknowledged_at = coalesce(acknowledged_at, ?)'] : []),
        ...(record.act === 'accept' ? ['attempts = attempts + 1'] : []),
      ];
      set(
        [...columns.map(([name]) => `${name} = ?`), ...counted].join(', '),
        ...columns.map(([, value]) => value),
        ...(byTarget ? [time] : []),
      );
      told(eventTypes[record.act], moveNote(record), requestRules[record.act].to);
      return;
    }
    case 'request.acknowledged':
      set('acknowledged_at = coalesce(acknowledged_at, ?)', time);
      told('acknowledged');
      return;
    case 'request.attemptFailed':
      set('attempts = attempts + 1, last_error = ?', record.error);
      told('attempt_failed', record.error);
      return;
    case 'request.stepRecorded':
    case 'request.stepRecordedByHuman':
      told(`step_${record.step}`, [record.note, ...record.requests].join('\n'));
      return;
    case 'request.workMade':
      for (const work_id of record.work)
        put(db, 'request_work', ['workspace_id', 'request_id', 'work_id'], {
          workspace_id: workspace,
          request_id: id,
          work_id,
        });
      told('work_made', record.work.join('\n'));
      return;
    case 'request.alerted':
      told(`sla_${record.breach}_breached`);
      return;
    case 'request.escalated':
      set('priority = ?, escalated_at = ?', escalatedPriority, time);
      told('escalated');
      return;
    case 'request.reassigned':
      if (hasFormat(state, ruleFormat)) {
        set(
          `target_responsibility_id = ?, status = 'pending', available_at = ?, accepted_at = NULL, accepted_by = NULL,
            acknowledged_at = NULL, responded_at = NULL`,
          record.target,
          time,
        );
        told('reassigned', record.target, 'pending');
        return;
      }
      set('target_responsibility_id = ?, accepted_at = ?, accepted_by = NULL', record.target, time);
      told('reassigned', record.target);
      return;
    case 'request.refused':
      told('refused', `${record.act}: ${record.why}`, null);
  }
}

/** What a move changes of the row besides its status; all in one statement, for the columns are checked together. */
function movedColumns(
  record: Of<'request.moved' | 'request.movedByHuman'>,
  { time, actor, signed }: Admitted,
): Partial<Requests> {
  const { act, note, until, relevance } = record;
  const { to, by } = requestRules[act];
  const said = {
    ...(note === undefined ? {} : { note }),
    ...(relevance === undefined ? {} : { response: relevance }),
    ...(to !== null && isSettled(to) ? { closed_at: time } : {}),
  };
  if (by !== 'target') return said;
  if (act === 'complete') return { ...said, processed_at: time };
  if (act === 'accept') return { ...said, responded_at: time, accepted_at: time, accepted_by: signed?.by ?? actor.id };
  return { ...said, responded_at: time, ...(until === undefined ? {} : { available_at: until }) };
}

function moveNote({ note, until, relevance }: Of<'request.moved' | 'request.movedByHuman'>): string | null {
  const parts = [relevance, until === undefined ? undefined : `until ${until}`, note].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? null : parts.join(': ');
}

interface Told {
  readonly type: string;
  readonly from: RequestStatus | null;
  readonly to: RequestStatus | null;
  readonly note?: string | null;
}

function tell(
  db: Database,
  workspace: string,
  id: string,
  { time, actor, signed }: Admitted,
  { type, from, to, note = null }: Told,
): void {
  const by = signed ? signed.by : actor.kind === 'agent' ? 'ai' : actor.kind === 'human' ? actor.id : actor.kind;
  db.run(
    `INSERT INTO request_events (request_id, event_type, old_status, new_status, note, created_at, created_by, created_agent_id, workspace_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, type, from, to, note, time, by, !signed && actor.kind === 'agent' ? actor.id : null, workspace],
  );
}
