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
  { forMs, signal, onTick }: WaitOptions,
): Promise<T> {
  const started = workspace.options.clock();
  let changes = 0;
  let wake: (() => void) | undefined;
  const change = () => {
    changes++;
    wake?.();
  };
  const stop = workspace.onChange(change);
  const tick = setInterval(() => onTick?.(workspace.options.clock() - started), tickMs);
  let isLate = forMs <= 0;
  const end = () => {
    isLate = true;
    change();
  };
  const timer = Number.isFinite(forMs) ? setTimeout(end, Math.min(forMs, 2 ** 31 - 1)) : undefined;
  signal.addEventListener('abort', change);
  try {
    for (let first = true; ; first = false) {
      const before = changes;
      const seen = look((await workspace.store()).read());
      if (isLate || signal.aborted || isOver(seen)) return seen;
      if (first) onTick?.(0);
      if (changes === before)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    stop();
    clearInterval(tick);
    clearTimeout(timer);
    signal.removeEventListener('abort', change);
  }
}
