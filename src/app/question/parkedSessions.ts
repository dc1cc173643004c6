/**
 * Which session parked a question on this machine: a note in the user-level folder, which the host's hook writes. An agent
 * can write there too, so it is input like any other. On another machine there is none, and no such session.
 */
import path from 'node:path';
import * as z from 'zod';
import { resumableHost } from '../../core/records/policy.ts';
import { questionId } from '../../core/kit/fields.ts';
import { errorCode, replaceFile } from '../../store/journal/files.ts';
import { stateFileName } from '../../store/journal/stateFile.ts';
import { readNote } from '../workspace/thisMachine.ts';
import type { Workspace } from '../workspace/workspace.ts';

const note = z.strictObject({
  v: z.literal(1),
  host: resumableHost,
  session: z.string().max(200),
  /** Absolute: where the host was started. */
  folder: z.string().max(4_096),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type ParkedSession = z.infer<typeof note>;

/** @throws any error of the file system */
export function noteParkedSession(
  workspace: Workspace,
  id: string,
  session: Pick<ParkedSession, 'host' | 'session' | 'folder'>,
): void {
  const { fs, clock, newId } = workspace.options;
  const noted = note.parse({ v: 1, ...session, at: clock() });
  const file = fileOf(workspace, id);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(fs, file, Buffer.from(JSON.stringify(noted)), `${file}.${newId()}`);
}

/** Null without a note that can be read. */
export function parkedSession(workspace: Workspace, id: string): ParkedSession | null {
  return readNote(workspace.options.fs, fileOf(workspace, id), note);
}

function fileOf(workspace: Workspace, id: string): string {
  const store = stateFileName(workspace.location.root).replace('.json', '');
  return path.join(workspace.userFolder, 'parked', store, `${questionId.parse(id)}.json`);
}

const start = z.strictObject({
  v: z.literal(1),
  terminal: z.string().max(400),
  /** As shown, never run. */
  command: z.string().max(100_000),
  /** Milliseconds since the epoch. */
  at: z.number(),
  program: z.object({ pid: z.int(), started: z.string().nullable(), noted: z.number() }).nullable(),
  /** Its terminal was closed; the program may need a moment to end. */
  closed: z.literal(true).optional(),
});
export type Start = z.infer<typeof start>;

/** What was started last for a question that was parked at this time; null if nothing was. */
export function startOf(workspace: Workspace, id: string, parkedAt: string): Start | null {
  return readNote(workspace.options.fs, startFile(workspace, id, parkedAt), start);
}

/** Notes a start, for all windows of this machine. False where `first` is asked for and there was one. */
export function noteStart(
  workspace: Workspace,
  parked: { readonly id: string; readonly at: string },
  begun: Omit<Start, 'v'>,
  first = false,
): boolean {
  const { fs, newId } = workspace.options;
  const file = startFile(workspace, parked.id, parked.at);
  const bytes = Buffer.from(JSON.stringify({ v: 1, ...begun }));
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if (!first) {
    replaceFile(fs, file, bytes, `${file}.${newId()}`);
    return true;
  }
  try {
    const descriptor = fs.openSync(file, 'wx', 0o600);
    fs.writeSync(descriptor, bytes);
    fs.closeSync(descriptor);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function startFile(workspace: Workspace, id: string, parkedAt: string): string {
  return fileOf(workspace, id).replace(/\.json$/, `.started.${String(Date.parse(parkedAt))}.json`);
}
