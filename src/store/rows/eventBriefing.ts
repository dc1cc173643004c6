/**
 * Selects the events of a briefing in the database, so that the others need not be read: for each section the first
 * ones in the briefing's order, and how many more there are. A test compares this with a briefing over all events.
 */
import type { RawBuilder, SqlBool } from 'kysely';
import { recentlyMs, scopeKey } from '../../core/memory/briefing.ts';
import type { BriefedEvent, BriefingInput, Limits } from '../../core/memory/briefing.ts';
import { withParents } from '../../core/kit/paths.ts';
import { eventType } from '../../core/kit/words.ts';
import type { EventType } from '../../core/kit/words.ts';
import { eventsByNumber } from './eventRows.ts';
import type { Rows } from './sqlite.ts';

interface Wanted {
  readonly focus: string | null;
  readonly now: string;
  readonly limits: Limits;
  readonly ignoreCase?: boolean;
  /** What only informs and was not mentioned since then is left out; null: nothing is. */
  readonly agedBefore?: string | null;
  /** `countActive`, where it is known. */
  readonly activeCount?: number | undefined;
}

interface Candidates {
  readonly events: BriefedEvent[];
  readonly left: NonNullable<BriefingInput['left']>;
}

/** Yields between queries. What changes meanwhile may be in some of them. */
export function* briefingCandidates(
  rows: Rows,
  { focus, now, limits, ignoreCase = false, agedBefore: aged = null, activeCount }: Wanted,
): Generator<undefined, Candidates> {
  const place = focus === null ? null : placeOf(focus, ignoreCase);
  const numbers = (found: { compile(): unknown } & Parameters<Rows['all']>[0]) =>
    (rows.all(found) as { number: number }[]).map(({ number }) => number);
  const count = (found: Selection) => countIn(rows, found);

  const critical = active(rows, null).where('type', '=', 'warning').where('priority_rank', '=', 0);
  const criticalNumbers = criticalOf(rows, place, limits.critical, (some) => numbers(inOrder(some(critical))));
  const criticalCount = count(critical);
  yield;

  const relevantCounts = place === null ? new Map<EventType, number>() : countRelevant(rows, place, aged);
  const relevantNumbers = eventType.options.flatMap((type) => {
    const there = relevantCounts.get(type) ?? 0;
    if (place === null || there === 0) return [];
    return numbers(relevantOf(rows, { focus: place, type, there, limit: limits.relevant, aged }));
  });
  yield;

  const relevantCount = [...relevantCounts.values()].reduce((sum, some) => sum + some, 0);
  const all = activeCount ?? countActive(rows);
  const freshCount = aged === null ? all : count(active(rows, aged));
  const otherCount = freshCount - criticalCount - relevantCount;
  yield;
  const otherNumbers = others(rows, { focus: place, limit: limits.other, aged }, numbers);
  yield;

  const since = new Date(Date.parse(now) - recentlyMs).toISOString();
  const resolved = rows.query.selectFrom('events').where('closed_at', '>=', since);
  const resolvedNumbers = numbers(
    resolved.select('number').orderBy('closed_at', 'desc').orderBy('number', 'desc').limit(limits.resolved),
  );

  const left = {
    critical: criticalCount - criticalNumbers.length,
    other: otherCount - otherNumbers.length,
    resolved: count(resolved) - resolvedNumbers.length,
    aged: all - freshCount,
    ...Object.fromEntries(
      eventType.options.map((type) => [type, Math.max(0, (relevantCounts.get(type) ?? 0) - limits.relevant)]),
    ),
  };
  yield;
  const chosen = [...criticalNumbers, ...relevantNumbers, ...otherNumbers, ...resolvedNumbers];
  return { events: eventsByNumber(rows, chosen), left };
}

/** How many events are active: the same for all files. */
export function countActive(rows: Rows): number {
  return countIn(rows, active(rows, null));
}

function countIn(rows: Rows, selection: Selection): number {
  return rows.first(counted(selection))?.count ?? 0;
}

/** @param aged what only informs and was not mentioned since then is none of them; null: all are */
function active(rows: Rows, aged: string | null) {
  const all = rows.query.selectFrom('events').where('status', '=', 'active');
  return aged === null ? all : all.where(isFresh(rows, aged));
}

/** As `onlyInforms` (core/memory/briefing.ts) has it. */
function isFresh({ sql }: Rows, aged: string) {
  const [at, type, rank] = ['mentioned_at', 'type', 'priority_rank'].map((column) => sql.ref(`events.${column}`));
  return sql<SqlBool>`(${at} >= ${aged} or ${type} = 'warning' or ${rank} = 0 or (${type} = 'decision' and ${rank} < 3))`;
}

type Selection = ReturnType<typeof active>;

/** Those about the focus first. */
function criticalOf(
  rows: Rows,
  focus: Place | null,
  limit: number,
  numbers: (some: (all: Selection) => Selection) => number[],
): number[] {
  const here = focus === null ? [] : numbers((all) => all.where(hasScopeIn(rows, focus)).limit(limit));
  const rest = numbers((all) =>
    (here.length === 0 ? all : all.where('number', 'not in', here)).limit(limit - here.length),
  );
  return [...here, ...rest];
}

