/** Event headers as short tuples: a hundred thousand of them are read quickly, and only on demand. */
import type { EventHeader, State } from '../../core/state/state.ts';
import type { EventPriority, EventStatus, EventType } from '../../core/kit/words.ts';

/**
 * Type, priority, status, whether a human posted it, and the successor's number or 0. The index gives the id: E-1 is
 * first.
 */
export type PackedEvent = readonly [EventType, EventPriority, EventStatus, 0 | 1, number];

export function packEvents(events: State['events']): PackedEvent[] {
  return [...events.values()].map(({ type, priority, status, author, successor }) => [
    type,
    priority,
    status,
    author === 'human' ? 1 : 0,
    successor === null ? 0 : Number(successor.slice(2)),
  ]);
}

export function unpackEvents(packed: readonly PackedEvent[]): State['events'] {
  return new Map(packed.map((event, index) => [`E-${String(index + 1)}`, header(event)]));
}

function header([type, priority, status, human, successor]: PackedEvent): EventHeader {
  return {
    type,
    priority,
    status,
    author: human === 1 ? 'human' : 'agent',
    successor: successor === 0 ? null : `E-${String(successor)}`,
  };
}
