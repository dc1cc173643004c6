/**
 * The projector: writes a counted line's changes into the index. It writes items as the fold left them, so that live
 * writes, replay and snapshot plus replay give the same rows. It decides nothing.
 */
import { directlyHeld } from '../../core/hold/holds.ts';
import { subjectOf } from '../../core/records/decision.ts';
import type { Admitted, JournalRecord, RecordKind, RecordOf } from '../../core/records/records.ts';
import { effectOf } from '../../core/state/answerEffect.ts';
import { withParts } from '../../core/work/fold.ts';
import { isStop, raisedOf, type State } from '../../core/state/state.ts';
import { deliverAgain, projectDelivery, recordsOf, wholeInItems } from './read.ts';
import { eventProjections, mention, namedEvents, closeEvent, newEvent } from './events.ts';
import type { ChangedItems, ImportedItem, Items, Projecting, Projections } from './items.ts';
import type { Database } from './sqlite.ts';
import type { ImportedEvent, ImportedRow, ImportRecord } from '../../core/records/import.ts';
import { firstLine } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/limits.ts';
import { escalatedPriority, type RequestNotice, type RequestStatus } from '../../core/records/request.ts';
import { isSettled, requestRules } from '../../core/request/request.ts';

// Requests as their records leave them, and one row of `request_events` per change. The state has only the headers of
// open ones.

type Request = Items['request'];
type Kind = Extract<RecordKind, `request.${string}` | `responsibility.${string}`>;

const requestProjections: Projections<Kind> = {
  'request.created': projectCreated,
  'request.createdByHuman': projectCreated,
  'request.moved': projectMoved,
  'request.movedByHuman': projectMoved,
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
  'request.reassigned': projectReassigned,
  'request.refused': (at, { id, act, why }) => {
    addEvent(at, id, { type: 'refused', to: null, note: `${act}: ${why}` });
  },
};

