/** Puts a held file back as its baseline has it. Nothing is released by that. */
import path from 'node:path';
import { holderOf, type Holder } from '../../core/hold/holds.ts';
import { seenFrom } from '../../core/kit/paths.ts';
import type { State } from '../../core/state/state.ts';
import { closeQuietly, errorCode, renameOver, type FileSystem, storeFolder } from '../../store/journal/files.ts';
import { sha256 } from '../../trust/canonical.ts';
import { AppError, NoCopyError } from '../workspace/errors.ts';
import { realPathOf, workspaceRelative } from '../workspace/paths.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  type BaselineFile,
  type BaselinePlace,
  copyOf,
  keptContent,
  ownFiles,
  placeOf,
  readBaseline,
} from './baseline.ts';
import { lookAtHeld } from './lookAtHeld.ts';

/** `fs.constants.COPYFILE_EXCL`, which is the same on every system: fails if the target exists. */
const copyExclusively = 1;

/** The content of a file in the last commit, or null. */
export type FromGit = (absolute: string) => Buffer | null;

export interface Restored {
  readonly path: string;
  readonly held_by: string;
  /** `removed`: it did not exist when the hold began. `same`: nothing had changed. */
  readonly how: 'restored' | 'removed' | 'same';
  /** Where the replaced file is now, relative to the workspace; null if there was none. */
  readonly kept: string | null;
}

interface Kept {
  readonly holder: Holder;
  /** Relative to where the question or RFC holds. */
  readonly name: string;
  /** Null if the file did not exist. */
  readonly content: Buffer | null;
  readonly mode: number;
}

/**
 * @param file as the caller wrote it
 * @throws NoCopyError if no baseline has it or its content was not kept; AppError `denied` if a link is in the way
 */
export function restoreHeld(workspace: Workspace, file: string, fromGit: FromGit): Promise<Restored> {
  const state = stateOf(workspace);
  const seen = workspaceRelative(workspace, file, 'file');
  for (const id of state.heldFiles.keys()) {
    const there = holderOf(state, id)?.asker.worktree ?? '.';
    const name = seenFrom(there, workspace.worktree, seen);
    if (name !== null && name !== '.' && isNoted(workspace, state, id, name))
      return restoreOne(workspace, { id, name }, fromGit);
  }
  throw new AppError('not_found', `${file} is not a held file that was noted when its hold began`);
}

/** A file that a question or RFC holds, relative to where it holds. */
export interface HeldName {
  readonly id: string;
  readonly name: string;
}

/** @throws AppError as `restoreHeld` */
export async function restoreOne(workspace: Workspace, held: HeldName, fromGit: FromGit): Promise<Restored> {
  const { holder, name, content, mode } = keptFile(workspace, held, fromGit);
  const { fs, folder } = placeOf(workspace, holder);
  const temporary = path.join(workspace.location.root, storeFolder, `restored-${workspace.options.newId()}`);
  const target = path.join(folder, name);
  requireNoLinkAbove(fs, folder, name);
  const kept = newPlace(workspace, name);
  const how = putBack({ fs, target, temporary, kept: path.join(workspace.location.root, kept) }, content, mode);
  await lookAtHeld(workspace);
  return {
    path: name,
    held_by: holder.id,
    how,
    kept: fs.existsSync(path.dirname(path.join(workspace.location.root, kept))) ? kept : null,
  };
}

/**
 * Undoes a restoring: the file that was there before is there again, and the present one is kept in its place.
 * @throws AppError as `restoreHeld`
 */
export async function undoRestore(workspace: Workspace, held: HeldName, kept: string): Promise<void> {
  const { fs } = workspace.options;
  const holder = holderOf(stateOf(workspace), held.id);
  if (!holder) throw new AppError('not_found', `${held.id} holds nothing`);
  const target = path.join(placeOf(workspace, holder).folder, held.name);
  requireNoLinkAbove(fs, placeOf(workspace, holder).folder, held.name);
  const { root } = workspace.location;
  moveAside(fs, target, path.join(root, newPlace(workspace, held.name)));
  fs.mkdirSync(path.dirname(target), { recursive: true });
  move(fs, path.join(root, kept), target);
  await lookAtHeld(workspace);
}

/** For a file that a restoring replaces or removes. Nothing deletes it. */
function newPlace({ options }: Workspace, name: string): string {
  return path.posix.join(storeFolder, 'replaced', options.newId(), path.basename(name));
}

function requireNoLinkAbove(fs: FileSystem, folder: string, name: string): void {
  const target = path.join(folder, name);
  if (path.join(realPathOf(fs, folder), name) !== path.join(realPathOf(fs, path.dirname(target)), path.basename(name)))
    throw new AppError('denied', `${name} is below a link now: restore its folder first`);
}

