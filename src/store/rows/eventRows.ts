/** Reads events back: rows with their scopes, in the requested order. */
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import type { Events } from './eventTables.ts';
import type { Rows } from './sqlite.ts';

/** Events by number, in that order; unknown numbers are left out. */
export function eventsByNumber(rows: Rows, numbers: readonly number[]): BriefedEvent[] {
  const found = new Map<number, Events>();
  const scopes = new Map<number, string[]>();
  // In chunks: a statement takes a limited number of parameters.
  for (let from = 0; from < numbers.length; from += 500) {
    const some = numbers.slice(from, from + 500);
    for (const row of rows.all(rows.query.selectFrom('events').selectAll().where('number', 'in', some)))
      found.set(row.number, row);
    const written = rows.query.selectFrom('event_scopes').select(['number', 'written']).where('number', 'in', some);
    for (const scope of rows.all(written.orderBy('number').orderBy('position'))) {
      const known = scopes.get(scope.number);
      if (known) known.push(scope.written);
      else scopes.set(scope.number, [scope.written]);
    }
  }
  return numbers.flatMap((number) => {
    const row = found.get(number);
    return row ? [eventOf(row, scopes.get(number) ?? [])] : [];
  });
}

function eventOf(
  { priority_rank: _, scope_count: __, imported, ...row }: Events,
  scopes: readonly string[],
): BriefedEvent {
  return { ...row, scopes, imported: imported === 1 };
}
