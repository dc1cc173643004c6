/** Writes rows for the projector. */
import type { SqlValue } from 'sql.js';
import type { Database } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** Upserts one whole row by its key; an update, unlike a replacement, keeps references to it. */
export function put<T extends keyof Tables>(db: Database, table: T, key: readonly string[], row: Tables[T]): void {
  db.run(upsertSql(table, key, Object.keys(row)), Object.values(row) as SqlValue[]);
}

interface Upsert {
  readonly columns: readonly string[];
  readonly sql: string;
}

/** By table: mostly one, because each projection names its columns in the same order. */
const upserts = new Map<string, Upsert[]>();

/** The same string each time finds its prepared statement at once. */
function upsertSql(table: string, key: readonly string[], columns: readonly string[]): string {
  const all = upserts.get(table) ?? [];
  const known = all.find((one) => isSame(one.columns, columns));
  if (known) return known.sql;
  const names = columns.map((column) => `"${column}"`).join(', ');
  const changed = columns
    .filter((column) => !key.includes(column))
    .map((column) => `"${column}" = excluded."${column}"`);
  const conflict = changed.length === 0 ? 'NOTHING' : `UPDATE SET ${changed.join(', ')}`;
  const sql = `INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT (${key.join(', ')}) DO ${conflict}`;
  upserts.set(table, [...all, { columns, sql }]);
  return sql;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((column, at) => column === other[at]);
}
