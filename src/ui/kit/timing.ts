/** When things run: in turn, in turns of their own, once for each change, or after a while; and what is closed together. */
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { State } from '../../core/state/state.ts';

export interface Closable {
  readonly dispose: () => unknown;
}

export interface Disposables extends Closable {
  add<T extends Closable>(item: T): T;
}

export function collect(): Disposables {
  const items: Closable[] = [];
  return {
    add(item) {
      items.push(item);
      return item;
    },
    dispose() {
      for (const item of items.splice(0).reverse()) item.dispose();
    },
  };
}

// When things run: in turn, in turns of their own, once for each change, or after a while.

/** Runs redraws one after another: requests during a redraw are coalesced into one. */
export function inTurn(draw: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const start = () => {
    next = null;
    return draw();
  };
  return () => {
    next ??= last = last.then(start, start);
    return next;
  };
}

// Notifies many listeners, each in its own turn of the event loop: together they would block the editor. Coalesces
// notifications for a listener that is still due.

/** @param nextTurn calls back in a later turn of the event loop */
export function inTurns(nextTurn: (run: () => void) => void = setImmediate) {
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
    event(listener: () => void): Closable {
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

// Values of a state that several views show: computed once for each position of its journal, and shared.

export type HasPosition = Pick<Workspace, 'position'>;

/**
 * Returns a function of a workspace and its state as it is now.
 * @param compute must depend on the state alone, not on the time
 */
export function perChange<T>(compute: (state: State) => T): (workspace: HasPosition, state: State) => T {
  const known = new WeakMap<State, { readonly position: number | undefined; readonly value: T }>();
  return (workspace, state) => {
    const position = workspace.position()?.position;
    const kept = known.get(state);
    if (kept && kept.position === position) return kept.value;
    const value = compute(state);
    known.set(state, { position, value });
    return value;
  };
}

/** Sooner, a message would only flicker. Milliseconds. */
const slowMs = 1_000;

/** Calls back if something takes so long that a human would take an empty view for the result. */
export function whenSlow(ready: Promise<void>, say: () => unknown): Closable {
  const timer = setTimeout(say, slowMs);
  const stop = () => {
    clearTimeout(timer);
  };
  void ready.then(stop);
  return { dispose: stop };
}

/** Runs once for a burst of requests, this long after the first. */
export function oncePerBurst(ms: number, run: () => unknown): Closable & { soon(): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined;
        void run();
      }, ms);
    },
    dispose() {
      clearTimeout(timer);
    },
  };
}
