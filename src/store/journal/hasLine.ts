/** Whether the journal's files have a certain line. */
import type { FileSystem } from './files.ts';
import { openJournal, type OpenJournal, hashOfLineAt, longestLine } from './openJournal.ts';
import { journalPath } from './segments.ts';

/** Most lines are shorter. Bytes. */
const usualLine = 16 * 1024;

export interface LineEnd {
  readonly root: string;
  /** Offset after the line. */
  readonly position: number;
  /** Its hash, which also covers everything before it. */
  readonly head: string;
}

/** @param ends where the journal's seals end */
export function hasLine(fs: FileSystem, { root, position, head }: LineEnd, ends: readonly number[]): boolean {
  let journal: OpenJournal | null = null;
  try {
    journal = openJournal(fs, journalPath(root), ends);
    const size = journal?.size();
    if (!journal || typeof size !== 'number') return false;
    for (const length of [usualLine, longestLine]) {
      const from = Math.max(0, position - length);
      const bytes = journal.read(from, Math.min(position + 1, size));
      const hash = hashOfLineAt(bytes, from, position);
      if (hash !== null) return hash === head;
    }
    return false;
  } catch {
    return false;
  } finally {
    journal?.close();
  }
}
