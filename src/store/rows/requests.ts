/**
 * Requests as their records leave them, and one row of `request_events` per change. The state has only the headers of
 * open ones.
 */
import type { RequestDecision, RequestRecord } from '../../core/records/request.ts';
import { escalatedPriority, type RequestNotice, type RequestStatus } from '../../core/records/requestWords.ts';
import { isSettled, requestRules } from '../../core/request/request.ts';
import type { RecordOf } from '../../core/records/records.ts';
import type { Items } from './items.ts';
import type { Projecting, Projections } from './projection.ts';

type Request = Items['request'];
type Kind = (RequestRecord | RequestDecision)['kind'];

export const requestProjections: Projections<Kind> = {
  'request.created': created,
  'request.createdByHuman': created,
  'request.moved': moved,
  'request.movedByHuman': moved,
  'request.stepRecorded': stepRecorded,
  'request.stepRecordedByHuman': stepRecorded,
  'request.acknowledged': (at, { id }) => {
    change(at, id, ({ acknowledged_at }) => ({ acknowledged_at: acknowledged_at ?? at.effect.time }));
    addEvent(at, id, { type: 'acknowledged' });
  },
  'request.attemptFailed': (at, { id, error }) => {
    change(at, id, ({ attempts }) => ({ attempts: attempts + 1, last_error: error }));
    addEvent(at, id, { type: 'attempt_failed', note: error });
  },
  'request.workMade': (at, { id, work }) => {
    change(at, id, (request) => ({ work: [...new Set([...request.work, ...work])].sort() }));
    addEvent(at, id, { type: 'work_made', note: work.join('\n') });
  },
  'request.alerted': (at, { id, breach }) => {
    addEvent(at, id, { type: `sla_${breach}_breached` });
    const { origin, target } = partiesOf(at, id);
    notify(at, id, origin, `${breach}_overdue`);
    notify(at, id, target, `${breach}_overdue`);
  },
  'request.escalated': (at, { id }) => {
    change(at, id, () => ({ priority: escalatedPriority, escalated_at: at.effect.time }));
    addEvent(at, id, { type: 'escalated' });
  },
  'request.reassigned': reassigned,
  'request.refused': (at, { id, act, why }) => {
    addEvent(at, id, { type: 'refused', to: null, note: `${act}: ${why}` });
  },
};

