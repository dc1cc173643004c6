/**
 * Tells many listeners, each in a turn of its own: together they would keep the editor's other work waiting for all of
 * them. Who has not had its turn yet is told once, however much has happened.
 */
import type { Closable } from './disposables.ts';

export interface InTurns {
  event(listener: () => void): Closable;
  fire(): void;
  dispose(): void;
}

/** @param nextTurn calls back in a later turn of the event loop */
export function inTurns(nextTurn: (run: () => void) => void = setImmediate): InTurns {
  const listeners = new Set<() => void>();
  const waiting = new Set<() => void>();
  let going = false;

  function go(): void {
    const [next] = waiting;
    going = next !== undefined;
    if (!next) return;
    waiting.delete(next);
    // The others come after it even if it throws, and its error is told as any other.
    nextTurn(go);
    next();
  }

  return {
    event(listener) {
      const one = () => {
        listener();
      };
      listeners.add(one);
      return {
        dispose() {
          listeners.delete(one);
          waiting.delete(one);
        },
      };
    },
    fire() {
      for (const listener of listeners) waiting.add(listener);
      if (going) return;
      going = true;
      nextTurn(go);
    },
    dispose() {
      listeners.clear();
      waiting.clear();
    },
  };
}
