/**
 * Writes snapshots while idle. Otherwise a window open for days would leave all of its lines to be folded by every gate
 * and program start. Uses another thread if available, else runs in steps that are abandoned on activity.
 */
import type { Store } from '../../store/store.ts';

/** After this idle time, a journal that grew by this much (about 500 and 50 lines) justifies a snapshot. */
const worth: readonly { readonly quietMs: number; readonly bytes: number }[] = [
  { quietMs: 3_000, bytes: 256 * 1024 },
  { quietMs: 5 * 60_000, bytes: 32 * 1024 },
];
/** How long steps run before yielding. Milliseconds. */
const turnMs = 5;

export interface IdleSaving {
  /** Reports activity: abandons the current snapshot and restarts the idle time. */
  stir(): void;
  stop(): void;
}

export interface IdleOptions {
  /** Writes the snapshot in another thread; then there are no steps to abandon. */
  readonly beside?: (() => Promise<void>) | undefined;
  readonly worthIt?: typeof worth;
}

/**
 * @param current returns the open store, if any
 * @param clock milliseconds
 */
export function saveWhenIdle(
  current: () => Store | null,
  clock: () => number,
  { beside, worthIt = worth }: IdleOptions = {},
): IdleSaving {
  // A per-program delay, so that programs on one store do not start together; the later one finds it done.
  const late = 1 + (clock() % 1_000) / 1_000;
  let waiting: NodeJS.Timeout[] = [];
  let saving: { readonly store: Store; readonly steps: Iterator<void, void> } | null = null;
  let elsewhere = false;

  function begin(bytes: number): void {
    const store = current();
    if (!store || saving || elsewhere) return;
    try {
      const steps = store.saving(bytes);
      if (steps && beside) {
        elsewhere = true;
        // Only a cache: a failed snapshot is retried after the next change.
        const over = () => {
          elsewhere = false;
        };
        beside().then(over, over);
        return;
      }
      saving = steps && { store, steps };
      go();
    } catch {
      saving = null; // only a cache: retried after the next change
    }
  }

  function go(): void {
    if (saving && current() !== saving.store) stopSaving();
    const until = clock() + turnMs;
    while (saving) {
      if (saving.steps.next().done) saving = null;
      else if (clock() >= until) {
        setImmediate(goOn).unref();
        return;
      }
    }
  }

  function goOn(): void {
    try {
      go();
    } catch {
      saving = null;
    }
  }

  function stopSaving(): void {
    saving?.steps.return?.();
    saving = null;
  }

  function stop(): void {
    for (const timer of waiting) clearTimeout(timer);
    waiting = [];
    stopSaving();
  }

  return {
    stir() {
      stop();
      waiting = worthIt.map(({ quietMs, bytes }) => setTimeout(begin, quietMs * late, bytes).unref());
    },
    stop,
  };
}
