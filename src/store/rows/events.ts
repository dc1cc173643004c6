/** Events of project memory: their items, and all of them in memory, from which briefings are made. */
import { type BriefedEvent, scopeKey } from '../../core/memory/briefing.ts';
import type { RecordKind, RecordOf } from '../../core/records/records.ts';
import type { ChangedItems, Items, Projecting, Projections } from './items.ts';
import type { Rows } from './sqlite.ts';
import type { SqlValue } from 'sql.js';
import type { EventPriority, EventStatus, EventType } from '../../core/kit/words.ts';
import { jsonList } from './read.ts';

type Event = Items['event'];

export const eventProjections: Projections<Extract<RecordKind, `event.${string}`>> = {
  'event.posted': insertEvent,
  'event.postedByHuman': insertEvent,
  'event.closed': closeRow,
  'event.closedByHuman': closeRow,
  // A human said that it stays.
  'event.proposalDeclined': ({ items, effect: { time } }, { id }) => {
    mention(items, [id], time);
  },
};

function insertEvent(
  { items, effect: { time, signed, actor } }: Projecting,
  { id, type, priority, text, scopes, related }: RecordOf<'event.posted' | 'event.postedByHuman'>,
): void {
  items.put('event', id, {
    ...newEvent(Number(id.slice(2))),
    ...{ type, priority, text, scopes, related },
    ...{ author: signed?.by ?? actor.id, author_kind: signed ? 'human' : 'agent', posted_at: time, mentioned_at: time },
  });
  mention(items, [...related, ...namedEvents(text)], time);
}

/** An active event, without what its poster says. */
export function newEvent(number: number) {
  return {
    id: `E-${String(number)}`,
    number,
    status: 'active',
    resolved_reason: null,
    superseded_by_event_id: null,
    closed_at: null,
    closed_by: null,
    imported: false,
  } as const;
}

function closeRow(
  { items, effect: { time, signed, actor } }: Projecting,
  { id, how, reason, by }: RecordOf<'event.closed' | 'event.closedByHuman'>,
): void {
  const closing = { how, reason: reason ?? null, by: by ?? null, at: time, closedBy: signed?.by ?? actor.id };
  closeEvent(items, id, closing);
  // The successor refers to its predecessor.
  if (by !== undefined) mention(items, [by], time);
}

interface Closing {
  readonly how: 'resolved' | 'superseded';
  readonly reason: string | null;
  readonly by: string | null;
  readonly at: string;
  readonly closedBy: string;
}

export function closeEvent(items: ChangedItems, id: string, { how, reason, by, at, closedBy }: Closing): void {
  change(items, id, () => ({
    ...{ status: how, resolved_reason: reason, superseded_by_event_id: by, closed_at: at, closed_by: closedBy },
  }));
  if (by !== null) change(items, by, ({ related }) => ({ related: [...new Set([...related, id])] }));
}

function change(items: ChangedItems, id: string, to: (event: Event) => Partial<Event>): void {
  const event = items.get('event', id);
  if (event) items.put('event', id, { ...event, ...to(event) });
}

export function namedEvents(...texts: readonly (string | undefined)[]): string[] {
  return texts.flatMap((text) => text?.match(/\bE-[1-9]\d{0,8}\b/g) ?? []);
}

/** What is named again counts as fresh: it stays in the briefing. Ids of nothing, or of other things, have no effect. */
export function mention(items: ChangedItems, ids: readonly string[], time: string): void {
  for (const id of new Set(ids))
    change(items, id, ({ mentioned_at: before }) => ({ mentioned_at: before > time ? before : time }));
}

interface Memory {
  /** By their numbers, in order. */
  readonly events: Map<number, BriefedEvent>;
  readonly related: Map<string, readonly string[]>;
}

const inMemory = new WeakMap<Rows, Memory>();

/** All events: read once, then kept up to date. */
export function eventsIn(rows: Rows): Memory {
  const known = inMemory.get(rows);
  // What was recorded since is written, and noted, by a reading.
  if (known) {
    rows.all('SELECT 1');
    return known;
  }
  // As one text: reading thousands of rows one by one takes longer.
  const found = rows.all<{ all: string }>(
    `SELECT group_concat(json, ',') AS "all" FROM (SELECT json FROM items WHERE kind = 'event' ORDER BY number)`,
  )[0];
  const memory: Memory = { events: new Map(), related: new Map() };
  for (const event of JSON.parse(`[${found?.all ?? ''}]`) as Event[]) note(memory, event);
  inMemory.set(rows, memory);
  return memory;
}

function note({ events, related }: Memory, { related: others, ...event }: Event): void {
  events.set(event.number, event);
  if (others.length > 0) related.set(event.id, others);
}

/** Notes what became of some, oldest first. */
export function noteEvents(rows: Rows, events: readonly Event[]): void {
  const known = inMemory.get(rows);
  if (known) for (const event of events) note(known, event);
}

// Splits typed text into search words. Nothing in it acts as an operator or can break a query.

/** Further words would not narrow the search. */
const wordsAtMost = 32;

/** Scripts without spaces between words: what is searched for may stand anywhere in a run of letters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export function isUnspaced(word: string): boolean {
  return unspaced.test(word);
}

/** Whether a `*` stands anywhere but at the end of a word, where it says what is so anyway: words match as beginnings. */
export function hasOddStar(typed: string): boolean {
  return /(?<![\p{L}\p{N}\p{M}])\*|\*(?=\S)/u.test(typed);
}

