/** How long a program's loop of events stands still while something goes on in it. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

export interface Paused<T> {
  readonly result: T;
  /** How long it took, and the longest time in which nothing else got its turn. Milliseconds. */
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

/** Nothing at all, for as long: what the machine and the measuring cost by themselves. */
export async function idlePause(ms: number): Promise<number> {
  return (await longestPause(() => sleep(ms))).pause;
}
