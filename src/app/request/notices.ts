/**
 * Notices of requests, delivered like answers: offered until acknowledged. An outcome goes to the agents of the origin,
 * a request that waits to those of the target, and a missed agreed time to both. Only the last notice of a request is
 * used, and only while it still says how the request stands.
 */
import { guardrailProblem } from '../../core/request/request.ts';
import { requestsWaitingFor } from '../../core/request/due.ts';
import type { RequestNotice, RequestStatus } from '../../core/records/request.ts';
import type { Actor, RecordInput } from '../../core/records/records.ts';
import { deliveryOf } from '../../store/rows/deliveries.ts';
import { jsonList, requestRow } from '../../store/rows/read.ts';
import type { Store, View } from '../../store/store.ts';
import { registration, type AgentSession } from '../workspace/session.ts';
import { requestView, responsibilitiesOf, workspaceOf, type RequestView } from './views.ts';

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
