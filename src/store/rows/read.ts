/** Reads the index: items as they are, and the records about one of them. */
import type { RecordKind, RecordOf } from '../../core/records/records.ts';
import type { Items, ItemKind, RequestEvents, Requests } from './items.ts';
import type { Rows } from './sqlite.ts';
import type { SqlValue } from 'sql.js';
import type { RequestStatus, RequestType } from '../../core/records/request.ts';

export function itemOf<K extends ItemKind>(rows: Rows, kind: K, id: string): Items[K] | null {
  const row = rows.all<{ json: string }>('SELECT json FROM items WHERE kind = ? AND id = ?', kind, id)[0];
  return row ? (JSON.parse(row.json) as Items[K]) : null;
}

export const wholeInItems = ['question.raised', 'event.posted', 'event.postedByHuman'] as const;
type Told = Exclude<RecordKind, (typeof wholeInItems)[number]>;

/** What a record says and who wrote it. Decisions that too few people signed so far are not among them. */
export interface Recorded<K extends Told> {
  readonly time: string;
  /** Of a signed record, the name of its signer. */
  readonly actor: string;
  readonly actor_kind: string;
  /** Of the key that signed it; null without one. */
  readonly keyid: string | null;
  readonly passkey: number;
  /** Without its signature. */
  readonly record: Unsigned<RecordOf<K>>;
}

/** Of each kind by itself, so that the kind says what a record has. */
type Unsigned<R> = R extends unknown ? Omit<R, 'envelope'> : never;

/** Those of some kinds about one item, oldest first. */
export function recordsOf<K extends Told>(rows: Rows, subject: string, ...kinds: readonly K[]): Recorded<K>[] {
  return rows
    .all<Omit<Recorded<K>, 'record'> & { kind: K; json: string }>(
      `SELECT time, actor, actor_kind, keyid, passkey, kind, json FROM records
        WHERE subject = ? AND kind IN (${kinds.map(() => '?').join(', ')}) AND kept = 0 ORDER BY position, place`,
      subject,
      ...kinds,
    )
    .map(({ kind, json, ...row }) => ({ ...row, record: { ...JSON.parse(json), kind } as Recorded<K>['record'] }));
}

export function countOf(rows: Rows, kind: RecordKind): number {
  return (
    rows.all<{ count: number }>('SELECT count(*) AS count FROM records WHERE kind = ? AND kept = 0', kind)[0]?.count ??
    0
  );
}

/** For `IN (SELECT value FROM json_each(?))`: there may be more values than SQLite takes parameters. */
export function jsonList(values: readonly (string | number)[]): string {
  return JSON.stringify(values);
}

// Reads requests back. Every query of several names the workspace.

export type RequestRow = Requests & { readonly number: number };

export interface RequestFilter {
  readonly targets?: readonly string[] | undefined;
  readonly origins?: readonly string[] | undefined;
  readonly statuses?: readonly RequestStatus[] | undefined;
  readonly type?: RequestType | undefined;
  /** The agent that created it. */
  readonly agent?: string | undefined;
  /** A work item that was made for it. */
  readonly work?: string | undefined;
  /** Available by this time. */
  readonly availableBy?: string | undefined;
}

function matching(workspace: string, filter: RequestFilter) {
  const { targets, origins, statuses, type, agent, work, availableBy } = filter;
  const given: readonly (readonly [condition: string, value: SqlValue | undefined])[] = [
    ['workspace_id = ?', workspace],
    [among('target_responsibility_id'), targets && jsonList(targets)],
    [among('origin_responsibility_id'), origins && jsonList(origins)],
    [among('status'), statuses && jsonList(statuses)],
    ['type = ?', type],
    ['author_agent_id = ?', agent],
    [`id IN (SELECT from_id FROM links WHERE from_kind = 'request' AND to_kind = 'work' AND to_id = ?)`, work],
    ['available_at <= ?', availableBy],
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
