/** Applies a plan completely or not at all. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { realOf } from './git.ts';
import { SetupError } from './place.ts';
import type { Place } from './place.ts';
import { readMemory, sha256, writeMemory } from './plan.ts';
import type { FileChange, Memory } from './plan.ts';

/** @throws SetupError when a file changed since the plan was made; all files are restored first */
export function applySetup(place: Pick<Place, 'userFolder' | 'workspace'>, changes: readonly FileChange[]): void {
  for (const change of changes)
    if (!isAs(change.real, change.before))
      throw new SetupError(`${change.file} changed in the meantime. Review again; nothing was written.`);
  const memory = readMemory(place.userFolder, realOf(place.workspace));
  const folders = [...memory.folders];
  // First, so that the user's bytes are safe whatever happens next.
  writeMemory(place.userFolder, after(memory, changes, folders));
  const done: FileChange[] = [];
  try {
    for (const change of changes) {
      makeFolder(path.dirname(change.real), folders);
      write(change, change.after);
      done.push(change);
    }
  } catch (error) {
    for (const change of done.reverse()) write(change, change.before);
    dropEmpty(folders);
    writeMemory(place.userFolder, memory);
    const why = error instanceof Error ? error.message : String(error);
    throw new SetupError(`Setting up failed: ${why}. All files were restored.`, { cause: error });
  }
  const left = after(memory, changes, folders);
  writeMemory(place.userFolder, { ...left, folders: dropEmpty(folders) });
}

function after(memory: Memory, changes: readonly FileChange[], folders: readonly string[]): Memory {
  const files = new Map(Object.entries(memory.files));
  for (const { real, base, after: written } of changes) {
    const restored = written === null ? base === null : base?.equals(written) === true;
    if (restored || written === null) files.delete(real);
    else files.set(real, { before: base?.toString('base64') ?? null, after: sha256(written) });
  }
  return { ...memory, files: Object.fromEntries(files), folders: [...folders] };
}

function isAs(file: string, bytes: Buffer | null): boolean {
  if (!fs.existsSync(file)) return bytes === null;
  return bytes !== null && fs.readFileSync(file).equals(bytes);
}

function write({ real, mode }: FileChange, bytes: Buffer | null): void {
  if (bytes === null) {
    fs.rmSync(real, { force: true });
    return;
  }
  const kept = fs.statSync(real, { throwIfNoEntry: false })?.mode;
  const temporary = `${real}.${randomUUID()}.tmp`;
  try {
    fs.writeFileSync(temporary, bytes, { flag: 'wx', mode });
    if (kept !== undefined) fs.chmodSync(temporary, kept & 0o7777);
    fs.renameSync(temporary, real);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Creates a folder and records each folder it had to create. */
function makeFolder(folder: string, made: string[]): void {
  if (fs.existsSync(folder)) return;
  makeFolder(path.dirname(folder), made);
  fs.mkdirSync(folder);
  if (!made.includes(folder)) made.push(folder);
}

/** Removes those folders created by setup that are empty; returns the others. */
function dropEmpty(folders: readonly string[]): string[] {
  return [...folders]
    .sort((a, b) => b.length - a.length)
    .filter((folder) => {
      try {
        fs.rmdirSync(folder);
        return false;
      } catch {
        return fs.existsSync(folder);
      }
    });
}
