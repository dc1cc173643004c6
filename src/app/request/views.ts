/** Views of requests for lists, forms and mirrors: rows with payload, steps, work and history. */
import { AppError } from '../workspace/errors.ts';
import type { ItemOf } from '../../core/records/parts.ts';
import { payloadOf } from '../../core/kit/fields.ts';
import {
  type RequestAsk,
  openRequestStatus,
  type RequestStatus,
  type RequestNotice,
} from '../../core/records/request.ts';
import { actsFor, isHumans, slaDue, guardrailProblem } from '../../core/request/request.ts';
import { queuesOf, type BreachFact, type RequestFacts } from '../../core/dashboard/figures.ts';
import type { OpenRequest, Responsibility } from '../../core/state/items.ts';
import {
  deliveryOf,
  itemOf,
  jsonList,
  requestEventRows,
  type RequestFilter,
  requestRow,
  type RequestRow,
  requestRows,
} from '../../store/rows/read.ts';
import type { RequestEvents, Requests } from '../../store/rows/items.ts';
import type { View, Store } from '../../store/store.ts';
import { requestsWaitingFor } from '../../core/request/due.ts';
import type { Actor, RecordInput } from '../../core/records/records.ts';
import { registration, type AgentSession } from '../workspace/session.ts';

export interface RequestView extends ReturnType<typeof requestView> {}

export interface RequestDetails extends RequestView {
  readonly work: readonly string[];
  readonly events: readonly Omit<RequestEvents, 'request_id' | 'workspace_id'>[];
}

/** Requests before the target, requests of the origin, claimable requests, or all. */
export type Box = 'inbox' | 'outbox' | 'claimable' | 'all';

export interface RequestQuery extends Pick<RequestFilter, 'statuses' | 'type' | 'agent' | 'work'> {
  readonly box: Box;
  /** The responsibilities; ignored for `all`. */
  readonly of: readonly string[];
  readonly skip?: number | undefined;
  readonly limit: number;
}

export function workspaceOf({ state }: Pick<View, 'state'>): string {
  return state.workspace?.id ?? '';
}

/** Null for an unknown id in this workspace. */
export function requestDetails(view: View, id: string): RequestDetails | null {
  const workspace = workspaceOf(view);
  const row = requestRow(view.rows, workspace, id);
  if (!row) return null;
  const events = requestEventRows(view.rows, workspace, id);
  return {
    ...requestView(view, row),
    work: itemOf(view.rows, 'request', id)?.work ?? [],
    events: events.map(({ request_id: _, workspace_id: __, ...event }) => event),
  };
}

export function requireRequest(view: View, id: string): RequestDetails {
  const request = requestDetails(view, id);
  if (!request) throw new AppError('not_found', `there is no request ${id}`);
  return request;
}

export function listRequests(
  view: View,
  { box, of, statuses, type, agent, work, skip = 0, limit }: RequestQuery,
): { readonly requests: readonly RequestView[]; readonly total: number } {
  const whose = box === 'outbox' ? { origins: of } : box === 'all' ? {} : { targets: of };
  const when = box === 'claimable' ? { statuses: ['pending'] as const, availableBy: view.now } : { statuses };
  const filter = { ...whose, ...when, type, agent, work };
  const { found, total } = requestRows(view.rows, workspaceOf(view), filter, { limit, skip });
  return { requests: found.map((row) => requestView(view, row)), total };
}

export function listResponsibilities(view: Pick<View, 'state'>): ResponsibilityView[] {
  return [...view.state.responsibilities.values()].map((one) => responsibilityView(view, one));
}

export interface ResponsibilityView extends ReturnType<typeof responsibilityView> {}

export function responsibilityView(
  view: Pick<View, 'state'>,
  { id, kind, name, agents, registeredBy, registeredAt }: Responsibility,
) {
  const who = { registered_by: registeredBy, registered_at: registeredAt };
  return { id, kind, name, agents, workspace_id: workspaceOf(view), ...who };
}

/** Ids of responsibilities that an agent acts for. */
export function responsibilitiesOf({ state }: Pick<View, 'state'>, agent: string): string[] {
  return [...state.responsibilities.values()]
    .filter((one) => actsFor({ kind: 'agent', id: agent, signed: false }, one))
    .map(({ id }) => id);
}

/** Ids of responsibilities that respond through a form: humans, and stewards without agents. */
export function humanResponsibilities({ state }: Pick<View, 'state'>): string[] {
  return [...state.responsibilities.values()].filter(isHumans).map(({ id }) => id);
}

