/**
 * What the fence has made read-only in this copy of a workspace, with the mode that each file had. Kept beside the anchor,
 * and written before a file's mode changes: whatever happens then, a later program can undo it.
 */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { jsonOrNull } from '../../core/kit/json.ts';
import { closeQuietly, errorCode, makeFolderOf, putFile, readOrNull } from '../../store/journal/files.ts';
import { programsOf } from '../../store/journal/programs.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { fenceFile } from './fenceFile.ts';

const notes = z.strictObject({
  v: z.literal(1),
  /** Stands for the holds that these files are about. */
  mark: z.string(),
  /** Hashes of the baselines whose files are here. */
  baselines: z.array(z.string()),
  /** Paths relative to the store's root, `/`-separated, and the permission bits that each file had. */
  files: z.record(z.string(), z.int().min(0).max(0o7777)),
  /** Those of the files whose mode may not have been changed yet. */
  pending: z.array(z.string()),
});
export type FenceNotes = z.infer<typeof notes>;

/** As last read: an editor asks with every change of its store. */
const known = new WeakMap<Workspace, { readonly stamp: string; readonly notes: FenceNotes }>();

/** Null without a fence. @throws Error if they cannot be read: then nothing is known, and nothing is changed */
export function readFenceNotes(workspace: Workspace): FenceNotes | null {
  const { fs } = workspace.options;
  const file = fenceFile(workspace);
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat) return null;
  const stamp = `${String(stat.ino)} ${String(stat.size)} ${String(stat.ctimeMs)}`;
  const before = known.get(workspace);
  if (before?.stamp === stamp) return before.notes;
  const read = notes.parse(jsonOrNull(fs.readFileSync(file, 'utf8')));
  known.set(workspace, { stamp, notes: read });
  return read;
}

export function writeFenceNotes(workspace: Workspace, content: FenceNotes): void {
  putFile(workspace.options, fenceFile(workspace), JSON.stringify(content));
}

export function removeFenceNotes(workspace: Workspace): void {
  workspace.options.fs.rmSync(fenceFile(workspace), { force: true });
}

/** As long as another program can take with many files. Milliseconds. */
const patienceMs = 3_000;
const pauseMs = 20;

const lockHolder = z.object({ pid: z.int(), started: z.string().nullable(), noted: z.number() });
/** A lock without its holder's name is one whose program ended as it wrote it. Milliseconds. */
const namelessMs = 10_000;

/** One program changes the notes at a time. Waits for another one; gives up where that takes too long. */
export async function withFenceLock(workspace: Workspace, act: () => Promise<void> | void): Promise<void> {
  for (let waited = 0; waited <= patienceMs; waited += pauseMs) {
    if (await tryWithLock(workspace, act)) return;
    await pause(pauseMs);
  }
}

async function tryWithLock(workspace: Workspace, act: () => Promise<void> | void): Promise<boolean> {
  const { fs, clock, newId } = workspace.options;
  const lock = `${fenceFile(workspace)}.lock`;
  const programs = programsOf(fs, clock);
  makeFolderOf(fs, lock);
  if (!take() && !(isLeft() && setAside() && take())) return false;
  try {
    await act();
  } finally {
    fs.rmSync(lock, { force: true });
  }
  return true;

  function take(): boolean {
    let descriptor: number;
    try {
      descriptor = fs.openSync(lock, 'wx', 0o600);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
    try {
      fs.writeSync(descriptor, Buffer.from(JSON.stringify(programs.self)));
    } finally {
      closeQuietly(fs, descriptor);
    }
    return true;
  }

  /** Whether its program has ended. */
  function isLeft(): boolean {
    const bytes = readOrNull(fs, lock);
    if (!bytes) return true;
    const holder = lockHolder.safeParse(jsonOrNull(bytes.toString('utf8')));
    if (holder.success) return !programs.isRunning(holder.data);
    const changedAt = fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Math.abs(clock() - changedAt) > namelessMs;
  }

  /** By one program only: the second one finds nothing to rename. */
  function setAside(): boolean {
    const aside = path.join(path.dirname(lock), `${path.basename(lock)}.${newId()}`);
    try {
      fs.renameSync(lock, aside);
    } catch (error) {
      return errorCode(error) === 'ENOENT';
    }
    fs.rmSync(aside, { force: true });
    return true;
  }
}
