/** A copy of the index for other programs, complete or since a day. The journal remains the source of truth. */
import type { SqlJsStatic } from 'sql.js';
import type { ItemKind } from './items.ts';

/** What to keep of each kind, by id, and of everything else what happened since then (ISO 8601, UTC). */
export interface Kept {
  readonly since: string;
  readonly items: Readonly<Record<ItemKind, readonly string[]>>;
}

const about = [
  ['links', 'from_id'],
  ['deliveries', 'subject'],
  ['request_notices', 'request_id'],
  ['request_events', 'request_id'],
] as const;

/** @param kept null for everything */
export function databaseOf(sqlite: SqlJsStatic, bytes: Uint8Array, kept: Kept | null): Buffer {
  const db = new sqlite.Database(bytes);
  try {
    // Of imports that have not ended.
    db.run(`DELETE FROM records WHERE kind = 'import.rows'`);
    if (kept) leaveOut(db, kept);
    db.run('VACUUM');
    return Buffer.from(db.export());
  } finally {
    db.close();
  }
}

function leaveOut(db: InstanceType<SqlJsStatic['Database']>, { since, items }: Kept): void {
  db.run('CREATE TEMP TABLE kept (kind TEXT, id TEXT, PRIMARY KEY (kind, id))');
  const add = db.prepare('INSERT OR IGNORE INTO kept VALUES (?, ?)');
  for (const [kind, ids] of Object.entries(items)) for (const id of ids) add.run([kind, id]);
  add.free();
  // The successors of an event come along, however old it is.
  db.run(`INSERT OR IGNORE INTO kept WITH RECURSIVE successor(id) AS (SELECT id FROM kept WHERE kind = 'event' UNION
    SELECT superseded_by_event_id FROM events JOIN successor USING (id) WHERE superseded_by_event_id IS NOT NULL)
    SELECT 'event', id FROM successor`);
  db.run('DELETE FROM items WHERE (kind, id) NOT IN (SELECT kind, id FROM kept)');
  // Earlier decisions stay with their items, as records like any other.
  db.run('UPDATE records SET nonce = NULL WHERE time < ?', [since]);
  db.run('DELETE FROM records WHERE time < ? AND kind <> ? AND coalesce(subject, ?) NOT IN (SELECT id FROM kept)', [
    since,
    'workspace.created',
    '',
  ]);
  for (const [table, column] of about) db.run(`DELETE FROM ${table} WHERE ${column} NOT IN (SELECT id FROM kept)`);
  db.run("INSERT INTO words (words) VALUES ('rebuild')");
  db.run('DROP TABLE kept');
}
