/**
 * Notices of requests, delivered like answers: offered until acknowledged. An outcome goes to the agents of the origin, a
 * request that waits to those of the target, and a missed agreed time to both. Only the last notice of a request counts,
 * and only while it still says how the request stands.
 */
import { guardrailProblem } from '../../core/request/request.ts';
import { requestsWaitingFor } from '../../core/request/waiting.ts';
import type { RequestNotice, RequestStatus } from '../../core/records/requestWords.ts';
import type { RecordInput } from '../../core/records/records.ts';
import type { Store, View } from '../../store/store.ts';
import { requestRow } from '../../store/rows/requestRows.ts';
import { registration } from '../workspace/session.ts';
import type { AgentSession, Offering } from '../workspace/session.ts';
import { requestView, responsibilitiesOf, workspaceOf } from './views.ts';
import type { RequestView } from './views.ts';

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
  return unacknowledged(view, agent).flatMap(({ id, number, type, at, responsibility }) => {
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

/** The same as rows, each with the session that it was last offered to. */
function unacknowledged(view: View, agent: string) {
  const { rows } = view;
  const mine = responsibilitiesOf(view, agent);
  if (mine.length === 0) return [];
  const found = rows.all(
    rows.query
      .selectFrom('request_notices as notice')
      .innerJoin('requests', 'requests.id', 'notice.request_id')
      .leftJoin('request_notice_deliveries as delivery', (join) =>
        join
          .onRef('delivery.workspace_id', '=', 'notice.workspace_id')
          .onRef('delivery.request_id', '=', 'notice.request_id')
          .onRef('delivery.notice', '=', 'notice.number')
          .on('delivery.agent_id', '=', agent),
      )
      .select([
        'notice.request_id as id',
        'notice.number',
        'notice.type',
        'notice.created_at as at',
        'notice.responsibility_id as responsibility',
        'requests.status',
        'delivery.session',
      ])
      .where('notice.workspace_id', '=', workspaceOf(view))
      .where('notice.responsibility_id', 'in', mine)
      .where('delivery.acknowledged_at', 'is', null)
      .where((eb) => eb.or([eb('notice.created_agent_id', 'is', null), eb('notice.created_agent_id', '<>', agent)]))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('request_notices as later')
              .select('later.number')
              .whereRef('later.workspace_id', '=', 'notice.workspace_id')
              .whereRef('later.responsibility_id', '=', 'notice.responsibility_id')
              .whereRef('later.request_id', '=', 'notice.request_id')
              .whereRef('later.number', '>', 'notice.number'),
          ),
        ),
      )
      .orderBy('notice.created_at')
      .orderBy('requests.number')
      .orderBy('notice.number'),
  );
  const current = found.filter(({ type, status }) => type === 'reassigned' || statusOf[type] === status);
  return current.slice(0, atMost);
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

/** What this session was offered before and has by now. */
export function offeredNotices(view: View, agent: string, session: string): RecordInput[] {
  if (view.state.requests.size + view.state.settledRequests.size === 0) return [];
  const rows = view.rows.all(
    view.rows.query
      .selectFrom('request_notice_deliveries')
      .select(['request_id', 'notice'])
      .where('workspace_id', '=', workspaceOf(view))
      .where('agent_id', '=', agent)
      .where('session', '=', session)
      .where('acknowledged_at', 'is', null),
  );
  return rows.map(({ request_id, notice }) => ({
    kind: 'request.noticeAcknowledged',
    v: 1,
    id: request_id,
    notice,
    agent,
  }));
}

/** Records that the notices of these requests are handed over now. */
export function offeringNotices(view: View, { agent, session, ids, acknowledged }: Offering): RecordInput[] {
  const fresh = unacknowledged(view, agent).filter(
    (notice) => ids.includes(notice.id) && (acknowledged || notice.session !== session),
  );
  if (fresh.length === 0) return [];
  const kind = acknowledged ? 'request.noticeAcknowledged' : 'request.noticeOffered';
  return fresh.map(({ id, number }) => ({ kind, v: 1, id, notice: number, agent }));
}

/** An agent of the target has read these: from then on they count as acknowledged. Says nothing of an answer. */
export async function noteTouched(store: Store, session: AgentSession, ids: readonly string[]): Promise<void> {
  if (store.problem || store.readOnly || ids.length === 0) return;
  await store.transact(session.actor, (view) => {
    const { state, rows } = view;
    const fresh = ids.filter(
      (id) =>
        guardrailProblem(state, id, 'acknowledge', { ...session.actor, signed: false }) === null &&
        requestRow(rows, workspaceOf(view), id)?.acknowledged_at === null,
    );
    const records = fresh.map((id): RecordInput => ({ kind: 'request.acknowledged', v: 1, id }));
    return { records: records.length === 0 ? [] : [...registration(state, session), ...records], result: null };
  });
}
