/** Rows of project memory. Triggers keep the full-text index up to date. */
import type { EventRecord } from '../../core/records/event.ts';
import { scopeKey } from '../../core/memory/briefing.ts';
import { isCriticalWarning } from '../../core/memory/event.ts';
import type { RecordOf } from '../../core/records/records.ts';
import { priorityRank } from '../../core/kit/words.ts';
import type { Events } from './eventTables.ts';
import { noRows } from './projection.ts';
import type { Projecting, Projections } from './projection.ts';
import { insert, put } from './put.ts';
import type { Database } from './sqlite.ts';

export const eventProjections: Projections<EventRecord['kind']> = {
  'event.posted': projectPosted,
  'event.postedByHuman': projectPosted,
  'event.closed': projectClosed,
  'event.closedByHuman': projectClosed,
  'event.closeProposed': noRows,
  // A human said that it stays.
  'event.proposalDeclined': ({ db, effect: { time } }, { id }) => {
    mention(db, [id], time);
  },
};

function projectPosted(
  { db, effect: { time, signed, actor } }: Projecting,
  record: RecordOf<'event.posted' | 'event.postedByHuman'>,
): void {
  putEvent(db, {
    ...record,
    number: Number(record.id.slice(2)),
    author: signed?.by ?? actor.id,
    author_kind: signed ? 'human' : 'agent',
    posted_at: time,
    listed: !isCriticalWarning(record),
    imported: false,
    mentioned_at: time,
  });
  mention(db, [...record.related, ...namedEvents(record.text)], time);
  for (const related_id of record.related)
    put(db, 'event_relations', ['event_id', 'related_id'], { event_id: record.id, related_id });
}

function projectClosed(
  { db, effect: { time, signed, actor } }: Projecting,
  { id, how, reason, by }: RecordOf<'event.closed' | 'event.closedByHuman'>,
): void {
  const number = Number(id.slice(2));
  db.run(
    'UPDATE events SET status = ?, resolved_reason = ?, superseded_by_event_id = ?, closed_at = ?, closed_by = ? WHERE number = ?',
    [how, reason ?? null, by ?? null, time, signed?.by ?? actor.id, number],
  );
  db.run('UPDATE event_scopes SET listed = 0 WHERE number = ?', [number]);
  // The successor refers to its predecessor.
  if (by !== undefined) mention(db, [by], time);
  if (by !== undefined) put(db, 'event_relations', ['event_id', 'related_id'], { event_id: by, related_id: id });
}

/** A posted event; `listed` as in `event_scopes`: whether a briefing lists it under its type. */
type Posted = Pick<
  Events,
  'number' | 'type' | 'priority' | 'text' | 'author' | 'author_kind' | 'posted_at' | 'mentioned_at'
> & {
  readonly scopes: readonly string[];
  readonly listed: boolean;
  readonly imported: boolean;
};

/** Inserts an active event and its scopes. */
export function putEvent(db: Database, { scopes, listed, imported, ...event }: Posted): void {
  const { number, type, priority } = event;
  const priority_rank = priorityRank(priority);
  const row = {
    number,
    id: `E-${String(number)}`,
    type,
    priority,
    priority_rank,
    status: 'active' as const,
    text: event.text,
    author: event.author,
    author_kind: event.author_kind,
    posted_at: event.posted_at,
    scope_count: scopes.length,
    imported: imported ? 1 : 0,
    mentioned_at: event.mentioned_at,
  };
  insert(db, 'events', row, ['text']);
  scopes.forEach((written, position) => {
    insert(db, 'event_scopes', {
      number,
      position,
      path: scopeKey(written),
      folded: scopeKey(written, true),
      written,
      listed: listed ? 1 : 0,
      type,
      alone: scopes.length === 1 ? 1 : 0,
      priority_rank,
    });
  });
}

/** Ids of events that a text names. */
export function namedEvents(...texts: readonly (string | undefined)[]): string[] {
  return texts.flatMap((text) => text?.match(/\bE-[1-9]\d{0,8}\b/g) ?? []);
}

/** What is named again counts as fresh: it stays in the briefing. Ids of nothing, or of other things, have no effect. */
export function mention(db: Database, ids: readonly string[], time: string): void {
  for (const id of new Set(ids))
    db.run('UPDATE events SET mentioned_at = max(mentioned_at, ?) WHERE id = ?', [time, id]);
}
