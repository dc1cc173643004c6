/** The full-text search of project memory (FTS4), with its filters. */
import type { RawBuilder, Sql, SqlBool } from 'kysely';
import { isUnspaced } from '../../core/kit/searchWords.ts';
import { scopeKey } from '../../core/memory/briefing.ts';
import type { EventPriority, EventStatus, EventType } from '../../core/kit/words.ts';
import type { Rows } from './sqlite.ts';
import { bm25 } from './rank.ts';

export interface EventFilter {
  readonly type?: EventType | undefined;
  readonly status?: EventStatus | undefined;
  readonly priority?: EventPriority | undefined;
  /** This path and everything below it. */
  readonly scope?: string | undefined;
  /** True where the file system folds case. */
  readonly ignoreCase?: boolean | undefined;
  readonly author?: string | undefined;
  /** Posted at or after. ISO 8601, UTC. */
  readonly since?: string | undefined;
}

/** With more matches than this, only the newest are ranked. */
export const rankedAtMost = 1_000;
/** A match in the text counts for more than one in the reason for closing. */
const weights = [1, 0.6];

/**
 * Best first, then newest; without words, or with none but those of scripts without spaces, newest first. `total`: number of matches; `unranked`: older ones that were
 * not ranked. Ranking 50,000 matches takes a second, and such words are not selective anyway.
 */
export function searchRows(
  rows: Rows,
  words: readonly string[],
  filter: EventFilter,
  limit: number,
): { readonly numbers: number[]; readonly total: number; readonly unranked: number } {
  const { sql } = rows;
  const spaced = words.filter((word) => !isUnspaced(word));
  const conditions = [
    ...conditionsOf(sql, filter),
    ...words.filter(isUnspaced).map((word) => {
      const part = word.toLowerCase();
      return sql<SqlBool>`(instr(lower(events.text), ${part}) > 0 or instr(lower(coalesce(events.resolved_reason, '')), ${part}) > 0)`;
    }),
  ];
  if (spaced.length === 0) {
    const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
    const total = run<{ count: number }>(rows, sql`select count(*) as count from events ${where}`)[0]?.count ?? 0;
    const found = run<{ number: number }>(
      rows,
      sql`select number from events ${where} order by number desc limit ${limit}`,
    );
    return { numbers: found.map(({ number }) => number), total, unranked: 0 };
  }
  // Each word becomes a phrase of its own, so that none acts as an operator; it finds words that begin with it.
  const match = spaced.map((word) => `"${word}*"`).join(' ');
  const from =
    conditions.length === 0
      ? sql`events_fts where events_fts match ${match}`
      : sql`events_fts cross join events on events.number = events_fts.docid where events_fts match ${match} and ${sql.join(conditions, sql` and `)}`;
  const found = run<{ number: number; info: Uint8Array }>(
    rows,
    sql`select events_fts.docid as number, matchinfo(events_fts, 'pcnalx') as info from ${from} order by events_fts.docid desc limit ${rankedAtMost}`,
  );
  const total =
    found.length < rankedAtMost
      ? found.length
      : (run<{ count: number }>(rows, sql`select count(*) as count from ${from}`)[0]?.count ?? 0);
  const best = found
    .map(({ number, info }) => ({ number, score: bm25(info, weights) }))
    .sort((a, b) => b.score - a.score || b.number - a.number)
    .slice(0, limit);
  return { numbers: best.map(({ number }) => number), total, unranked: total - found.length };
}

function conditionsOf(
  sql: Sql,
  { type, status, priority, scope, ignoreCase = false, author, since }: EventFilter,
): RawBuilder<SqlBool>[] {
  const equal = (column: string, value: string | undefined) =>
    value === undefined ? [] : [sql<SqlBool>`${sql.ref(`events.${column}`)} = ${value}`];
  return [
    ...equal('type', type),
    ...equal('status', status),
    ...equal('priority', priority),
    ...equal('author', author),
    ...(since === undefined ? [] : [sql<SqlBool>`events.posted_at >= ${since}`]),
    ...(scope === undefined
      ? []
      : [
          sql<SqlBool>`events.number in (${inScope(sql, scopeKey(scope, ignoreCase), ignoreCase ? 'folded' : 'path')})`,
        ]),
  ];
}

function inScope(sql: Sql, scope: string, column: 'path' | 'folded') {
  const path = sql.ref(column);
  if (scope === '.') return sql`select number from event_scopes`;
  // `0` is the character after `/`, so everything below the path sorts between the two.
  return sql`select number from event_scopes where ${path} = ${scope} or (${path} > ${`${scope}/`} and ${path} < ${`${scope}0`})`;
}

function run<T>(rows: Rows, statement: RawBuilder<unknown>): T[] {
  return rows.all({ compile: () => statement.compile(rows.query) }) as T[];
}
