/**
 * A note from one window to the window that opens a folder: which item to show there. It is kept in the user-level folder,
 * because nothing is written into another workspace. It can only open a form, so it needs no authentication.
 */
import path from 'node:path';
import * as z from 'zod';
import { itemId } from '../../core/waiting/items.ts';
import { eventId } from '../../core/kit/fields.ts';
import { replaceFile, type FileSystem } from '../../store/journal/files.ts';

const openNote = z.strictObject({
  /** Absolute path of the folder that a window opens. */
  folder: z.string(),
  /** Null for a store that is UNKNOWN: the window shows the recovery options. */
  id: z.union([itemId, eventId]).nullable(),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type OpenNote = z.infer<typeof openNote>;

/** In the user-level folder. */
export const openNoteFile = 'open.json';
/** A new window starts within this time, even if it asks first whether to trust the folder. Milliseconds. */
const freshMs = 120_000;

interface Outside {
  readonly fs: FileSystem;
  readonly clock: () => number;
  readonly newId: () => string;
}

export function writeOpenNote(outside: Outside, userFolder: string, note: Omit<OpenNote, 'at'>): void {
  const { fs, clock, newId } = outside;
  const file = path.join(userFolder, openNoteFile);
  replaceFile(fs, file, Buffer.from(JSON.stringify({ ...note, at: clock() })), `${file}.${newId()}.tmp`);
}

/** Null for anything else in the file, and for a note that is too old. */
export function readOpenNote({ fs, clock }: Omit<Outside, 'newId'>, userFolder: string): OpenNote | null {
  try {
    const note = openNote.parse(JSON.parse(fs.readFileSync(path.join(userFolder, openNoteFile), 'utf8')));
    return Math.abs(clock() - note.at) < freshMs ? note : null;
  } catch {
    return null;
  }
}