function projectCreated(at: Projecting, record: RecordOf<'request.created' | 'request.createdByHuman'>): void {
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

function projectMoved(at: Projecting, record: RecordOf<'request.moved' | 'request.movedByHuman'>): void {
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

function projectReassigned(at: Projecting, { id, target }: RecordOf<'request.reassigned'>): void {
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

// Imported rows: they become items when their batch ends.

const importProjections: Projections<ImportRecord['kind']> = {
  'import.abandoned': ({ db }, { batch }) => {
    dropRows(db, batch);
  },
  'import.ended': projectImportEnd,
};

/** What an export has of batches that never ended. */
function dropRows(db: Database, batch: string): void {
  db.run(`DELETE FROM records WHERE subject = ? AND kind = 'import.rows'`, batch);
}

/** The batch's other records follow it in the line, in the order of its rows. */
function projectImportEnd(
  { db, items, effect: { time }, following }: Projecting,
  record: RecordOf<'import.ended'>,
): void {
  const { batch } = record;
  const rows = recordsOf(db.rows, batch, 'import.rows').flatMap((part) => part.record.rows);
  const base = Number(record.firstEvent.slice(2)) - 1;
  const idOf = (place: number | string) => (typeof place === 'number' ? `E-${String(base + place)}` : place);
  const events = rows.filter((row) => row.row === 'event');
  for (const [index, event] of events.entries())
    items.put('event', idOf(index + 1), {
      ...newEvent(base + index + 1),
      ...{ type: event.type, priority: event.priority, text: event.text, scopes: event.scopes, author: event.author },
      ...{ author_kind: 'agent', posted_at: event.at, imported: true, mentioned_at: time },
      related: event.related.map(idOf),
    });
  // After all are there, because they refer to each other.
  for (const [index, event] of events.entries()) close(event, idOf(index + 1));

  function close({ closed }: ImportedEvent, id: string): void {
    if (!closed) return;
    const by = closed.how === 'superseded' ? idOf(closed.successor) : null;
    const { how, reason = null, at } = closed;
    closeEvent(items, id, { how, reason, by, at, closedBy: closed.by });
  }

  const begun = recordsOf(db.rows, batch, 'import.begun')[0];
  if (!begun) return;
  const from = { from: begun.record.from, source: begun.record.source };
  const ids = following().flatMap(({ record: act }) => (firsts.has(act.kind) && 'id' in act ? [act.id] : []));
  let number =
    db.rows.all<{ last: number | null }>(`SELECT max(number) AS last FROM items WHERE kind = 'history'`)[0]?.last ?? 0;
  // Those of an earlier batch may not be written yet.
  while (items.get('history', `H-${String(number + 1)}`)) number++;
  let [event, live] = [0, 0];
  for (const row of rows) {
    const id = `H-${String(++number)}`;
    items.put('history', id, {
      ...{ id, ...from, ...itemOf(row), imported_at: time, imported_by: begun.actor, became: becameOf(row) },
      ...{ key: row.key, ref: row.ref, happened_at: row.at },
    });
  }
  function becameOf(row: ImportedRow): string | null {
    if (row.row === 'history') return null;
    if (row.row === 'event') return idOf(++event);
    return row.row === 'again' ? row.question : (ids[live++] ?? null);
  }
  dropRows(db, batch);
}

/** Record kinds that create an item: each live row of a batch has exactly one, unless the item exists already. */
const firsts: ReadonlySet<string> = new Set(['work.registered', 'question.raised', 'rfc.proposed']);

type Described = Pick<ImportedItem, 'kind' | 'title' | 'status' | 'agent' | 'work' | 'data'> &
  Partial<Pick<ImportedItem, 'from' | 'source'>>;

function itemOf(row: ImportedRow): Described {
  const common = { work: null, data: null };
  switch (row.row) {
    case 'history': {
      const { of: kind, title, status, agent, work, data, origin } = row;
      return { kind, title, status, agent, work, data, ...origin };
    }
    case 'event':
      return {
        ...{ ...common, kind: 'event', title: firstLine(row.text), agent: row.author },
        status: row.closed?.how ?? 'active',
      };
    case 'again':
      return { ...common, kind: 'question', title: row.title, status: 'open', agent: row.by, data: row.data };
    default: {
      const of = row.row === 'question' ? row.raised['text'] : row.row === 'work' ? row.registered['title'] : row.ref;
      const title = typeof of === 'string' ? firstLine(of, limits.title) : row.ref;
      return { ...common, kind: row.row, title, status: 'open', agent: row.by };
    }
  }
}

const projections: Projections<RecordKind> = {
  ...eventProjections,
  ...requestProjections,
  ...importProjections,
  'question.raised': ({ items, effect: { time } }, { text, background, context }) => {
    mention(items, namedEvents(text, background, context), time);
  },
  'rfc.proposed': ({ items, effect: { time } }, { contexts }) => {
    mention(items, idsOf(contexts), time);
  },
  'rfc.widened': ({ items, effect: { time } }, { addContexts }) => {
    mention(items, idsOf(addContexts), time);
  },
  // Lifting a refusal is an outcome of its own, also delivered to agents that already received the refusal.
  'refusal.lifted': ({ db }, { id }) => {
    deliverAgain(db, id);
  },
  // Work that a human stopped is cancelled.
  'question.answered': (at, { id }) => {
    const question = at.state.questions.get(id);
    if (question && isStop(question)) putAllOf(at, directlyHeld(at.state, question));
  },
  'rfc.rejected': (at, { id, then }) => {
    const rfc = at.state.rfcs.get(id);
    if (rfc && then === 'stop') putAllOf(at, directlyHeld(at.state, rfc));
  },
  'work.deleted': (at, { id }) => {
    putAllOf(at, [id]);
  },
};

const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id);

export function project(db: Database, items: ChangedItems, state: State, admitted: readonly Admitted[]): void {
  for (const [place, effect] of admitted.entries()) {
    putRecord(db, effect, place);
    if (effect.kept) continue;
    const { record } = effect;
    const at = { db, items, state, effect, following: () => admitted.slice(place + 1) };
    putItems(at, record);
    projectDelivery(db, effect);
    // The table's type relates each kind to its projection; indexing by a union loses that.
    const change = projections[record.kind] as ((at: Projecting, record: JournalRecord) => void) | undefined;
    change?.(at, record);
  }
}

function putRecord(db: Database, { record, at, time, actor, signed, kept }: Admitted, place: number): void {
  const { kind, v: _, envelope: __, ...content } = record as JournalRecord & { readonly envelope?: unknown };
  const by = signed ? [signed.by, 'human'] : [actor.id, actor.kind];
  const signature = signed ? [signed.keyid, signed.nonce, signed.passkey ? 1 : 0] : [null, null, 0];
  db.run(
    'INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[at, place, time, ...by, kind, subjectIn(record), ...signature, kept ? 1 : 0],
    (wholeInItems as readonly string[]).includes(kind) ? null : JSON.stringify(content),
  );
}

function subjectIn(record: JournalRecord): string | null {
  if ('envelope' in record) return subjectOf(record);
  return 'id' in record ? record.id : 'batch' in record ? record.batch : null;
}

function putItems(at: Projecting, record: JournalRecord): void {
  const id = subjectIn(record) ?? '';
  if (record.kind === 'work.registered' || record.kind === 'work.updated') {
    putWork(at, id);
    return;
  }
  putQuestion(at, id);
  putRfc(at, id);
  // A question of an RFC changes the RFC.
  if (record.kind === 'question.raised') putRfc(at, record.rfc?.id ?? '');
}

function putQuestion({ items, state, effect: { record } }: Projecting, id: string): void {
  const question = id.startsWith('Q-') ? state.questions.get(id) : undefined;
  if (!question) return;
  const asked = record.kind === 'question.raised' ? record : items.get('question', id)?.raised;
  const raised = question.raised ?? asked ?? raisedOf(state, question);
  items.put('question', id, { ...question, raised, line: null, effect: effectOf(question) });
}

function putRfc({ items, state }: Projecting, id: string): void {
  const rfc = id.startsWith('RFC-') ? state.rfcs.get(id) : undefined;
  if (rfc) items.put('rfc', id, rfc);
}

function putWork({ db, items, state }: Projecting, id: string): void {
  const item = state.work.get(id);
  if (!item) return;
  const before = items.get('work', id);
  items.put('work', id, item);
  // Outcomes go to the owner of the work.
  if (before?.assignee !== item.assignee)
    for (const { question } of db.rows.all<{ question: string }>(
      `SELECT id AS question FROM items WHERE kind = 'question' AND work = ?`,
      id,
    ))
      items.touch(question);
}

function putAllOf(at: Projecting, named: readonly string[]): void {
  for (const id of withParts(at.state, named)) putWork(at, id);
}
