/** Waits for a human until a condition is met, time is up or the caller is gone. */
import type { View } from '../../store/store.ts';
import type { Workspace } from './workspace.ts';

export interface WaitOptions {
  /** Milliseconds; 0 checks once, Infinity waits for the signal. */
  readonly forMs: number;
  readonly signal: AbortSignal;
  /** Called periodically while waiting, for progress reports. */
  readonly onTick?: ((waitedMs: number) => void) | undefined;
}

const tickMs = 5_000;

/**
 * Checks after each change. Returns the last value, however the wait ended. Gets the store each time, because recovery
 * opens it again.
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
