/**
 * Reads a long journal in another thread, which saves its state, so that this one can open that instead of being blocked
 * by every line. Needed after an update of Holdpoint that saves states in another way, and on a machine that is new to a
 * journal.
 */
import type { FileSystem } from '../../store/journal/files.ts';
import { journalPath, seemingEnd } from '../../store/journal/segments.ts';
import type { SavedOrigin } from '../../store/saved/state.ts';
import { isManaged } from './managedPins.ts';
import { longReplay } from './saveLater.ts';

interface SavingFirst {
  readonly fs: FileSystem;
  readonly root: string;
  /** Reads the journal and writes a snapshot in another thread. */
  readonly saveBeside?: (() => Promise<void>) | undefined;
  /** Folder of an administrator's key ring: where there is one, no program starts from what a thread saves. */
  readonly managed: string;
  readonly mayWrite: () => boolean;
  readonly savedOrigin: () => SavedOrigin | undefined;
}

export interface SaveFirst {
  /** Another thread is reading, so that this one need not. */
  readonly isReading: boolean;
  /**
   * Resolves at once if there is little to read. Several calls share one reading. Never rejects: the saved state is only
   * a cache.
   */
  read(): Promise<void>;
}

export function saveFirst({ fs, root, saveBeside, managed, mayWrite, savedOrigin }: SavingFirst): SaveFirst {
  let reading: Promise<void> | null = null;

  function isLong(): boolean {
    const end = seemingEnd(fs, journalPath(root));
    if (end < longReplay) return false;
    const saved = savedOrigin();
    saved?.close();
    return end - (saved?.position ?? 0) >= longReplay;
  }

  async function readBeside(): Promise<void> {
    try {
      if (saveBeside && mayWrite() && !isManaged(fs, managed) && isLong()) await saveBeside();
    } catch {
      // The caller reads the journal itself, and finds what is wrong with it.
    }
  }

  return {
    get isReading() {
      return reading !== null;
    },
    read: () =>
      (reading ??= readBeside().finally(() => {
        reading = null;
      })),
  };
}
