/**
 * The editor's own copy of a journal. Only what is new is read and written, at its offset, so that windows which do this
 * at once write the same.
 */
import { closeQuietly, makeFolderOf, readRange, replaceFile, journalPath } from '../../store/journal/files.ts';
import { openJournal, type OpenJournal } from '../../store/journal/openJournal.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface EditorsCopy {
  /**
   * Brings the copy up to date. Does nothing while the store is UNKNOWN. If the journal does not continue the copy (after
   * starting over or restoring), the copy is kept under another name.
   * @throws when the disk refuses; the next update tries again
   */
  update(): void;
  close(): void;
}

/** The copy when it was compared or written: while its mark stays the same, so does its content. */
interface Known {
  readonly mark: string;
  readonly size: number;
}

export function openCopy(workspace: Workspace, copyFile: string): EditorsCopy {
  const { fs, newId } = workspace.options;
  let journal: OpenJournal | null = null;
  let known: Known | null = null;

  /** The journal of the last update, if it is still the same file; else what was known is void. */
  function openedJournal(): { readonly file: OpenJournal; readonly size: number } | null {
    const size = journal?.size();
    if (journal && typeof size === 'number') return { file: journal, size };
    close();
    journal = openJournal(fs, journalPath(workspace.location.root));
    if (!journal) return null;
    const first = journal.size();
    if (typeof first !== 'number') throw new Error('the journal is missing or has changed');
    return { file: journal, size: first };
  }

  function update(): void {
    const found = workspace.standing().problem ? null : openedJournal();
    if (!found) return;
    const { file, size } = found;
    const copied = sizeOfBeginning(file, size);
    if (copied === size) return;
    makeFolderOf(fs, copyFile);
    if (copied === null) replaceFile(fs, copyFile, file.read(0, size), `${copyFile}.${newId()}.tmp`);
    else extend(file, copied, size);
    known = seen();
  }

  /** How much of the journal the copy has; null without a copy. One that is of another journal is put aside. */
  function sizeOfBeginning(file: OpenJournal, size: number): number | null {
    const now = seen();
    if (now === null) return null;
    if (now.size <= size && (now.mark === known?.mark || isSame(file, now.size))) {
      known = now;
      return now.size;
    }
    fs.renameSync(copyFile, `${copyFile}.aside-${newId()}`);
    return null;
  }

  function isSame(file: OpenJournal, size: number): boolean {
    const reader = fs.openSync(copyFile, 'r');
    try {
      return readRange(fs, reader, 0, size).equals(file.read(0, size));
    } finally {
      closeQuietly(fs, reader);
    }
  }

  /** What is there stays as it is, so a crash can at most leave an incomplete last line, which the next update completes. */
  function extend(file: OpenJournal, from: number, to: number): void {
    const writer = fs.openSync(copyFile, 'r+');
    try {
      const bytes = file.read(from, to);
      for (let done = 0; done < bytes.length;)
        done += fs.writeSync(writer, bytes, done, bytes.length - done, from + done);
      fs.fdatasyncSync(writer);
    } finally {
      closeQuietly(fs, writer);
    }
  }

  function seen(): Known | null {
    const stat = fs.lstatSync(copyFile, { throwIfNoEntry: false });
    if (!stat) return null;
    const { dev, ino, size, mtimeMs, ctimeMs } = stat;
    return { size, mark: [dev, ino, size, mtimeMs, ctimeMs].join(' ') };
  }

  function close(): void {
    journal?.close();
    journal = null;
    known = null;
  }

  return { update, close };
}