/** The content of a held file when its hold began, for comparing. @throws AppError as `restoreHeld` */
export function contentBefore(workspace: Workspace, held: HeldName, fromGit: FromGit): Buffer | null {
  return keptFile(workspace, held, fromGit).content;
}

function stateOf(workspace: Workspace): State {
  const { state, problem } = workspace.standing();
  if (problem) throw new AppError('denied', problem.message);
  return state;
}

function baselinesOf({ options: { fs }, location: { root } }: Workspace): BaselinePlace {
  return { fs, root };
}

function isNoted(workspace: Workspace, state: State, id: string, name: string): boolean {
  const known = ownFiles(state, id, copyOf(workspace, state));
  if (!known) return false;
  const parts = readBaseline(baselinesOf(workspace), id, known.baselines) ?? [];
  return known.changes.some((one) => one.path === name) || parts.some(({ files }) => files.has(name));
}

function keptFile(workspace: Workspace, { id, name }: HeldName, fromGit: FromGit): Kept {
  const state = stateOf(workspace);
  const holder = holderOf(state, id);
  const known = ownFiles(state, id, copyOf(workspace, state));
  const root = baselinesOf(workspace);
  if (!holder || !known) throw new NoCopyError(`nothing was noted about ${name}`);
  const parts = readBaseline(root, id, known.baselines);
  if (!parts) throw new NoCopyError(`the baseline of ${id} is missing or was changed: use git`);
  const changed = known.changes.find((one) => one.path === name);
  const part = parts.find(({ files }) => files.get(name)?.content === (changed?.was ?? files.get(name)?.content));
  const was = part?.files.get(name);
  if (changed?.was === null) return { holder, name, content: null, mode: 0 };
  const content =
    part && was
      ? (keptContent(root, id, part.hash, was) ??
        contentInGit(was, fromGit, path.join(placeOf(workspace, holder).folder, name)))
      : null;
  if (content && was) return { holder, name, content, mode: was.mark.mode };
  throw new NoCopyError(
    `neither the baseline nor the last commit has the content of ${name}: ask your human to restore it`,
  );
}

function contentInGit({ content }: BaselineFile, fromGit: FromGit, absolute: string): Buffer | null {
  const bytes = fromGit(absolute);
  return bytes && sha256(bytes) === content ? bytes : null;
}

interface Places {
  readonly fs: FileSystem;
  readonly target: string;
  /** In the store's folder, where no program looks for changes. */
  readonly temporary: string;
  /** Where the file goes that is there now. */
  readonly kept: string;
}

/**
 * Never writes into what is there, which may be a link to another file. The file is at no time missing or half-written,
 * also when the disk is full, unless it is on another drive than the store.
 */
function putBack({ fs, target, temporary, kept }: Places, content: Buffer | null, mode: number): Restored['how'] {
  const stat = fs.lstatSync(target, { throwIfNoEntry: false });
  if (stat?.isDirectory()) throw new AppError('denied', `${target} is a folder now: remove it first`);
  if (content === null) {
    moveAside(fs, target, kept);
    return stat ? 'removed' : 'same';
  }
  if (stat?.isFile() && fs.readFileSync(target).equals(content)) return 'same';
  fs.mkdirSync(path.dirname(target), { recursive: true });
  try {
    writeNew(fs, temporary, content, mode);
    // A copy, so that the file stays until the other one is in its place; a link is only moved.
    if (stat?.isFile()) copyAside(fs, target, kept);
    else moveAside(fs, target, kept);
    renameOver(fs, temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    if (errorCode(error) !== 'EXDEV') throw error;
    fs.rmSync(target, { force: true });
    writeNew(fs, target, content, mode);
  }
  return 'restored';
}

function copyAside(fs: FileSystem, from: string, to: string): void {
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.copyFileSync(from, to, copyExclusively);
}

function moveAside(fs: FileSystem, from: string, to: string): void {
  if (!fs.lstatSync(from, { throwIfNoEntry: false })) return;
  fs.mkdirSync(path.dirname(to), { recursive: true });
  move(fs, from, to);
}

function move(fs: FileSystem, from: string, to: string): void {
  try {
    renameOver(fs, from, to);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    fs.copyFileSync(from, to, copyExclusively);
    fs.rmSync(from, { force: true });
  }
}

function writeNew(fs: FileSystem, file: string, content: Buffer, mode: number): void {
  const descriptor = fs.openSync(file, 'wx', mode & 0o777);
  try {
    for (let done = 0; done < content.length;) done += fs.writeSync(descriptor, content, done, content.length - done);
  } finally {
    closeQuietly(fs, descriptor);
  }
}
