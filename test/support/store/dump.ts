/** A store's complete state as plain values, to compare two ways of reading it. */
import type { State } from '../../../src/core/state/state.ts';
import type { Rows } from '../../../src/store/rows/sqlite.ts';

/** Without `row`, which says in which order items were written. */
const selections: Readonly<Record<string, string>> = {
  items: 'kind, id, number, type, status, agent, urgency, work, created_at, resolved_at, awaits, text, note, json',
  ...Object.fromEntries(
    [
      ...['records', 'links', 'deliveries', 'request_notices', 'request_events'],
      ...['blockers', 'rfcs', 'rfc_feedback', 'requests', 'events', 'work_items'],
      ...['decisions', 'relationships'],
    ].map((name) => [name, '*']),
  ),
};

/** All rows of all tables and views, in an order that is independent of how they were written. */
export function dumpTables(rows: Rows): Record<string, unknown[]> {
  // Its rows are those of `items`, so that they say nothing about its words. Throws where these are of other texts.
  rows.all(`INSERT INTO words (words) VALUES ('integrity-check')`);
  const dumped = Object.entries(selections).map(([table, columns]): [string, unknown[]] => {
    const found = rows.all<object>(`SELECT ${columns} FROM ${table}`).map((row) => JSON.stringify(row));
    return [table, found.sort().map(read)];
  });
  return Object.fromEntries(dumped);
}

export function dump(view: { readonly state: State; readonly rows: Rows }): unknown {
  return { state: plain(view.state), tables: dumpTables(view.rows) };
}

/** As it is now: later lines change its maps and sets. */
export function plain(state: State): object {
  const members = Object.entries(state).map(([name, value]: [string, unknown]) => [
    name,
    value instanceof Map ? new Map(value) : value instanceof Set ? new Set(value) : value,
  ]);
  return Object.fromEntries(members) as object;
}

/** The JSON of an item as a value: the order of its members is that of how the state was read. */
function read(row: string): unknown {
  const columns = JSON.parse(row) as { readonly json?: string };
  return columns.json === undefined ? columns : { ...columns, json: JSON.parse(columns.json) as unknown };
}
