/**
 * Has most of a long journal read and saved in another thread, so that every line of it does not block this one: after an
 * update of Holdpoint, and on a machine that is new to the journal.
 */
import { journalPath, type FileSystem } from '../../store/journal/files.ts';
import type { Beside } from './beside.ts';
import { isManaged } from './thisMachine.ts';

/** Replaying this much takes long (a thousand lines, or a few large ones). Bytes. */
export const longReplay = 1024 * 1024;

interface Reading extends Pick<Beside, 'saveBeside'> {
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
