/**
 * A note to the window that has a folder open, or is about to: which item to show there. The command line writes it, and a
 * window that opens another folder. It is kept in the user-level folder, because nothing is written into another
 * workspace. It can only open a form, so it needs no authentication.
 */
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import { hasItem, isRfcId, itemId } from '../../core/waiting/items.ts';
import { eventId } from '../../core/kit/fields.ts';
import { readOrNull, replaceFile, type FileSystem } from '../../store/journal/files.ts';
import { AppError } from '../workspace/errors.ts';
import type { Workspace } from '../workspace/workspace.ts';

const openNote = z.strictObject({
  /** Absolute path of the folder that a window opens, or root of a store. */
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

/** Only the first that asks gets it. Null for anything else in the file, and for a note that is too old or not wanted. */
export function takeOpenNote(
  { fs, clock }: Omit<Outside, 'newId'>,
  userFolder: string,
  isWanted: (folder: string) => boolean,
): OpenNote | null {
  const file = path.join(userFolder, openNoteFile);
  try {
    const note = openNote.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
    if (Math.abs(clock() - note.at) >= freshMs || !isWanted(note.folder)) return null;
    fs.rmSync(file);
    return note;
  } catch {
    return null;
  }
}

/**
 * Asks an editor to open the form of an item, and returns whether one did, within a few seconds. What was not taken is
 * withdrawn: nothing opens by itself later.
 * @throws AppError `not_found` for an unknown question or RFC
 */
export async function openInEditor(workspace: Workspace, id: string, signal: AbortSignal): Promise<boolean> {
  const { options, userFolder, location } = workspace;
  const { state } = workspace.standing();
  if (!state || !hasItem(state, id))
    throw new AppError('not_found', isRfcId(id) ? `there is no ${id}` : `there is no item ${id}`);
  writeOpenNote(options, userFolder, { folder: location.root, id });
  const isThere = () => readOrNull(options.fs, path.join(userFolder, openNoteFile)) !== null;
  for (let waited = 0; waited < takenWithinMs && isThere() && !signal.aborted; waited += lookEveryMs)
    await setTimeout(lookEveryMs);
  return !isThere() || takeOpenNote(options, userFolder, (folder) => folder === location.root) === null;
}

/** An editor's watcher can be slow. */
const takenWithinMs = 4_000;
const lookEveryMs = 50;
