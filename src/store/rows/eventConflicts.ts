/**
 * Decisions that may contradict each other: on one scope, each active one and the one before it, unless one names the
 * other as related or an active event names both.
 */
import type { SqlBool } from 'kysely';
import type { DecisionConflict, Group } from '../../core/memory/briefing.ts';
import { concernsFocus, placeOf } from './eventBriefing.ts';
import { eventsByNumber } from './eventRows.ts';
import type { Rows } from './sqlite.ts';

interface Wanted {
  readonly focus: string | null;
  readonly ignoreCase: boolean;
  readonly limit: number;
}

/** Of very many decisions the latest are compared: a briefing must not wait. */
const comparedAtMost = 200;

/** The latest first. With a focus: those on scopes that concern it. */
export function conflictingDecisions(rows: Rows, { focus, ignoreCase, limit }: Wanted): Group<DecisionConflict> {
  const found = rows.all(unrelated(rows, latest(rows, { focus, ignoreCase })));
  // Two that share several scopes are one conflict.
  const pairs = found.filter(
    ({ newer, older }, index) => found.findIndex((one) => one.newer === newer && one.older === older) === index,
  );
  const items = pairs.slice(0, limit).flatMap(({ scope, newer, older }): DecisionConflict[] => {
    const [first, second] = eventsByNumber(rows, [newer, older ?? 0]);
    return first && second ? [{ scope, decisions: [first, second] }] : [];
  });
  return { items, more: pairs.length - items.length };
}

/** Each decision with the one before it on the same scope. */
function latest(rows: Rows, { focus, ignoreCase }: Omit<Wanted, 'limit'>) {
  const { query, sql } = rows;
  const key = sql.ref(ignoreCase ? 'folded' : 'path');
  const all = query
    .selectFrom('event_scopes')
    .select([
      'written as scope',
      'number as newer',
      sql<number | null>`lag(number) over (partition by ${key} order by number)`.as('older'),
    ])
    .where('listed', '=', 1)
    .where('type', '=', 'decision');
  const near = focus === null ? all : all.where(concernsFocus(rows, placeOf(focus, ignoreCase)));
  return query
    .selectFrom(near.as('chain'))
    .selectAll()
    .where('older', 'is not', null)
    .whereRef('older', '<>', 'newer')
    .orderBy('newer', 'desc')
    .orderBy('scope')
    .limit(comparedAtMost);
}

function unrelated({ query, sql }: Rows, pairs: ReturnType<typeof latest>) {
  return query
    .selectFrom(pairs.as('pair'))
    .selectAll()
    .where(
      sql<SqlBool>`not exists (select 1 from event_relations where event_id = 'E-' || newer and related_id = 'E-' || older)
        and not exists (select 1 from event_relations where event_id = 'E-' || older and related_id = 'E-' || newer)
        and not exists (select 1 from event_relations as one
          join event_relations as other on other.event_id = one.event_id
          join events on events.id = one.event_id
          where events.status = 'active' and one.related_id = 'E-' || newer and other.related_id = 'E-' || older)`,
    )
    .orderBy('newer', 'desc')
    .orderBy('scope');
}
