/**
 * Snapshots while nothing happens. A window open for days would else leave all of its lines to be folded by every gate and
 * every program that starts. They are written by another thread where there is one for it, else in steps, which are given up
 * when something happens in between.
 */
import type { Store } from '../../store/store.ts';

/** After this long without any act, a journal that grew by this much (about 500 and 50 lines) is worth a snapshot. */
const worth: readonly { readonly quietMs: number; readonly bytes: number }[] = [
  { quietMs: 3_000, bytes: 256 * 1024 },
  { quietMs: 5 * 60_000, bytes: 32 * 1024 },
];
/** How long steps are taken before others get their turn. Milliseconds. */
const turnMs = 5;

export interface IdleSaving {
  /** Something happened: what is being written is given up, and the wait begins anew. */
  stir(): void;
  stop(): void;
}

export interface IdleOptions {
  /** Lets another thread do it; then nothing is done in steps, and nothing given up. */
  readonly beside?: (() => Promise<void>) | undefined;
  readonly worthIt?: typeof worth;
}

/**
 * @param current the store that is open now, if any
 * @param clock milliseconds
 */
export function saveWhenIdle(
  current: () => Store | null,
  clock: () => number,
  { beside, worthIt = worth }: IdleOptions = {},
): IdleSaving {
  // Programs that follow one store do not begin at the same moment: who comes later finds that it is done.
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
        // A cache: where it fails, it is tried again after what happens next.
        const over = () => {
          elsewhere = false;
        };
        beside().then(over, over);
        return;
      }
      saving = steps && { store, steps };
      go();
    } catch {
      saving = null; // a cache: it is tried again after what happens next
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
