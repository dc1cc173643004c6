/**
 * Notifies many listeners, each in its own turn of the event loop: together they would block the editor. Coalesces
 * notifications for a listener that is still due.
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
    // A listener that throws does not stop the others; its error is reported as usual.
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
