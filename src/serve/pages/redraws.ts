/** Draws after a burst of changes, each listener in its own turn of the event loop: requests are answered in between. */
import type { Closable } from '../../ui/kit/disposables.ts';
import { inTurns } from '../../ui/kit/inTurns.ts';

/** Milliseconds. */
const burstMs = 80;

export interface Redraws extends Closable {
  event(draw: () => void): Closable;
  soon(): void;
}

export function createRedraws(): Redraws {
  const draws = inTurns();
  let timer: NodeJS.Timeout | undefined;
  return {
    event: draws.event,
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined;
        draws.fire();
      }, burstMs);
    },
    dispose() {
      clearTimeout(timer);
      draws.dispose();
    },
  };
}