/** Ids of stewards with agents; a human can respond for them, too. */
export function assistedStewards({ state }: Pick<View, 'state'>): string[] {
  const stewards = [...state.responsibilities.values()].filter(({ kind }) => kind === 'steward');
  return stewards.filter((one) => !isHumans(one)).map(({ id }) => id);
}

/** How one responsibility keeps up with its requests: the figures of the dashboard, in seconds. */
export interface Queue extends ItemOf<ReturnType<typeof queueFigures>> {}

/** Longest queue first. */
export function queueFigures(view: View) {
  const seconds = (ms: number | null) => (ms === null ? null : ms / 1_000);
  return queuesOf(requestFacts(view)).map(({ target, depth, breaches, response, completion }) => ({
    target_responsibility_id: target,
    depth,
    /** Averages; null without data. */
    response_seconds: seconds(response.mean_ms),
    completion_seconds: seconds(completion.mean_ms),
    breaches,
  }));
}

export function requestView({ state, now }: View, { payload_json, free_payload_json, number: _, ...row }: RequestRow) {
  const open: OpenRequest | undefined = openRequestStatus.safeParse(row.status).success
    ? state.requests.get(row.id)
    : undefined;
  const due = open ? (slaDue(open)?.at ?? null) : null;
  return {
    ...row,
    /** The fields of the request's type. */
    payload: JSON.parse(payload_json) as RequestAsk['payload'],
    /** Free data of an integration. */
    payload_json: payloadOf(free_payload_json),
    /** A steward's completed steps for an accepted ingestion. */
    steps: open?.steps ?? [],
    /** Deadline for responding or completing; null if none applies to its status. */
    sla_due_at: due,
    /** The deadline has passed. */
    overdue: due !== null && due < now,
  };
}

/** A change of one request; the note of a reassignment is the new target. */
interface Change {
  readonly type: string;
  readonly at: string;
  readonly note: string | null;
}

const becamePending = ['released', 'resumed', 'reassigned'];
const breaches = ['sla_response_breached', 'sla_completion_breached'] as const;

/** All requests of this workspace, with their breaches of agreed times. */
export function requestFacts(view: View): RequestFacts[] {
  const { rows, state } = view;
  const workspace = state.workspace?.id ?? '';
  const changes = changesByRequest(view, workspace);
  const first = firstTargets(view, workspace);
  return rows.all<Requests>('SELECT * FROM requests WHERE workspace_id = ?', workspace).map((request) => {
    const own = changes.get(request.id) ?? [];
    const { target_responsibility_id: target, created_at, accepted_at, processed_at, closed_at } = request;
    return {
      ...{ target, status: request.status, created_at, accepted_at, processed_at, closed_at },
      available_at: availableAt(request, own),
      responded_at: request.responded_at,
      breaches: breachesIn(own, first.get(request.id) ?? target),
    };
  });
}

function changesByRequest({ rows }: View, workspace: string): Map<string, Change[]> {
  const found = new Map<string, Change[]>();
  const all = rows.all<RequestEvents>(
    `SELECT * FROM request_events WHERE workspace_id = ? AND event_type IN (SELECT value FROM json_each(?)) ORDER BY id`,
    workspace,
    jsonList([...becamePending, ...breaches]),
  );
  for (const { request_id, event_type: type, created_at: at, note } of all) {
    const known = found.get(request_id);
    if (known) known.push({ type, at, note });
    else found.set(request_id, [{ type, at, note }]);
  }
  return found;
}

/** The first target of each reassigned request: a reassignment notifies the origin and the former target. */
function firstTargets({ rows }: View, workspace: string): Map<string, string> {
  const notices = rows.all<{ id: string; responsibility: string }>(
    `SELECT request_id AS id, responsibility_id AS responsibility FROM request_notices JOIN requests ON requests.id = request_id
      WHERE workspace_id = ? AND request_notices.type = 'reassigned' AND responsibility_id <> origin_responsibility_id
      ORDER BY request_notices.number DESC`,
    workspace,
  );
  return new Map(notices.map(({ id, responsibility }) => [id, responsibility]));
}

/** Deferring a request sets its pending time to a later one than that of the response, which was to the earlier one. */
function availableAt(
  { available_at, responded_at }: { readonly available_at: string; readonly responded_at: string | null },
  changes: readonly Change[],
): string {
  if (responded_at === null || available_at <= responded_at) return available_at;
  return changes.findLast(({ type, at }) => becamePending.includes(type) && at <= responded_at)?.at ?? responded_at;
}

function breachesIn(changes: readonly Change[], first: string): BreachFact[] {
  let target = first;
  return changes.flatMap(({ type, at, note }) => {
    if (type === 'reassigned') target = note ?? target;
    const breach = breaches.find((one) => one === type);
    return breach ? [{ of: breach === 'sla_response_breached' ? 'response' : 'completion', at, target }] : [];
  });
}

