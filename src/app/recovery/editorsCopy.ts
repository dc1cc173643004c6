/**
 * The editor's own copy of a journal, file by file. Only what is new is read and written, at its offset, so that windows
 * which do this at once write the same.
 */
import { closeQuietly, makeFolderOf, readRange, replaceFile } from '../../store/journal/files.ts';
import { openJournal, type OpenJournal } from '../../store/journal/openJournal.ts';
import { journalPath, namedSegments, segmentPath } from '../../store/journal/segments.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface EditorsCopy {
  /**
   * Brings the copy up to date. Does nothing while the store is UNKNOWN. If the journal does not continue the copy (after
   * starting over or restoring), the copy is kept under other names.
   * @throws when the disk refuses; the next update tries again
   */
  update(): void;
  close(): void;
}

/** How a file of the copy relates to the journal's: missing, a prefix, identical, or different. */
type Relation = 'none' | 'beginning' | 'same' | 'other';

/** One file of the copy, and what it is to contain: the journal from `base` to `end`. */
interface Part {
  readonly file: string;
  readonly base: number;
  readonly end: number;
}

/** A file of the copy that was compared or written: while its mark stays the same, so does its content. */
interface Known {
  readonly mark: string;
  readonly size: number;
}

export function openCopy(workspace: Workspace, copyFile: string): EditorsCopy {
  const { fs, newId } = workspace.options;
  let journal: { readonly files: OpenJournal; seals: number } | null = null;
  const known = new Map<string, Known>();

  /** The journal of the last update, if it is still the same files; else what was known is void. */
  function journalWith(seals: readonly number[]): { readonly files: OpenJournal; readonly size: number } | null {
    for (const end of seals.slice(journal?.seals)) journal?.files.endSegment(end);
    if (journal) journal.seals = seals.length;
    const size = journal?.files.size();
    if (journal && typeof size === 'number') return { files: journal.files, size };
    close();
    const files = openJournal(fs, journalPath(workspace.location.root), seals);
    if (!files) return null;
    journal = { files, seals: seals.length };
    const first = files.size();
    if (typeof first !== 'number') throw new Error('the journal is missing or has changed');
    return { files, size: first };
  }

  function update(): void {
    const { problem, state } = workspace.standing();
    const found = problem ? null : journalWith(state.seals);
    if (!found || !state) return;
    const { files, size } = found;
    const parts = [0, ...state.seals].map((base, index): Part => ({
      file: segmentPath(copyFile, index + 1, base),
      base,
      end: state.seals[index] ?? size,
    }));
    const relations = parts.map((part) => relationOf(part, files));
    if (relations.includes('other') || hasGaps(relations)) {
      putAside();
      relations.fill('none');
    }
    makeFolderOf(fs, copyFile);
    for (const [index, part] of parts.entries()) {
      if (relations[index] === 'none') write(part, files);
      if (relations[index] === 'beginning') extend(part, files);
    }
  }

  function relationOf(part: Part, files: OpenJournal): Relation {
    const { file, base, end } = part;
    const mark = markOf(file);
    if (mark === null) return 'none';
    const { size, mark: now } = mark;
    if (size > end - base) return 'other';
    const before = known.get(file);
    if (before?.mark !== now) {
      const reader = fs.openSync(file, 'r');
      try {
        if (!readRange(fs, reader, 0, size).equals(files.read(base, base + size))) return 'other';
      } finally {
        closeQuietly(fs, reader);
      }
      known.set(file, mark);
    }
    return size === end - base ? 'same' : 'beginning';
  }

  function write({ file, base, end }: Part, files: OpenJournal): void {
    replaceFile(fs, file, files.read(base, end), `${file}.${newId()}.tmp`);
    remember(file);
  }

  /** What is there stays as it is, so a crash can at most leave an incomplete last line, which the next update completes. */
  function extend({ file, base, end }: Part, files: OpenJournal): void {
    const writer = fs.openSync(file, 'r+');
    try {
      const from = known.get(file)?.size ?? 0;
      const bytes = files.read(base + from, end);
      for (let done = 0; done < bytes.length;)
        done += fs.writeSync(writer, bytes, done, bytes.length - done, from + done);
      fs.fdatasyncSync(writer);
    } finally {
      closeQuietly(fs, writer);
    }
    remember(file);
  }

  function remember(file: string): void {
    const mark = markOf(file);
    if (mark) known.set(file, mark);
  }

  function markOf(file: string): Known | null {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!stat) return null;
    const { dev, ino, size, mtimeMs, ctimeMs } = stat;
    return { size, mark: [dev, ino, size, mtimeMs, ctimeMs].join(' ') };
  }

  function putAside(): void {
    for (const file of [copyFile, ...namedSegments(fs, copyFile).map((named) => named.file)])
      if (fs.existsSync(file)) fs.renameSync(file, `${file}.aside-${newId()}`);
    known.clear();
  }

  function close(): void {
    journal?.files.close();
    journal = null;
    known.clear();
  }

  return { update, close };
}

/** A file that is incomplete or missing before one that is there. */
function hasGaps(relations: readonly Relation[]): boolean {
  return relations.some((one, index) => one !== 'same' && relations.slice(index + 1).some((later) => later !== 'none'));
}
