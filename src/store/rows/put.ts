/** Writes rows for the projector. */
import type { SqlValue } from 'sql.js';
import type { Database } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** Upserts one whole row by its key; an update, unlike a replacement, keeps references to it. */
export function put<T extends keyof Tables>(db: Database, table: T, key: readonly string[], row: Tables[T]): void {
  const columns = Object.keys(row);
  const upsert = () => {
    const changed = columns
      .filter((column) => !key.includes(column))
      .map((column) => `"${column}" = excluded."${column}"`);
    const conflict = changed.length === 0 ? 'NOTHING' : `UPDATE SET ${changed.join(', ')}`;
    return `${insertSql(table, columns)} ON CONFLICT (${key.join(', ')}) DO ${conflict}`;
  };
  db.run(known(upserts, table, columns, upsert), Object.values(row) as SqlValue[]);
}

/**
 * Writes a new row, which takes less than an upsert. Columns that are not given become null.
 * @param texts columns of text that is often long: Node encodes it sooner than sql.js
 */
export function insert<T extends keyof Tables>(
  db: Database,
  table: T,
  row: Partial<Tables[T]>,
  texts: readonly (keyof Tables[T])[] = [],
): void {
  const columns = Object.keys(row);
  const isText = (column: string | undefined) => texts.includes(column as keyof Tables[T]);
  const sql = known(inserts, table, columns, () =>
    insertSql(table, columns, (column) => (isText(column) ? 'CAST(? AS TEXT)' : '?')),
  );
  const encoded = (value: SqlValue, at: number) =>
    typeof value === 'string' && value.length >= long && isText(columns[at]) ? Buffer.from(value) : value;
  db.run(sql, (Object.values(row) as SqlValue[]).map(encoded));
}

/** From this length on, text is encoded sooner than it takes to give it to sql.js as bytes. Characters. */
const long = 40;

/** Changes a row that has an id. */
export function update<T extends keyof Tables>(db: Database, table: T, id: string, changed: Partial<Tables[T]>): void {
  const columns = Object.keys(changed);
  const set = () => `UPDATE "${table}" SET ${columns.map((column) => `"${column}" = ?`).join(', ')} WHERE id = ?`;
  db.run(known(updates, table, columns, set), [...(Object.values(changed) as SqlValue[]), id]);
}

function insertSql(table: string, columns: readonly string[], given: (column: string) => string = () => '?'): string {
  const names = columns.map((column) => `"${column}"`).join(', ');
  return `INSERT INTO "${table}" (${names}) VALUES (${columns.map(given).join(', ')})`;
}

interface Known {
  readonly columns: readonly string[];
  readonly sql: string;
}

/** By table: mostly one, because each projection names its columns in the same order. */
type ByTable = Map<string, Known[]>;
const upserts: ByTable = new Map();
const inserts: ByTable = new Map();
const updates: ByTable = new Map();

/** The same string each time finds its prepared statement at once. */
function known(byTable: ByTable, table: string, columns: readonly string[], make: () => string): string {
  const all = byTable.get(table) ?? [];
  const found = all.find((one) => isSame(one.columns, columns));
  if (found) return found.sql;
  const sql = make();
  byTable.set(table, [...all, { columns, sql }]);
  return sql;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((column, at) => column === other[at]);
}
