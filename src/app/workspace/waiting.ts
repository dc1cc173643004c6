/** Waiting for a human: until what is looked at says it is over, the time is up or the caller has gone. */
import type { View } from '../../store/store.ts';
import type { Workspace } from './workspace.ts';

export interface WaitOptions {
  /** Milliseconds; 0 looks once, Infinity waits until the signal. */
  readonly forMs: number;
  readonly signal: AbortSignal;
  /** Called now and then while waiting, so that a head can report progress. */
  readonly onTick?: ((waitedMs: number) => void) | undefined;
}

const tickMs = 5_000;

/**
 * Looks after each change. Returns what was seen last: whatever ends the wait, what was waited for stands.
 * The store is asked for each time: a human's way out of trouble opens it anew.
 */
export async function waitUntil<T>(
  workspace: Workspace,
  look: (view: View) => T,
  isOver: (seen: T) => boolean,
  options: WaitOptions,
): Promise<T> {
  const started = workspace.options.clock();
  let changes = 0;
  let ended = options.forMs <= 0 || options.signal.aborted;
  let wake: (() => void) | undefined;
  const end = () => {
    ended = true;
    wake?.();
  };
  const stop = workspace.onChange(() => {
    changes++;
    wake?.();
  });
  let ticked = false;
  const tick = setInterval(() => options.onTick?.(workspace.options.clock() - started), tickMs);
  const timer = Number.isFinite(options.forMs) ? setTimeout(end, Math.min(options.forMs, 2 ** 31 - 1)) : undefined;
  options.signal.addEventListener('abort', end);
  try {
    for (;;) {
      const before = changes;
      const seen = look((await workspace.store()).read());
      if (ended || isOver(seen)) return seen;
      if (!ticked) options.onTick?.(0);
      ticked = true;
      if (changes === before)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    stop();
    clearInterval(tick);
    clearTimeout(timer);
    options.signal.removeEventListener('abort', end);
  }
}