// Notices of requests, delivered like answers: offered until acknowledged. An outcome goes to the agents of the origin,
// a request that waits to those of the target, and a missed agreed time to both. Only the last notice of a request is
// used, and only while it still says how the request stands.

export interface NoticedRequest extends RequestView {
  readonly notice: {
    readonly number: number;
    readonly type: RequestNotice;
    /** The party it goes to. */
    readonly to: 'origin' | 'target' | 'former target';
    readonly at: string;
  };
}

/** The status a request has while a notice of it says how it stands; it always does after a reassignment. */
const statusOf: Readonly<Record<Exclude<RequestNotice, 'reassigned'>, RequestStatus>> = {
  waiting: 'pending',
  accepted: 'accepted',
  deferred: 'deferred',
  rejected: 'rejected',
  cancelled: 'cancelled',
  expired: 'expired',
  completed: 'completed',
  response_overdue: 'pending',
  completion_overdue: 'accepted',
};

/** How many a result hands over; the next ones come with the next result. */
const atMost = 50;

/** What this agent has not acknowledged, oldest first. */
export function undeliveredNotices(view: View, agent: string): NoticedRequest[] {
  return unacknowledgedNotices(view, agent).flatMap(({ id, number, type, at, responsibility }) => {
    const row = requestRow(view.rows, workspaceOf(view), id);
    if (!row) return [];
    const to =
      row.origin_responsibility_id === responsibility
        ? 'origin'
        : row.target_responsibility_id === responsibility
          ? 'target'
          : 'former target';
    return [{ ...requestView(view, row), notice: { number, type, to, at } }];
  });
}

interface Notice {
  readonly id: string;
  readonly number: number;
  readonly type: RequestNotice;
  readonly at: string;
  readonly responsibility: string;
  readonly by: string | null;
  readonly status: RequestStatus;
}

/** The notices as rows, each with its delivery to this agent. */
export function unacknowledgedNotices(view: View, agent: string) {
  const { rows } = view;
  const mine = responsibilitiesOf(view, agent);
  if (mine.length === 0) return [];
  // The last one of each request and party.
  const found = rows.all<Notice>(
    `SELECT notice.request_id AS id, max(notice.number) AS number, notice.type, notice.created_at AS at,
        notice.responsibility_id AS responsibility, notice.created_agent_id AS by, items.status
      FROM request_notices AS notice JOIN items ON items.kind = 'request' AND items.id = notice.request_id
      WHERE notice.responsibility_id IN (SELECT value FROM json_each(?))
      GROUP BY notice.request_id, notice.responsibility_id
      ORDER BY notice.created_at, items.number, notice.number`,
    jsonList(mine),
  );
  return found
    .filter(({ by, type, status }) => by !== agent && (type === 'reassigned' || statusOf[type] === status))
    .map((one) => ({ ...one, delivery: deliveryOf(rows, 'notice', one.id, { number: one.number, agent }) }))
    .filter(({ delivery }) => delivery?.acknowledged_at == null)
    .slice(0, atMost);
}

/** The first of the requests that an agent can answer now, and how many there are. */
export interface WaitingRequests {
  readonly requests: readonly RequestView[];
  readonly total: number;
}

export function waitingRequests(view: View, agent: string, limit: number): WaitingRequests {
  const waiting = requestsWaitingFor(view.state, agent);
  const rows = waiting.slice(0, limit).flatMap(({ id }) => requestRow(view.rows, workspaceOf(view), id) ?? []);
  return { requests: rows.map((row) => requestView(view, row)), total: waiting.length };
}

/** A human or an agent of the target has read these: from then on they are treated as acknowledged. Says nothing of an answer. */
export async function noteTouched(
  store: Store,
  by: AgentSession | { readonly actor: Actor & { readonly kind: 'human' } },
  ids: readonly string[],
): Promise<void> {
  if (store.problem || store.readOnly || ids.length === 0) return;
  await store.transact(by.actor, (view) => {
    const { state, rows } = view;
    const fresh = ids.filter(
      (id) =>
        guardrailProblem(state, id, 'acknowledge', { ...by.actor, signed: false }) === null &&
        requestRow(rows, workspaceOf(view), id)?.acknowledged_at === null,
    );
    const records = fresh.map((id): RecordInput => ({ kind: 'request.acknowledged', v: 1, id }));
    const who = 'host' in by && records.length > 0 ? registration(state, by) : [];
    return { records: [...who, ...records], result: null };
  });
}
