/**
 * Writes snapshots while idle. Otherwise a window open for days would leave all of its lines to be folded by every gate
 * and program start.
 */
import { ignoreErrors } from '../../store/journal/problem.ts';
import type { Store } from '../../store/store.ts';
import { journalPath, type FileSystem } from '../../store/journal/files.ts';
import { isManaged } from './thisMachine.ts';

/** After this idle time, a journal that grew by this much (about 500 and 50 lines) justifies a snapshot. */
const worth: readonly { readonly quietMs: number; readonly bytes: number }[] = [
  { quietMs: 3_000, bytes: 256 * 1024 },
  { quietMs: 5 * 60_000, bytes: 32 * 1024 },
];

export interface IdleOptions {
  /** Writes the snapshot in another thread. Default: in this one. */
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
) {
  // A per-program delay, so that programs on one store do not start together; the later one finds it done.
  const late = 1 + (clock() % 1_000) / 1_000;
  let waiting: NodeJS.Timeout[] = [];
  let elsewhere = false;

  // Only a cache: what fails is tried again after the next change.
  function save(bytes: number): void {
    ignoreErrors(() => {
      const store = current();
      if (elsewhere || !store?.hasGrown(bytes)) return;
      if (!beside) {
        store.save();
        return;
      }
      elsewhere = true;
      const over = () => {
        elsewhere = false;
      };
      beside().then(over, over);
    });
  }

  function stop(): void {
    for (const timer of waiting) clearTimeout(timer);
    waiting = [];
  }

  return {
    /** Reports activity, which restarts the idle time. */
    stir() {
      stop();
      waiting = worthIt.map(({ quietMs, bytes }) => setTimeout(save, quietMs * late, bytes).unref());
    },
    stop,
  };
}

/** Replaying this much takes long (a thousand lines, or a few large ones). Bytes. */
export const longReplay = 1024 * 1024;

interface Reading {
  /** Saves in another thread. */
  readonly saveBeside?: (() => Promise<void>) | undefined;
  readonly fs: FileSystem;
  readonly root: string;
  /** Folder of an administrator's key ring: where there is one, what a thread saves is not valid. */
  readonly managed: string;
  readonly mayWrite: () => boolean;
  /** How much of the journal is saved. */
  readonly savedTo: () => number;
}

/** Never rejects: anything not saved is read in this thread, which finds its errors. */
export async function readFirst({ fs, saveBeside, root, managed, mayWrite, savedTo }: Reading): Promise<void> {
  try {
    const end = fs.statSync(journalPath(root)).size;
    if (!saveBeside || !mayWrite() || end < longReplay || isManaged(fs, managed)) return;
    if (end - savedTo() >= longReplay) await saveBeside();
  } catch {
    return;
  }
}
