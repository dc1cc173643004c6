/** Reads the index: items as they are, and the records about one of them. */

import type { SqlValue } from 'sql.js';
import type { RecordKind, RecordOf, Admitted, RecordInput } from '../../core/records/records.ts';
import type { RequestStatus, RequestType } from '../../core/records/request.ts';
import type { Items, ItemKind, RequestEvents, Requests } from './items.ts';
import type { Rows, Database } from './sqlite.ts';

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

// What agents were offered: outcomes, decisions and the like are offered until their agent continues, which confirms
// them.

/** What says that it was offered and that it was received, and the field that numbers it. */
const kinds = {
  outcome: ['outcome.offered', 'outcome.acknowledged', null],
  ask_back: ['question.askBackOffered', 'question.askBackAcknowledged', 'number'],
  decision: ['rfc.decisionOffered', 'rfc.decisionAcknowledged', 'decision'],
  review: ['rfc.reviewOffered', 'rfc.reviewAcknowledged', 'review'],
  notice: ['request.noticeOffered', 'request.noticeAcknowledged', 'notice'],
} as const satisfies Readonly<Record<string, readonly [RecordKind, RecordKind, string | null]>>;
export type Delivered = keyof typeof kinds;

const offers = new Map<string, readonly [what: Delivered, number: string | null, isConfirmed: boolean]>(
  (Object.keys(kinds) as Delivered[]).flatMap((what) => {
    const [offered, acknowledged, number] = kinds[what];
    return [
      [offered, [what, number, false]],
      [acknowledged, [what, number, true]],
    ] as const;
  }),
);

export function deliveryRecord(
  { what, subject: id, number, agent }: Pick<Delivery, 'what' | 'subject' | 'number' | 'agent'>,
  isConfirmed: boolean,
): RecordInput {
  const [offered, acknowledged, name] = kinds[what];
  const kind = isConfirmed ? acknowledged : offered;
  return { kind, v: 1, id, agent, ...(name === null ? {} : { [name]: number }) } as RecordInput;
}

/** Keeps the time of the first offer, and the session of the last: only that one knows of it. */
export function projectDelivery(db: Database, { record, actor, time }: Admitted): void {
  const offer = offers.get(record.kind);
  if (!offer) return;
  const [what, name, isConfirmed] = offer;
  const { id, agent, ...more } = record as unknown as { id: string; agent: string } & Record<string, number>;
  const number = name === null ? 0 : (more[name] ?? 0);
  // A notice that does not exist is not delivered: an agent cannot keep one that is still to come from another.
  if (
    what === 'notice' &&
    !db.rows.all('SELECT 1 FROM request_notices WHERE request_id = ? AND number = ?', id, number)[0]
  )
    return;
  db.run(
    `INSERT INTO deliveries VALUES (?, ?, ?, ?, ?, ?, NULL)
      ON CONFLICT (subject, what, number, agent) DO UPDATE SET session = excluded.session WHERE acknowledged_at IS NULL`,
    ...[what, id, number, agent, actor.session ?? '', time],
  );
  if (isConfirmed)
    db.run(
      `UPDATE deliveries SET acknowledged_at = coalesce(acknowledged_at, ?)
        WHERE subject = ? AND what = ? AND number = ? AND agent = ?`,
      ...[time, id, what, number, agent],
    );
}

/** An outcome that replaces another one is delivered to those as well who have received that one. */
export function deliverAgain(db: Database, id: string): void {
  db.run(`DELETE FROM deliveries WHERE subject = ? AND what = 'outcome'`, id);
}

export interface Delivery {
  readonly what: Delivered;
  readonly subject: string;
  readonly number: number;
  readonly agent: string;
  readonly session: string;
  readonly offered_at: string;
  readonly acknowledged_at: string | null;
}

/** What this session was offered and has not confirmed, oldest first. */
export function openOffers(rows: Rows, agent: string, session: string): Delivery[] {
  return rows.all<Delivery>(
    'SELECT * FROM deliveries WHERE agent = ? AND session = ? AND acknowledged_at IS NULL ORDER BY rowid',
    agent,
    session,
  );
}

/** Undefined if it was never offered to that agent. */
export function deliveryOf(
  rows: Rows,
  what: Delivered,
  subject: string,
  { number = 0, agent }: { readonly number?: number; readonly agent: string },
): Delivery | undefined {
  return rows.all<Delivery>(
    'SELECT * FROM deliveries WHERE subject = ? AND what = ? AND number = ? AND agent = ?',
    ...[subject, what, number, agent],
  )[0];
}

/** Whether an agent has it: it confirmed it, or it was offered to this very session. */
export function hasReceived(
  delivery: Pick<Delivery, 'session' | 'acknowledged_at'> | undefined,
  { session, acknowledged }: { readonly session: string; readonly acknowledged: boolean },
): boolean {
  return (
    delivery !== undefined && (delivery.acknowledged_at !== null || (!acknowledged && delivery.session === session))
  );
}
