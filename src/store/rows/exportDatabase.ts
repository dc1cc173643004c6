/** A copy of the projection for other programs, complete or filtered. The journal remains the source of truth. */
import type { SqlJsStatic } from 'sql.js';

/** What to keep of each kind, by id. */
export interface Kept {
  /** ISO 8601, UTC. */
  readonly since: string;
  readonly work: readonly string[];
  readonly questions: readonly string[];
  readonly rfcs: readonly string[];
  readonly events: readonly string[];
  readonly requests: readonly string[];
  /** By nonce. */
  readonly decisions: readonly string[];
  /** Imported items, active ones too: `H-12`. */
  readonly history: readonly string[];
}

/** The columns that hold each kind's id, in the tables about that kind. */
const places: Readonly<Record<Exclude<keyof Kept, 'since'>, readonly (readonly [table: string, column: string])[]>> = {
  work: [
    ['work_items', 'id'],
    ['work_dependencies', 'work_id'],
  ],
  questions: [
    ['questions', 'id'],
    ['deliveries', 'question_id'],
    ['undelivered', 'question_id'],
    ['answer_reuses', 'question_id'],
    ['ask_backs', 'question_id'],
    ['ask_back_deliveries', 'question_id'],
    ['parked_briefs', 'question_id'],
    ['question_work', 'question_id'],
  ],
  rfcs: [
    ['rfcs', 'id'],
    ...[
      'rfc_revisions',
      'rfc_alternatives',
      'rfc_feedback',
      'rfc_replies',
      'rfc_reviews',
      'rfc_answers',
      'rfc_decisions',
      'rfc_deliveries',
      'rfc_review_deliveries',
      'rfc_work',
      'rfc_contexts',
    ].map((table) => [table, 'rfc_id'] as const),
  ],
  events: [
    ['event_relations', 'event_id'],
    ['event_relations', 'related_id'],
    ['request_decisions', 'event_id'],
    ['events', 'id'],
  ],
  requests: [
    ['requests', 'id'],
    ['request_events', 'request_id'],
    ['request_work', 'request_id'],
    ['request_decisions', 'request_id'],
    ['request_notices', 'request_id'],
    ['request_notice_deliveries', 'request_id'],
  ],
  decisions: [['decisions', 'nonce']],
  history: [['imported', "'H-' || number"]],
};

/** Columns that may refer to an item outside of the export. */
const loose = [
  ['questions', 'reopens', 'questions'],
  ['questions', 'rfc_id', 'rfcs'],
] as const;

/** @param kept null for everything */
export function databaseOf(sqlite: SqlJsStatic, bytes: Uint8Array, kept: Kept | null): Buffer {
  const db = new sqlite.Database(bytes);
  try {
    db.run('DELETE FROM import_rows');
    if (kept) {
      db.run('PRAGMA foreign_keys=off; CREATE TEMP TABLE kept (id TEXT PRIMARY KEY)');
      for (const kind of Object.keys(places) as (keyof typeof places)[]) {
        db.run('DELETE FROM kept');
        const add = db.prepare('INSERT OR IGNORE INTO kept VALUES (?)');
        for (const id of kept[kind]) add.run([id]);
        add.free();
        // The successors of an event come along, however old it is.
        if (kind === 'events')
          db.run(`INSERT OR IGNORE INTO kept WITH RECURSIVE successor(id) AS (SELECT id FROM kept UNION
            SELECT superseded_by_event_id FROM events JOIN successor USING (id) WHERE superseded_by_event_id IS NOT NULL)
            SELECT id FROM successor`);
        for (const [table, column] of places[kind])
          db.run(`DELETE FROM ${table} WHERE ${column} NOT IN (SELECT id FROM kept)`);
      }
      db.run('DELETE FROM imports WHERE batch NOT IN (SELECT batch FROM imported)');
      db.run('DELETE FROM event_scopes WHERE number NOT IN (SELECT number FROM events)');
      for (const [table, column, other] of loose)
        db.run(`UPDATE ${table} SET ${column} = NULL WHERE ${column} NOT IN (SELECT id FROM ${other})`);
      db.run("INSERT INTO events_fts (events_fts) VALUES ('rebuild')");
      db.run('DROP TABLE kept');
    }
    db.run('VACUUM');
    return Buffer.from(db.export());
  } finally {
    db.close();
  }
}