function hasScopeIn(rows: Rows, focus: Place) {
  const { sql } = rows;
  if (focus.key === '.') return sql<SqlBool>`scope_count > 0`;
  return sql<SqlBool>`exists (select 1 from event_scopes where event_scopes.number = events.number and ${concernsFocus(rows, focus)})`;
}

function notCritical({ sql }: Rows, selection: Selection): Selection {
  return selection.where(sql<SqlBool>`not (type = 'warning' and priority_rank = 0)`);
}

function inOrder(selection: Selection) {
  return selection.select('number').orderBy('priority_rank').orderBy('number', 'desc');
}

function counted(selection: Selection) {
  return selection.select((eb) => eb.fn.countAll<number>().as('count'));
}

/** The focus as it is looked up: in the case-folded column or the plain one. */
export interface Place {
  readonly key: string;
  readonly column: 'path' | 'folded';
}

export function placeOf(focus: string, ignoreCase: boolean): Place {
  return { key: scopeKey(focus, ignoreCase), column: ignoreCase ? 'folded' : 'path' };
}

/** Whether a scope concerns the focus: it is that path, a parent of it, or below it. */
export function concernsFocus(rows: Rows, place: Place) {
  const { sql } = rows;
  return place.key === '.' ? sql<SqlBool>`1` : sql<SqlBool>`(${isAbove(rows, place)} or ${isBeneath(rows, place)})`;
}

export function isAbove({ sql }: Rows, { key, column }: Place) {
  return sql<SqlBool>`${sql.ref(column)} in (${sql.join(withParents(key).map((path) => sql`${path}`))})`;
}

/** `0` is the character after `/`, so everything below the path sorts between the two. */
export function isBeneath({ sql }: Rows, { key, column }: Place) {
  return sql<SqlBool>`${sql.ref(column)} > ${`${key}/`} and ${sql.ref(column)} < ${`${key}0`}`;
}

/** Scopes of events that a briefing shows under their type. */
function listed(rows: Rows, alone: readonly number[], aged: string | null) {
  const all = rows.query.selectFrom('event_scopes').where('listed', '=', 1).where('alone', 'in', alone);
  return aged === null
    ? all
    : all.where(
        rows.sql<SqlBool>`exists (select 1 from events where events.number = event_scopes.number and ${isFresh(rows, aged)})`,
      );
}

/** An event with a single scope is counted once by nature; only the others need `distinct`. */
function countRelevant(rows: Rows, focus: Place, aged: string | null): Map<EventType, number> {
  const places = focus.key === '.' ? [rows.sql<SqlBool>`1`] : [isAbove(rows, focus), isBeneath(rows, focus)];
  const several = listed(rows, [0], aged).where(concernsFocus(rows, focus));
  const counts = [
    ...places.map((place) =>
      listed(rows, [1], aged)
        .where(place)
        .select(['type', (eb) => eb.fn.countAll<number>().as('count')])
        .groupBy('type'),
    ),
    several.select(['type', (eb) => eb.fn.count<number>('number').distinct().as('count')]).groupBy('type'),
  ];
  const sums = new Map<EventType, number>();
  for (const found of counts)
    for (const { type, count } of rows.all(found)) sums.set(type, (sums.get(type) ?? 0) + count);
  return sums;
}

interface Relevant {
  readonly focus: Place;
  readonly type: EventType;
  readonly there: number;
  readonly limit: number;
  readonly aged: string | null;
}

/** Few: sort their scopes. Many: scan the events in order; enough of them turn up soon. */
const manyAre = 2_000;

function relevantOf(rows: Rows, { focus, type, there, limit, aged }: Relevant) {
  const { key } = focus;
  if (there < manyAre && key !== '.') {
    const of = (place: RawBuilder<SqlBool>) =>
      listed(rows, [0, 1], aged).where('type', '=', type).where(place).select(['number', 'priority_rank']);
    const both = of(isAbove(rows, focus)).union(of(isBeneath(rows, focus)));
    return both.orderBy('priority_rank').orderBy('number', 'desc').limit(limit);
  }
  const events = inOrder(notCritical(rows, active(rows, aged).where('type', '=', type)));
  return events.where(hasScopeIn(rows, focus)).limit(limit);
}

interface Others {
  readonly focus: Place | null;
  readonly limit: number;
  readonly aged: string | null;
}

/** Unscoped warnings first, then those outside the focus. */
function others(
  rows: Rows,
  { focus, limit, aged }: Others,
  numbers: (found: Parameters<Rows['all']>[0]) => number[],
): number[] {
  const { sql } = rows;
  const unscoped = sql<SqlBool>`type = 'warning' and scope_count = 0`;
  const first = numbers(
    inOrder(notCritical(rows, active(rows, null).where('type', '=', 'warning')).where('scope_count', '=', 0)).limit(
      limit,
    ),
  );
  if (first.length === limit) return first;
  const rest = notCritical(rows, active(rows, aged)).where(sql<SqlBool>`not (${unscoped})`);
  const apart =
    focus === null
      ? rest
      : focus.key === '.'
        ? rest.where('scope_count', '=', 0)
        : rest.where(sql<SqlBool>`not ${hasScopeIn(rows, focus)}`);
  return [...first, ...numbers(inOrder(apart).limit(limit - first.length))];
}
