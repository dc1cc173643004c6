/** Reads requests back. Every query filters by workspace. */
import type { RequestStatus, RequestType } from '../../core/records/requestWords.ts';
import type { RequestEvents, Requests } from './requestTables.ts';
import type { Rows } from './sqlite.ts';

interface Claimable {
  /** The responsibility whose inbox it is. */
  readonly target: string;
  readonly now: string;
  readonly limit: number;
}

/** Requests that their targets may claim, best first. */
export function claimableRows(
  rows: Rows,
  workspace: string,
  { target, now, limit }: Claimable,
  filter: Pick<RequestFilter, 'type' | 'agent' | 'work'> = {},
): Requests[] {
  return rows.all(
    matchingRows(rows, workspace, { ...filter, targets: [target], statuses: ['pending'] })
      .selectAll()
      .where('available_at', '<=', now)
      .orderBy('priority', 'asc')
      .orderBy('created_at', 'asc')
      .orderBy('number', 'asc')
      .limit(limit),
  );
}

export interface RequestFilter {
  readonly targets?: readonly string[] | undefined;
  readonly origins?: readonly string[] | undefined;
  readonly statuses?: readonly RequestStatus[] | undefined;
  readonly type?: RequestType | undefined;
  /** The agent that created it. */
  readonly agent?: string | undefined;
  /** A work item that was made for it. */
  readonly work?: string | undefined;
}

function matchingRows(rows: Rows, workspace: string, { targets, origins, statuses, type, agent, work }: RequestFilter) {
  let matching = rows.query.selectFrom('requests').where('workspace_id', '=', workspace);
  if (targets) matching = matching.where('target_responsibility_id', 'in', [...targets]);
  if (origins) matching = matching.where('origin_responsibility_id', 'in', [...origins]);
  if (statuses) matching = matching.where('status', 'in', [...statuses]);
  if (type !== undefined) matching = matching.where('type', '=', type);
  if (agent !== undefined) matching = matching.where('author_agent_id', '=', agent);
  if (work === undefined) return matching;
  return matching.where('id', 'in', (eb) =>
    eb
      .selectFrom('request_work')
      .select('request_id')
      .where('work_id', '=', work)
      .where('workspace_id', '=', workspace),
  );
}

/** Open ones by priority, then oldest first; then settled ones, latest first. */
export function requestRows(
  rows: Rows,
  workspace: string,
  filter: RequestFilter,
  { limit, skip = 0 }: { readonly limit: number; readonly skip?: number | undefined },
): { readonly found: Requests[]; readonly total: number } {
  const matching = matchingRows(rows, workspace, filter);
  const counted = rows.first(matching.select((eb) => eb.fn.countAll<number>().as('total')));
  const found = rows.all(
    matching
      .selectAll()
      .orderBy((eb) => eb('closed_at', 'is not', null))
      .orderBy('closed_at', 'desc')
      .orderBy('priority', 'asc')
      .orderBy('created_at', 'asc')
      .orderBy('number', 'asc')
      .limit(limit)
      .offset(skip),
  );
  return { found, total: counted?.total ?? 0 };
}

export function requestRow(rows: Rows, workspace: string, id: string): Requests | undefined {
  return rows.first(
    rows.query.selectFrom('requests').selectAll().where('workspace_id', '=', workspace).where('id', '=', id),
  );
}

/** Oldest first. */
export function requestEventRows(rows: Rows, workspace: string, id: string): RequestEvents[] {
  return rows.all(
    rows.query
      .selectFrom('request_events')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('request_id', '=', id)
      .orderBy('id'),
  );
}

export function requestWorkRows(rows: Rows, workspace: string, id: string): string[] {
  return rows
    .all(
      rows.query
        .selectFrom('request_work')
        .select('work_id')
        .where('workspace_id', '=', workspace)
        .where('request_id', '=', id)
        .orderBy('work_id'),
    )
    .map(({ work_id }) => work_id);
}
