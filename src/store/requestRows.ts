/** Reading requests back. Every query names the workspace (seed 004, "Workspace Isolation Enforcement"). */
import type { RequestStatus, RequestType } from '../core/requestWords.ts';
import type { RequestEvents, Requests } from './requestTables.ts';
import { query, sql } from './sqlite.ts';
import type { Rows } from './sqlite.ts';

/** What the target of these may take up now, best first: seed 004's selection query. */
export function claimableRows(
  rows: Rows,
  workspace: string,
  target: string,
  now: string,
  batchSize: number,
): Requests[] {
  return rows.all(
    query
      .selectFrom('requests')
      .selectAll()
      .where('target_responsibility_id', '=', target)
      .where('workspace_id', '=', workspace)
      .where('status', '=', 'pending')
      .where('available_at', '<=', now)
      .orderBy('priority', 'asc')
      .orderBy('created_at', 'asc')
      .orderBy('number', 'asc')
      .limit(batchSize),
  );
}

export interface RequestFilter {
  readonly targets?: readonly string[] | undefined;
  readonly origins?: readonly string[] | undefined;
  readonly statuses?: readonly RequestStatus[] | undefined;
  readonly type?: RequestType | undefined;
}

/** Open ones by priority, then oldest first; then settled ones, latest first. */
export function requestRows(
  rows: Rows,
  workspace: string,
  filter: RequestFilter,
  limit: number,
): { readonly found: Requests[]; readonly total: number } {
  const { targets, origins, statuses, type } = filter;
  let matching = query.selectFrom('requests').where('workspace_id', '=', workspace);
  if (targets) matching = matching.where('target_responsibility_id', 'in', [...targets]);
  if (origins) matching = matching.where('origin_responsibility_id', 'in', [...origins]);
  if (statuses) matching = matching.where('status', 'in', [...statuses]);
  if (type !== undefined) matching = matching.where('type', '=', type);
  const counted = rows.first(matching.select((eb) => eb.fn.countAll<number>().as('total')));
  const found = rows.all(
    matching
      .selectAll()
      .orderBy((eb) => eb('closed_at', 'is not', null))
      .orderBy('closed_at', 'desc')
      .orderBy('priority', 'asc')
      .orderBy('created_at', 'asc')
      .orderBy('number', 'asc')
      .limit(limit),
  );
  return { found, total: counted?.total ?? 0 };
}

export function requestRow(rows: Rows, workspace: string, id: string): Requests | undefined {
  return rows.first(
    query.selectFrom('requests').selectAll().where('workspace_id', '=', workspace).where('id', '=', id),
  );
}

/** Oldest first. */
export function requestEventRows(rows: Rows, workspace: string, id: string): RequestEvents[] {
  return rows.all(
    query
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
      query
        .selectFrom('request_work')
        .select('work_id')
        .where('workspace_id', '=', workspace)
        .where('request_id', '=', id)
        .orderBy('work_id'),
    )
    .map(({ work_id }) => work_id);
}

/** How a responsibility keeps up with what is asked of it (seed 004, "SLA Monitoring"). */
export interface QueueFigures {
  readonly target_responsibility_id: string;
  /** Requests that are not settled. */
  readonly depth: number;
  /** Seconds, on average; null where nothing was responded to or completed. */
  readonly response_seconds: number | null;
  readonly completion_seconds: number | null;
  readonly breaches: number;
}

export function queueFigureRows(rows: Rows, workspace: string): QueueFigures[] {
  return rows.all(
    query
      .selectFrom('requests')
      .where('workspace_id', '=', workspace)
      .groupBy('target_responsibility_id')
      .orderBy('target_responsibility_id')
      .select((eb) => [
        'target_responsibility_id',
        eb.fn.sum<number>(eb.case().when('closed_at', 'is', null).then(1).else(0).end()).as('depth'),
        eb.fn.avg<number | null>(elapsed('responded_at', 'available_at')).as('response_seconds'),
        eb.fn.avg<number | null>(elapsed('processed_at', 'accepted_at')).as('completion_seconds'),
        eb
          .selectFrom('request_events')
          .innerJoin('requests as of', 'of.id', 'request_events.request_id')
          .where('request_events.workspace_id', '=', workspace)
          .whereRef('of.target_responsibility_id', '=', 'requests.target_responsibility_id')
          .where('event_type', 'in', ['sla_response_breached', 'sla_completion_breached'])
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .$asScalar()
          .as('breaches'),
      ]),
  );
}

function elapsed(to: 'responded_at' | 'processed_at', from: 'available_at' | 'accepted_at') {
  return sql<number | null>`(julianday(${sql.ref(to)}) - julianday(${sql.ref(from)})) * 86400`;
}
