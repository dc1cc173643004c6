/**
 * Decisions that may contradict each other: on one scope, each active one and the one before it, unless one names the
 * other as related or an active event names both.
 */
import type { SqlBool } from 'kysely';
import type { DecisionConflict, Group } from '../../core/memory/briefing.ts';
import { concernsFocus, isAbove, isBeneath, placeOf } from './eventBriefing.ts';
import type { Place } from './eventBriefing.ts';
import { eventsByNumber } from './eventRows.ts';
import type { Rows } from './sqlite.ts';

interface Wanted {
  readonly focus: string | null;
  readonly ignoreCase: boolean;
  readonly limit: number;
}

/** Of very many decisions the latest are compared: a briefing must not wait. */
const comparedAtMost = 200;

/** The latest first. With a focus: those on scopes that concern it. Yields between queries. */
export function* conflictingDecisions(
  rows: Rows,
  { focus, ignoreCase, limit }: Wanted,
): Generator<undefined, Group<DecisionConflict>> {
  const compared = unrelated(rows, latest(rows, { focus, ignoreCase }));
  yield;
  const found = rows.all(compared);
  yield;
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
  const column = ignoreCase ? 'folded' : 'path';
  const same = sql.ref(`before.${column}`);
  const chain = query
    .selectFrom(near(rows, focus === null ? null : placeOf(focus, ignoreCase), column).as('one'))
    .select([
      'one.scope',
      'one.newer',
      sql<number | null>`(select max(before.number) from event_scopes as before where before.listed = 1
        and before.type = 'decision' and ${same} = one.key and before.number < one.newer)`.as('older'),
    ]);
  return query
    .selectFrom(chain.as('chain'))
    .selectAll()
    .where('older', 'is not', null)
    .orderBy('newer', 'desc')
    .orderBy('scope')
    .limit(comparedAtMost);
}

/** Few are found by their paths. Of many, reading from the latest on finds enough soon. */
const manyAre = 2_000;

/** Decisions on scopes that concern the focus. */
function near(rows: Rows, focus: Place | null, column: Place['column']) {
  const { query, sql } = rows;
  const key = sql.ref<string>(column).as('key');
  // Without `+` SQLite would take an index and sort all that it finds, instead of stopping at the limit.
  const inOrder = query
    .selectFrom('event_scopes')
    .where(sql<SqlBool>`+listed = 1 and +type = 'decision'`)
    .select(['written as scope', 'number as newer', key]);
  if (focus === null || focus.key === '.') return inOrder;
  const listed = query
    .selectFrom('event_scopes')
    .where('listed', '=', 1)
    .where('alone', 'in', [0, 1])
    .where('type', '=', 'decision');
  const [above, beneath] = [listed.where(isAbove(rows, focus)), listed.where(isBeneath(rows, focus))];
  const count = [above, beneath]
    .flatMap((some) => rows.all(some.select((eb) => eb.fn.countAll<number>().as('count'))))
    .reduce((sum, found) => sum + found.count, 0);
  if (count >= manyAre) return inOrder.where(concernsFocus(rows, focus));
  const columns = ['written as scope', 'number as newer', key] as const;
  return above.select(columns).unionAll(beneath.select(columns));
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
