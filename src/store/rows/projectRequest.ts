/** Rows of requests: the request as each record leaves it, and one row of `request_events` per change. */
import type { RequestDecision, RequestRecord } from '../../core/records/request.ts';
import type { RequestStatus } from '../../core/records/requestWords.ts';
import { escalatedPriority } from '../../core/records/requestWords.ts';
import { isSettled, requestRules } from '../../core/request/request.ts';
import type { RecordOf } from '../../core/records/records.ts';
import type { Admitted } from '../../core/state/state.ts';
import { acknowledgeNotice, notify, offerNotice } from './projectNotices.ts';
import type { Projecting, Projections } from './projection.ts';
import { put } from './put.ts';
import type { Requests } from './requestTables.ts';

type Kind = (RequestRecord | RequestDecision)['kind'];

export const requestProjections: Projections<Kind> = {
  'responsibility.registered': projectResponsibility,
  'responsibility.joined': projectResponsibility,
  'responsibility.appointed': projectResponsibility,
  'request.created': projectCreated,
  'request.createdByHuman': projectCreated,
  'request.moved': projectMove,
  'request.movedByHuman': projectMove,
  'request.stepRecorded': projectStep,
  'request.stepRecordedByHuman': projectStep,
  'request.acknowledged': (at, { id }) => {
    update(at, id, 'acknowledged_at = coalesce(acknowledged_at, ?)', at.effect.time);
    addChange(at, id, { type: 'acknowledged' });
  },
  'request.attemptFailed': (at, { id, error }) => {
    update(at, id, 'attempts = attempts + 1, last_error = ?', error);
    addChange(at, id, { type: 'attempt_failed', note: error });
  },
  'request.workMade': (at, { id, work }) => {
    const workspace_id = workspaceOf(at);
    for (const work_id of work)
      put(at.db, 'request_work', ['workspace_id', 'request_id', 'work_id'], { workspace_id, request_id: id, work_id });
    addChange(at, id, { type: 'work_made', note: work.join('\n') });
  },
  'request.alerted': (at, { id, breach }) => {
    addChange(at, id, { type: `sla_${breach}_breached` });
    const { origin, target } = partiesOf(at, id);
    notify(at, id, origin, `${breach}_overdue`);
    notify(at, id, target, `${breach}_overdue`);
  },
  'request.escalated': (at, { id }) => {
    update(at, id, 'priority = ?, escalated_at = ?', escalatedPriority, at.effect.time);
    addChange(at, id, { type: 'escalated' });
  },
  'request.reassigned': projectReassigned,
  'request.refused': (at, { id, act, why }) => {
    addChange(at, id, { type: 'refused', to: null, note: `${act}: ${why}` });
  },
  'request.noticeOffered': offerNotice,
  'request.noticeAcknowledged': acknowledgeNotice,
};

function workspaceOf({ state }: Projecting): string {
  return state.workspace?.id ?? '';
}

function projectResponsibility(at: Projecting, { id }: { readonly id: string }): void {
  const { db, state } = at;
  const workspace_id = workspaceOf(at);
  const known = state.responsibilities.get(id);
  if (!known) return;
  const { kind, name, registeredBy: registered_by, registeredAt: registered_at } = known;
  put(db, 'responsibilities', ['workspace_id', 'id'], { workspace_id, id, kind, name, registered_by, registered_at });
}

