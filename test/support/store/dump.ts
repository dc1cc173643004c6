/** A store's complete state as plain values, to compare two ways of reading it. */
import type { State } from '../../../src/core/state/state.ts';
import type { Rows } from '../../../src/store/rows/sqlite.ts';
import type { Tables } from '../../../src/store/rows/tables.ts';

/** The compiler checks that none is missing. */
const tables = Object.keys({
  agents: 1,
  work_items: 1,
  work_dependencies: 1,
  questions: 1,
  question_work: 1,
  deliveries: 1,
  undelivered: 1,
  answer_reuses: 1,
  decisions: 1,
  events: 1,
  event_scopes: 1,
  event_relations: 1,
  events_fts: 1,
  responsibilities: 1,
  requests: 1,
  request_events: 1,
  request_decisions: 1,
  request_work: 1,
  request_notices: 1,
  request_notice_deliveries: 1,
  rfcs: 1,
  ask_backs: 1,
  ask_back_deliveries: 1,
  parked_briefs: 1,
  rfc_revisions: 1,
  rfc_alternatives: 1,
  rfc_feedback: 1,
  rfc_replies: 1,
  rfc_reviews: 1,
  rfc_answers: 1,
  rfc_decisions: 1,
  rfc_deliveries: 1,
  rfc_review_deliveries: 1,
  rfc_work: 1,
  rfc_contexts: 1,
  imports: 1,
  import_rows: 1,
  imported: 1,
  relationships: 1,
} satisfies Record<keyof Tables, 1>) as (keyof Tables)[];

/** All rows of all tables and views, in an order that is independent of how they were written. */
export function dumpTables(rows: Rows): Record<string, unknown[]> {
  // Its rows are those of `events`, so that they say nothing about its words. Throws where these are of other texts.
  rows.all({
    compile: () => rows.sql`INSERT INTO events_fts (events_fts) VALUES ('integrity-check')`.compile(rows.query),
  });
  const dumped = tables.map((table): [string, unknown[]] => {
    const found = rows.all(rows.query.selectFrom(table).selectAll()).map((row) => JSON.stringify(row));
    return [table, found.sort().map((row): unknown => JSON.parse(row))];
  });
  return Object.fromEntries(dumped);
}

export function dump(view: { readonly state: State; readonly rows: Rows }): unknown {
  return { state: plain(view.state), tables: dumpTables(view.rows) };
}

/** Loads what is read as needed, into plain maps and sets. */
export function plain(state: State): object {
  const members = Object.entries(state).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Map ? new Map(value) : value instanceof Set ? new Set(value) : value,
  ]);
  return Object.fromEntries(members) as object;
}
