/**
 * Has a long journal read in another thread or program, which saves its state, so that this one can open that instead of
 * being blocked by every line. Needed after an update of Holdpoint that saves states in another way, and on a machine
 * that is new to a journal.
 */
import type { Beside } from './beside.ts';
import type { FileSystem } from '../../store/journal/files.ts';
import { journalPath, seemingEnd } from '../../store/journal/segments.ts';
import type { SavedOrigin } from '../../store/saved/state.ts';
import { isManaged } from './managedPins.ts';
import { longReplay } from './saveLater.ts';

interface SavingFirst extends Pick<Beside, 'saveBeside' | 'readBeside'> {
  readonly fs: FileSystem;
  readonly root: string;
  /** Folder of an administrator's key ring: where there is one, no program starts from what a thread saves. */
  readonly managed: string;
  readonly mayWrite: () => boolean;
  readonly savedOrigin: () => SavedOrigin | undefined;
}

export interface SaveFirst {
  /** It is being read elsewhere, so that this thread need not. */
  readonly isReading: boolean;
  /**
   * Resolves at once if there is little to read. Several calls share one reading. Never rejects: the saved state is only
   * a cache.
   */
  read(): Promise<void>;
}

export function saveFirst({ fs, root, managed, mayWrite, savedOrigin, ...beside }: SavingFirst): SaveFirst {
  const elsewhere = beside.readBeside ?? beside.saveBeside;
  let reading: Promise<void> | null = null;

  function isLong(): boolean {
    const end = seemingEnd(fs, journalPath(root));
    if (end < longReplay) return false;
    return end - (savedOrigin()?.position ?? 0) >= longReplay;
  }

  async function readBeside(): Promise<void> {
    try {
      if (elsewhere && mayWrite() && !isManaged(fs, managed) && isLong()) await elsewhere();
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
