/** Reads requests back. Every query of several names the workspace. */
import type { SqlValue } from 'sql.js';
import type { RequestStatus, RequestType } from '../../core/records/requestWords.ts';
import { itemOf, jsonList } from './read.ts';
import type { RequestEvents, Requests } from './requestColumns.ts';
import type { Rows } from './sqlite.ts';

export type RequestRow = Requests & { readonly number: number };

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
): RequestRow[] {
  const { where, values } = matching(workspace, { ...filter, targets: [target], statuses: ['pending'] });
  return rows.all<RequestRow>(
    `SELECT * FROM requests WHERE ${where} AND available_at <= ? ORDER BY priority, created_at, number LIMIT ?`,
    ...[...values, now, limit],
  );
}

export interface RequestFilter {
  readonly targets?: readonly string[] | undefined;
  readonly origins?: readonly string[] | undefined;
  readonly statuses?: readonly RequestStatus[] | undefined;
  readonly type?: RequestType | undefined;
  readonly agent?: string | undefined;
  /** A work item that was made for it. */
  readonly work?: string | undefined;
}

function matching(workspace: string, { targets, origins, statuses, type, agent, work }: RequestFilter) {
  const given: readonly (readonly [condition: string, value: SqlValue | undefined])[] = [
    ['workspace_id = ?', workspace],
    [among('target_responsibility_id'), targets && jsonList(targets)],
    [among('origin_responsibility_id'), origins && jsonList(origins)],
    [among('status'), statuses && jsonList(statuses)],
    ['type = ?', type],
    ['author_agent_id = ?', agent],
    [`id IN (SELECT from_id FROM links WHERE from_kind = 'request' AND to_kind = 'work' AND to_id = ?)`, work],
  ];
  const used = given.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]));
  return { where: used.map(({ condition }) => condition).join(' AND '), values: used.map(({ value }) => value) };
}

const among = (column: string) => `${column} IN (SELECT value FROM json_each(?))`;

/** Open ones by priority, then oldest first; then settled ones, latest first. */
export function requestRows(
  rows: Rows,
  workspace: string,
  filter: RequestFilter,
  { limit, skip = 0 }: { readonly limit: number; readonly skip?: number | undefined },
): { readonly found: RequestRow[]; readonly total: number } {
  const { where, values } = matching(workspace, filter);
  const counted = rows.all<{ total: number }>(`SELECT count(*) AS total FROM requests WHERE ${where}`, ...values)[0];
  const found = rows.all<RequestRow>(
    `SELECT * FROM requests WHERE ${where}
      ORDER BY closed_at IS NOT NULL, closed_at DESC, priority, created_at, number LIMIT ? OFFSET ?`,
    ...[...values, limit, skip],
  );
  return { found, total: counted?.total ?? 0 };
}

export function requestRow(rows: Rows, workspace: string, id: string): RequestRow | undefined {
  return rows.all<RequestRow>('SELECT * FROM requests WHERE workspace_id = ? AND id = ?', workspace, id)[0];
}

/** Oldest first. */
export function requestEventRows(rows: Rows, workspace: string, id: string): RequestEvents[] {
  return rows.all<RequestEvents>(
    'SELECT * FROM request_events WHERE workspace_id = ? AND request_id = ? ORDER BY id',
    workspace,
    id,
  );
}

export function requestWorkRows(rows: Rows, id: string): readonly string[] {
  return itemOf(rows, 'request', id)?.work ?? [];
}
