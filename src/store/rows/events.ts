/** Events of project memory: their items, and all of them in memory, from which briefings are made. */
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import type { EventRecord } from '../../core/records/event.ts';
import type { RecordOf } from '../../core/records/records.ts';
import type { ChangedItems, Items } from './items.ts';
import type { Projecting, Projections } from './projection.ts';
import type { Rows } from './sqlite.ts';

type Event = Items['event'];

export const eventProjections: Projections<EventRecord['kind']> = {
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