function projectCreated(at: Projecting, record: RecordOf<'request.created' | 'request.createdByHuman'>): void {
  const { db, state } = at;
  const workspace_id = workspaceOf(at);
  const { id, ask, origin, target } = record;
  const { time, actor, signed } = at.effect;
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
    free_payload_json: record.payload ?? null,
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
  addChange(at, id, { type: 'created', from: null });
  if (record.availableAt > time) return;
  update(at, id, `status = 'pending'`);
  addChange(at, id, { type: 'released', from: 'created' });
  notify(at, id, target, 'waiting');
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

function projectMove(at: Projecting, record: RecordOf<'request.moved' | 'request.movedByHuman'>): void {
  const { id, act } = record;
  const { to, by } = requestRules[act];
  const from = statusOf(at, id);
  const columns = Object.entries({ status: to, ...movedColumns(record, at.effect) });
  const byTarget = by === 'target';
  const counted = [
    ...(byTarget ? ['acknowledged_at = coalesce(acknowledged_at, ?)'] : []),
    ...(act === 'accept' ? ['attempts = attempts + 1'] : []),
  ];
  update(
    at,
    id,
    [...columns.map(([name]) => `${name} = ?`), ...counted].join(', '),
    ...columns.map(([, value]) => value),
    ...(byTarget ? [at.effect.time] : []),
  );
  const type = eventTypes[act];
  addChange(at, id, { type, from, to, note: moveNote(record) });
  remember(at, id);
  const { origin, target } = partiesOf(at, id);
  if (type === 'released' || type === 'resumed') notify(at, id, target, 'waiting');
  else notify(at, id, origin, type);
}

/** What memory keeps of an answer is posted behind it, in the same line. */
function remember({ db, following }: Projecting, request_id: string): void {
  for (const { record } of following())
    if (record.kind === 'event.posted' || record.kind === 'event.postedByHuman')
      put(db, 'request_decisions', ['request_id', 'event_id'], { request_id, event_id: record.id });
}

function projectReassigned(at: Projecting, { id, target }: RecordOf<'request.reassigned'>): void {
  const { time } = at.effect;
  const from = statusOf(at, id);
  const before = partiesOf(at, id);
  update(
    at,
    id,
    `target_responsibility_id = ?, status = 'pending', available_at = ?, accepted_at = NULL, accepted_by = NULL,
      acknowledged_at = NULL, responded_at = NULL`,
    target,
    time,
  );
  addChange(at, id, { type: 'reassigned', from, note: target });
  notify(at, id, before.origin, 'reassigned');
  notify(at, id, before.target, 'reassigned');
  notify(at, id, target, 'waiting');
}

function projectStep(
  at: Projecting,
  { id, step, note, requests }: RecordOf<'request.stepRecorded' | 'request.stepRecordedByHuman'>,
): void {
  addChange(at, id, { type: `step_${step}`, note: [note, ...requests].join('\n') });
}

function statusOf(at: Projecting, id: string): RequestStatus {
  const parameters = [workspaceOf(at), id];
  return at.db.value('SELECT status FROM requests WHERE workspace_id = ? AND id = ?', parameters) as RequestStatus;
}

function partiesOf(at: Projecting, id: string): { readonly origin: string; readonly target: string } {
  const column = (name: string) =>
    at.db.value(`SELECT ${name} FROM requests WHERE workspace_id = ? AND id = ?`, [workspaceOf(at), id]) as string;
  return { origin: column('origin_responsibility_id'), target: column('target_responsibility_id') };
}

function update(at: Projecting, id: string, assignments: string, ...values: (string | number | null)[]): void {
  at.db.run(`UPDATE requests SET ${assignments} WHERE workspace_id = ? AND id = ?`, [...values, workspaceOf(at), id]);
}

/** Columns that a transition changes besides the status; in one statement, because constraints span them. */
function movedColumns(
  record: RecordOf<'request.moved' | 'request.movedByHuman'>,
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

function moveNote({ note, until, relevance }: RecordOf<'request.moved' | 'request.movedByHuman'>): string | null {
  const parts = [relevance, until === undefined ? undefined : `until ${until}`, note].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? null : parts.join(': ');
}

interface Change {
  readonly type: string;
  /** Both default to the request's current status. */
  readonly from?: RequestStatus | null;
  readonly to?: RequestStatus | null;
  readonly note?: string | null;
}

/** Adds a row of `request_events`. */
function addChange(at: Projecting, id: string, { type, from, to, note = null }: Change): void {
  const { time, actor, signed } = at.effect;
  const now = statusOf(at, id);
  const by = signed ? signed.by : actor.kind === 'agent' ? 'ai' : actor.kind === 'human' ? actor.id : actor.kind;
  const agent = !signed && actor.kind === 'agent' ? actor.id : null;
  at.db.run(
    `INSERT INTO request_events (request_id, event_type, old_status, new_status, note, created_at, created_by, created_agent_id, workspace_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, type, from === undefined ? now : from, to === undefined ? now : to, note, time, by, agent, workspaceOf(at)],
  );
}