/** Words consist of letters and digits; all other characters separate them. */
export function searchWords(typed: string): string[] {
  const words = typed.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => /[\p{L}\p{N}]/u.test(word)).slice(0, wordsAtMost);
}

// The full-text search of project memory (FTS4), with its filters.

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
 * Best first, then newest; without words, or with none but those of scripts without spaces, newest first. `total`: number
 * of matches; `unranked`: older ones that were not ranked. Ranking 50,000 matches takes a second, and such words are not
 * selective anyway.
 */
export function searchRows(
  rows: Rows,
  words: readonly string[],
  filter: EventFilter,
  limit: number,
): { readonly events: readonly Items['event'][]; readonly total: number; readonly unranked: number } {
  const spaced = words.filter((word) => !isUnspaced(word));
  const { conditions, values } = conditionsOf(rows, filter, words.filter(isUnspaced));
  // Each word becomes a phrase of its own, so that none acts as an operator; it finds words that begin with it.
  const match = spaced.map((word) => `"${word}*"`).join(' ');
  const from =
    spaced.length === 0
      ? `items WHERE ${conditions}`
      : `words CROSS JOIN items ON items.row = words.docid WHERE words MATCH ? AND ${conditions}`;
  const given = [...(spaced.length === 0 ? [] : [match]), ...values];
  const atMost = spaced.length === 0 ? limit : rankedAtMost;
  const info = spaced.length === 0 ? 'NULL' : `matchinfo(words, 'pcnalx')`;
  const found = rows.all<{ row: number; number: number; info: Uint8Array | null }>(
    `SELECT items.row AS row, items.number AS number, ${info} AS info FROM ${from} ORDER BY ${spaced.length === 0 ? 'items.number' : 'words.docid'} DESC LIMIT ?`,
    ...given,
    atMost,
  );
  const total =
    found.length < atMost
      ? found.length
      : (rows.all<{ count: number }>(`SELECT count(*) AS count FROM ${from}`, ...given)[0]?.count ?? 0);
  const best = found
    .map(({ row, number, info }) => ({ row, number, score: info ? bm25(info, weights) : 0 }))
    .sort((a, b) => b.score - a.score || b.number - a.number)
    .slice(0, limit);
  const texts = rows.all<{ json: string }>(
    `SELECT items.json FROM json_each(?) AS best JOIN items ON items.row = best.value ORDER BY best.key`,
    jsonList(best.map(({ row }) => row)),
  );
  return {
    events: texts.map(({ json }) => JSON.parse(json) as Items['event']),
    total,
    unranked: spaced.length === 0 ? 0 : total - found.length,
  };
}

function conditionsOf(
  rows: Rows,
  { type, status, priority, scope, ignoreCase = false, author, since }: EventFilter,
  parts: readonly string[],
): { readonly conditions: string; readonly values: SqlValue[] } {
  const conditions = ["items.kind = 'event'"];
  const values: SqlValue[] = [];
  const add = (condition: string, ...given: SqlValue[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  if (type !== undefined) add('items.type = ?', type);
  if (status !== undefined) add('items.status = ?', status);
  if (priority !== undefined) add('items.urgency = ?', priority);
  if (author !== undefined) add('items.agent = ?', author);
  if (since !== undefined) add('items.created_at >= ?', since);
  for (const part of parts) {
    const low = part.toLowerCase();
    add(`(instr(lower(items.text), ?) > 0 OR instr(lower(coalesce(items.note, '')), ?) > 0)`, low, low);
  }
  if (scope !== undefined)
    add('items.number IN (SELECT value FROM json_each(?))', jsonList(numbersIn(rows, scope, ignoreCase)));
  return { conditions: conditions.join(' AND '), values };
}

function numbersIn(rows: Rows, scope: string, ignoreCase: boolean): number[] {
  const key = scopeKey(scope, ignoreCase);
  const isIn = (path: string) => key === '.' || path === key || path.startsWith(`${key}/`);
  return [...eventsIn(rows).events.values()]
    .filter(({ scopes }) => scopes.some((path) => isIn(scopeKey(path, ignoreCase))))
    .map(({ number }) => number);
}

// Ranks a row of the full-text index: BM25 with k1 = 1.2 and b = 0.75, the constants of SQLite's FTS5, over the output
// of FTS4's `matchinfo(…, 'pcnalx')`. Source: Robertson & Zaragoza, "The Probabilistic Relevance Framework" (2009).

const k1 = 1.2;
const b = 0.75;

/** Greater is better. @param weights of the columns */
function bm25(matchinfo: Uint8Array, weights: readonly number[]): number {
  const numbers = new Uint32Array(matchinfo.slice().buffer);
  const at = (index: number) => numbers[index] ?? 0;
  const [phrases, columns, rows] = [at(0), at(1), at(2)];
  const average = (column: number) => at(3 + column);
  const length = (column: number) => at(3 + columns + column);
  const hits = (phrase: number, column: number) => 3 + 2 * columns + 3 * (phrase * columns + column);
  let score = 0;
  for (let phrase = 0; phrase < phrases; phrase++)
    for (let column = 0; column < columns; column++) {
      const here = at(hits(phrase, column));
      if (here === 0) continue;
      const rowsWith = at(hits(phrase, column) + 2);
      // As in FTS5, a word in more than half of all rows still has a little weight.
      const rarity = Math.max(1e-6, Math.log((rows - rowsWith + 0.5) / (rowsWith + 0.5)));
      const size = length(column) / Math.max(1, average(column));
      score += (weights[column] ?? 1) * rarity * ((here * (k1 + 1)) / (here + k1 * (1 - b + b * size)));
    }
  return score;
}
