import type { Closable } from '../../ui/kit/disposables.ts';

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
