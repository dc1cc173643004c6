/** Requests of one side that wait for the other side's response. */
import { BrokenConnection, keyOf } from './messages.ts';
import type { Id } from './messages.ts';

export interface Pending<T> {
  /** @throws BrokenConnection for an id that waits already: the response would be of both */
  add(id: Id, request: T): void;
  /** Undefined for a response that nothing waits for. */
  take(id: Id): T | undefined;
  ids(): Id[];
}

const atMost = 10_000;

export function openPending<T>(): Pending<T> {
  const waiting = new Map<string, { readonly id: Id; readonly request: T }>();
  return {
    add(id, request) {
      const key = keyOf(id);
      if (waiting.has(key)) throw new BrokenConnection(`the id ${key.slice(0, 80)} is in use for another request`);
      if (waiting.size >= atMost) throw new BrokenConnection('too many requests without a response');
      waiting.set(key, { id, request });
    },
    take(id) {
      const found = waiting.get(keyOf(id));
      waiting.delete(keyOf(id));
      return found?.request;
    },
    ids: () => [...waiting.values()].map(({ id }) => id),
  };
}
