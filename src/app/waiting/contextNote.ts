/**
 * What a host's hook learned about the context of the session that calls one of Holdpoint's own tools: a note in the
 * user-level folder, which the tool takes. The tool's name and input relate both. An agent can write there too, so it is
 * input like any other, and only shown.
 */
import path from 'node:path';
import * as z from 'zod';
import { contextLimits, contextUse } from '../../core/records/waitNote.ts';
import type { ContextUse } from '../../core/records/waitNote.ts';
import { replaceFile } from '../../store/journal/files.ts';
import type { FileSystem } from '../../store/journal/files.ts';
import { hashOf } from '../../trust/canonical.ts';

export interface NotePlace {
  readonly fs: FileSystem;
  readonly userFolder: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

interface ToolCall {
  /** The tool's own name, such as `holdpoint_await_answer`. */
  readonly name: string;
  readonly input: object;
}

export interface UsedContext extends ContextUse {
  /** When the hook ran, right after the model (milliseconds since the epoch). */
  readonly at: number;
}

const note = z.strictObject({ v: z.literal(1), at: z.number(), ...contextUse() });
const keptAtMost = 200;

function folderOf({ userFolder }: NotePlace): string {
  return path.join(userFolder, 'hooks', 'contexts');
}

/** @throws TypeError for input without one canonical form */
function fileOf(place: NotePlace, { name, input }: ToolCall): string {
  return path.join(folderOf(place), hashOf([name, input]).slice(0, 32));
}

/** @throws what the file system throws */
export function noteContext(place: NotePlace, call: ToolCall, use: ContextUse, newId: () => string): void {
  const { fs, clock } = place;
  const file = fileOf(place, call);
  fs.mkdirSync(folderOf(place), { recursive: true, mode: 0o700 });
  replaceFile(fs, file, Buffer.from(JSON.stringify(note.parse({ v: 1, at: clock(), ...use }))), `${file}.${newId()}`);
  // Of calls that were denied, or that no tool took.
  const names = fs.readdirSync(folderOf(place));
  if (names.length > keptAtMost) for (const name of names) fs.rmSync(path.join(folderOf(place), name), { force: true });
}

/** Removes the note; null without one that is recent and readable. */
export function takeContext(place: NotePlace, call: ToolCall): UsedContext | null {
  try {
    const file = fileOf(place, call);
    if (place.fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return null;
    const { v: _, ...found } = note.parse(JSON.parse(place.fs.readFileSync(file, 'utf8')));
    place.fs.rmSync(file, { force: true });
    const ago = place.clock() - found.at;
    return ago >= 0 && ago <= contextLimits.agoMs ? found : null;
  } catch {
    return null;
  }
}
