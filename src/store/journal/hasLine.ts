/** Whether the journal's files have a certain line. */
import type { FileSystem } from './files.ts';
import { openJournal, type OpenJournal, lineEndingAt, longestLine } from './openJournal.ts';
import { journalPath } from './places.ts';

/** Most lines are shorter. Bytes. */
const usualLine = 16 * 1024;

export interface LineEnd {
  readonly root: string;
  /** Offset after the line. */
  readonly position: number;
  /** Its hash, which also covers everything before it. */
  readonly head: string;
}

export function hasLine(fs: FileSystem, { root, position, head }: LineEnd): boolean {
  let journal: OpenJournal | null = null;
  try {
    journal = openJournal(fs, journalPath(root));
    const size = journal?.size();
    if (!journal || typeof size !== 'number') return false;
    for (const length of [usualLine, longestLine]) {
      const from = Math.max(0, position - length);
      const bytes = journal.read(from, Math.min(position + 1, size));
      const line = lineEndingAt(bytes, from, position);
      if (line) return line.hash === head;
    }
    return false;
  } catch {
    return false;
  } finally {
    journal?.close();
  }
}
