/** Writes rows for the projector. */
import type { SqlValue } from 'sql.js';
import type { Database } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** Upserts one whole row by its key; an update, unlike a replacement, keeps references to it. */
export function put<T extends keyof Tables>(db: Database, table: T, key: readonly string[], row: Tables[T]): void {
  db.run(upsertSql(table, key, Object.keys(row)), Object.values(row) as SqlValue[]);
}

/** SQL by table and column order. The same string each time finds its prepared statement at once. */
const upserts = new Map<string, string>();

function upsertSql(table: string, key: readonly string[], columns: readonly string[]): string {
  const name = `${table} ${columns.join()}`;
  const known = upserts.get(name);
  if (known !== undefined) return known;
  const names = columns.map((column) => `"${column}"`).join(', ');
  const changed = columns
    .filter((column) => !key.includes(column))
    .map((column) => `"${column}" = excluded."${column}"`);
  const conflict = changed.length === 0 ? 'NOTHING' : `UPDATE SET ${changed.join(', ')}`;
  const sql = `INSERT INTO "${table}" (${names}) VALUES (${columns.map(() => '?').join(', ')}) ON CONFLICT (${key.join(', ')}) DO ${conflict}`;
  upserts.set(name, sql);
  return sql;
}
