/** Measures how long the event loop is blocked during an act. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

export interface Paused<T> {
  readonly result: T;
  /** Duration, and the longest time without a turn of the event loop. Milliseconds. */
  readonly ms: number;
  readonly pause: number;
}

export async function longestPause<T>(act: () => T | Promise<T>): Promise<Paused<T>> {
  let pause = 0;
  const done = new AbortController();
  let last = performance.now();
  const watching = (async () => {
    for (;;) {
      const now = performance.now();
      pause = Math.max(pause, now - last);
      last = now;
      if (done.signal.aborted) return;
      await nextTurn();
    }
  })();
  await nextTurn();
  const began = performance.now();
  try {
    const result = await act();
    const ms = performance.now() - began;
    done.abort();
    await watching;
    return { result, ms, pause };
  } finally {
    done.abort();
  }
}

/** A baseline without any act: the cost of the machine and of measuring. */
export async function idlePause(ms: number): Promise<number> {
  return (await longestPause(() => sleep(ms))).pause;
}