function created(at: Projecting, record: RecordOf<'request.created' | 'request.createdByHuman'>): void {
  const { id, ask, origin, target } = record;
  const { time, actor, signed } = at.effect;
  const byAutomation = at.state.responsibilities.get(origin)?.kind === 'automation';
  const isAvailable = record.availableAt <= time;
  at.items.put('request', id, {
    id,
    number: Number(id.slice(2)),
    type: ask.type,
    origin_responsibility_id: origin,
    target_responsibility_id: target,
    origin_mandate_id: record.mandate ?? null,
    subject: record.subject,
    summary: record.summary,
    body_md_path: record.bodyPath ?? null,
    payload_json: JSON.stringify(ask.payload),
    free_payload_json: record.payload ?? null,
    workspace_id: workspaceOf(at),
    status: isAvailable ? 'pending' : 'created',
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
    accepted_at: null,
    accepted_by: null,
    responded_at: null,
    response: null,
    note: null,
    escalated_at: null,
    work: [],
    remembered: [],
  });
  addEvent(at, id, { type: 'created', from: null, to: 'created' });
  if (!isAvailable) return;
  addEvent(at, id, { type: 'released', from: 'created' });
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

function moved(at: Projecting, record: RecordOf<'request.moved' | 'request.movedByHuman'>): void {
  const { id, act } = record;
  const { to } = requestRules[act];
  const from = at.items.get('request', id)?.status ?? null;
  change(at, id, (request) => movedColumns(at, request, record));
  const type = eventTypes[act];
  addEvent(at, id, { type, from, to, note: moveNote(record) });
  const { origin, target } = partiesOf(at, id);
  if (type === 'released' || type === 'resumed') notify(at, id, target, 'waiting');
  else notify(at, id, origin, type);
}

function movedColumns(
  { effect: { time, actor, signed }, following }: Projecting,
  request: Request,
  { act, note, until, relevance }: RecordOf<'request.moved' | 'request.movedByHuman'>,
): Partial<Request> {
  const { to, by } = requestRules[act];
  const status = to ?? request.status;
  // What memory keeps of an answer is posted behind it, in the same line.
  const posted = following().flatMap(({ record }) =>
    record.kind === 'event.posted' || record.kind === 'event.postedByHuman' ? [record.id] : [],
  );
  const said = {
    status,
    remembered: [...new Set([...request.remembered, ...posted])],
    ...(note === undefined ? {} : { note }),
    ...(relevance === undefined ? {} : { response: relevance }),
    ...(isSettled(status) ? { closed_at: time } : {}),
  };
  if (by !== 'target') return said;
  const touched = { ...said, acknowledged_at: request.acknowledged_at ?? time };
  if (act === 'complete') return { ...touched, processed_at: time };
  const responded = { ...touched, responded_at: time };
  if (act !== 'accept') return { ...responded, ...(until === undefined ? {} : { available_at: until }) };
  return { ...responded, accepted_at: time, accepted_by: signed?.by ?? actor.id, attempts: request.attempts + 1 };
}

function moveNote({ note, until, relevance }: RecordOf<'request.moved' | 'request.movedByHuman'>): string | null {
  const parts = [relevance, until === undefined ? undefined : `until ${until}`, note].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? null : parts.join(': ');
}

function reassigned(at: Projecting, { id, target }: RecordOf<'request.reassigned'>): void {
  const from = at.items.get('request', id)?.status ?? null;
  const before = partiesOf(at, id);
  change(at, id, () => ({
    ...{ target_responsibility_id: target, status: 'pending', available_at: at.effect.time },
    ...{ accepted_at: null, accepted_by: null, acknowledged_at: null, responded_at: null },
  }));
  addEvent(at, id, { type: 'reassigned', from, note: target });
  notify(at, id, before.origin, 'reassigned');
  notify(at, id, before.target, 'reassigned');
  notify(at, id, target, 'waiting');
}

function stepRecorded(
  at: Projecting,
  { id, step, note, requests }: RecordOf<'request.stepRecorded' | 'request.stepRecordedByHuman'>,
): void {
  addEvent(at, id, { type: `step_${step}`, note: [note, ...requests].join('\n') });
}

function workspaceOf({ state }: Projecting): string {
  return state.workspace?.id ?? '';
}

function partiesOf({ items }: Projecting, id: string): { readonly origin: string; readonly target: string } {
  const request = items.get('request', id);
  return { origin: request?.origin_responsibility_id ?? '', target: request?.target_responsibility_id ?? '' };
}

function change({ items }: Projecting, id: string, to: (request: Request) => Partial<Request>): void {
  const request = items.get('request', id);
  if (request) items.put('request', id, { ...request, ...to(request) });
}

interface Change {
  readonly type: string;
  /** Both default to the request's current status. */
  readonly from?: RequestStatus | null;
  readonly to?: RequestStatus | null;
  readonly note?: string | null;
}

/** Adds a row of `request_events`. */
function addEvent(at: Projecting, id: string, { type, from, to, note = null }: Change): void {
  const { time, actor, signed } = at.effect;
  const now = at.items.get('request', id)?.status ?? null;
  const by = signed ? signed.by : actor.kind === 'agent' ? 'ai' : actor.kind === 'human' ? actor.id : actor.kind;
  const agent = !signed && actor.kind === 'agent' ? actor.id : null;
  at.db.run(
    'INSERT INTO request_events VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[id, type, from === undefined ? now : from, to === undefined ? now : to, note, time, by, agent, workspaceOf(at)],
  );
}

/** What the agents of a request's parties are notified of; the last notice says how it stands. */
function notify(at: Projecting, id: string, responsibility: string, type: RequestNotice): void {
  const { actor, signed, time } = at.effect;
  // The agent that did it needs no notice of it.
  const agent = !signed && actor.kind === 'agent' ? actor.id : null;
  at.db.run(
    `INSERT INTO request_notices SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM request_notices WHERE request_id = ?`,
    ...[id, responsibility, type, time, agent, id],
  );
}
