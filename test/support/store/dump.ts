/** Everything a store knows, as plain values, to compare two ways of getting there. */
import type { State } from '../../../src/core/state.ts';
import { query } from '../../../src/store/sqlite.ts';
import type { Rows } from '../../../src/store/sqlite.ts';
import type { Tables } from '../../../src/store/tables.ts';

const tables = [
  'agents',
  'work_items',
  'work_dependencies',
  'work_holds',
  'questions',
  'deliveries',
  'answer_reuses',
  'decisions',
  'held_work',
  'relationships',
] as const satisfies readonly (keyof Tables)[];

type Missing = Exclude<keyof Tables, (typeof tables)[number]>;
const none: Missing[] = [];

/** All rows of all tables and views, in an order that does not depend on how they were written. */
export function dumpTables(rows: Rows): Record<string, unknown[]> {
  const dumped = [...tables, ...none].map((table): [string, unknown[]] => {
    const found = rows.all(query.selectFrom(table).selectAll()).map((row) => JSON.stringify(row));
    return [table, found.sort().map((row): unknown => JSON.parse(row))];
  });
  return Object.fromEntries(dumped);
}

export function dump(view: { readonly state: State; readonly rows: Rows }): unknown {
  return { state: view.state, tables: dumpTables(view.rows) };
}
