/** Headers of events as a few numbers each: a hundred thousand of them are read in no time, and only when they are asked for. */
import type { EventHeader, State } from '../../core/state/state.ts';
import { eventPriority, eventStatus, eventType } from '../../core/kit/words.ts';

/** Type, priority, status, whether a human posted it, and the successor's number or 0. Ids are their places: E-1 is first. */
export type PackedEvent = readonly [number, number, number, 0 | 1, number];

export function packEvents(events: State['events']): PackedEvent[] {
  return [...events.values()].map(({ type, priority, status, author, successor }) => [
    eventType.options.indexOf(type),
    eventPriority.options.indexOf(priority),
    eventStatus.options.indexOf(status),
    author === 'human' ? 1 : 0,
    successor === null ? 0 : Number(successor.slice(2)),
  ]);
}

export function unpackEvents(packed: readonly PackedEvent[]): State['events'] {
  return new Map(packed.map((event, index) => [`E-${String(index + 1)}`, header(event)]));
}

function header([type, priority, status, human, successor]: PackedEvent): EventHeader {
  return {
    type: known(eventType.options[type]),
    priority: known(eventPriority.options[priority]),
    status: known(eventStatus.options[status]),
    author: human === 1 ? 'human' : 'agent',
    successor: successor === 0 ? null : `E-${String(successor)}`,
  };
}

function known<T>(word: T | undefined): T {
  if (word === undefined) throw new Error('no such word: the saved state is of another version');
  return word;
}
