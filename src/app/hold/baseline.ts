/**
 * The files with baselines, `.holdpoint/baselines/Q-12.<hash>.json`, and the contents next to them. Agents can write
 * there: the journal has the hash of each, so that another one is noticed, and each content is checked against its own.
 */

import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { globHolds } from '../../core/kit/paths.ts';
import { type Baseline, type HeldFiles, noHeldFiles, ofCopy } from '../../core/state/heldChanges.ts';
import type { CurrentState } from '../../core/state/state.ts';
import {
  errorCode,
  type FileSystem,
  makeFolderOf,
  putFile,
  readOrNull,
  readRange,
  replaceFile,
  storeFolder,
} from '../../store/journal/files.ts';
import { findStore } from '../../store/journal/findStore.ts';
import { besideStateFile } from '../../store/journal/stateFile.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { Answering } from '../workspace/atGate.ts';
import type { HoldToNote, WrittenBaseline } from '../workspace/workspace.ts';

/** Name, content, kind, size, mtimeMs, ctimeMs, ino, dev, mode, and where its content is next to it (-1: not kept). */
type NotedFile = [
  ...[string, string, FileMark['kind']],
  ...[number, number, number, number, number, number],
  offset: number,
];
interface Written {
  readonly v: 1;
  readonly takenAt: number;
  readonly scopes: readonly string[];
  readonly cut: boolean;
  readonly files: readonly NotedFile[];
}

export interface BaselineFile {
  readonly content: string;
  readonly mark: FileMark;
  readonly offset: number;
}

export interface BaselinePart {
  readonly hash: string;
  readonly takenAt: number;
  readonly scopes: readonly string[];
  readonly cut: boolean;
  readonly files: ReadonlyMap<string, BaselineFile>;
}

const hashedAtMost = 5_000;
const hashedBytesAtMost = 256 * 1024 * 1024;
export const keptBytesOfFile = 1024 * 1024;
const keptBytesAtMost = 64 * 1024 * 1024;

export function baselineFolder(root: string): string {
  return path.join(root, storeFolder, 'baselines');
}

/** Two programs may note the same hold: each has files of its own. */
function nameOf(root: string, id: string, hash: string, kind: 'json' | 'contents'): string {
  return path.join(baselineFolder(root), `${id}.${hash.slice(0, 16)}.${kind}`);
}

/** Stands for the content of a file as it is now; null if there is none. Large ones by size and time. */
export function contentOf({ fs, folder }: Place, name: string, mark: FileMark, mayRead = true): string | null {
  const absolute = path.join(folder, name);
  try {
    if (mark.kind === 'link') return sha256(`link:${fs.readlinkSync(absolute)}`);
    return mayRead && mark.size <= hashedBytesAtMost ? sha256(fs.readFileSync(absolute)) : unreadableHash(mark);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Of a file that is not read. */
export function unreadableHash({ size, mtimeMs }: FileMark): string {
  return sha256(`unread:${String(size)}:${String(mtimeMs)}`);
}

/** Makes the folder of baselines, once before many are written: each of its parents is synced. */
function makeBaselineFolder({ fs, root }: { readonly fs: FileSystem; readonly root: string }): void {
  makeFolderOf(fs, path.join(baselineFolder(root), 'any'));
}

/** Reads the files that the globs hold, and writes the baseline into its folder. */
function writeBaseline(workspace: Answering, { id, asker, scopes }: HoldToNote): WrittenBaseline {
  const { fs, clock, newId } = workspace.options;
  const { root } = workspace.location;
  const place = placeOf(workspace, { asker });
  const takenAt = clock();
  const found = heldOnDisk(place, scopes);
  const contents: Buffer[] = [];
  let [kept, read, count] = [0, 0, 0];
  const files: NotedFile[] = [];
  for (const [name, mark] of found.files) {
    const { kind, size, mtimeMs, ctimeMs, ino, dev, mode } = mark;
    const isRead = kind === 'file' && ++count <= hashedAtMost && read + size <= hashedBytesAtMost;
    const bytes = isRead ? bytesOf(fs, path.join(place.folder, name)) : null;
    const content = bytes ? sha256(bytes) : contentOf(place, name, mark, false);
    if (content === null) continue;
    read += bytes?.length ?? 0;
    const isKept = bytes !== null && bytes.length <= keptBytesOfFile && kept + bytes.length <= keptBytesAtMost;
    files.push([name, content, kind, size, mtimeMs, ctimeMs, ino, dev, mode, isKept ? kept : -1]);
    if (!isKept) continue;
    contents.push(bytes);
    kept += bytes.length;
  }
  const text = JSON.stringify({ v: 1, takenAt, scopes, cut: found.cut, files } satisfies Written);
  const hash = sha256(text);
  if (contents.length > 0) put('contents', Buffer.concat(contents));
  put('json', Buffer.from(text));
  return { hash, files: files.length };

  function put(kind: 'json' | 'contents', bytes: Buffer): void {
    const target = nameOf(root, id, hash, kind);
    const folder = path.dirname(target);
    // A program that has not seen the hold yet may have removed it.
    if (!fs.existsSync(folder)) makeBaselineFolder({ fs, root });
    if (!isFolder(fs, folder)) throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR' });
    replaceFile(fs, target, bytes, `${target}.${newId()}.tmp`);
  }
}

function bytesOf(fs: FileSystem, absolute: string): Buffer | null {
  try {
    return fs.readFileSync(absolute);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Where baselines are: the folder of the store. */
export interface BaselinePlace {
  readonly fs: FileSystem;
  readonly root: string;
}

/** The parts of a baseline as recorded; null if one is missing or another one. */
export function readBaseline(place: BaselinePlace, id: string, recorded: readonly Baseline[]): BaselinePart[] | null {
  const parts: BaselinePart[] = [];
  for (const { hash } of recorded) {
    const text = baselineText(place, id, hash);
    const part = text === null ? null : parsePart(text, hash);
    if (!part) return null;
    parts.push(part);
  }
  return parts;
}

/** What was written as this baseline; null if it is missing or another one. */
function baselineText({ fs, root }: BaselinePlace, id: string, hash: string): string | null {
  try {
    const bytes = fs.readFileSync(nameOf(root, id, hash, 'json'));
    return sha256(bytes) === hash ? bytes.toString('utf8') : null;
  } catch {
    return null;
  }
}

/** Its hash is that of what this program wrote. */
function parsePart(text: string, hash: string): BaselinePart | null {
  try {
    const { v, takenAt, scopes, cut, files: noted } = JSON.parse(text) as Written;
    if ((v as number) !== 1) return null;
    return { hash, takenAt, scopes, cut, files: new Map(noted.map((one) => [one[0], fileOf(one)])) };
  } catch {
    return null;
  }
}

function fileOf([, content, kind, size, mtimeMs, ctimeMs, ino, dev, mode, offset]: NotedFile): BaselineFile {
  return { content, mark: { kind, size, mtimeMs, ctimeMs, ino, dev, mode }, offset };
}

/** Whether all contents that were kept are there still, as far as their size tells. */
export function hasContents({ fs, root }: BaselinePlace, id: string, { hash, files }: BaselinePart): boolean {
  const last = [...files.values()].reduce((most, { offset }) => Math.max(most, offset), -1);
  if (last < 0) return true;
  const found = fs.lstatSync(nameOf(root, id, hash, 'contents'), { throwIfNoEntry: false });
  return found?.isFile() === true && found.size >= last;
}

/** The content of a file when its baseline was taken; null if it was not kept, or another one is there now. */
export function keptContent(
  { fs, root }: BaselinePlace,
  id: string,
  hash: string,
  { content, mark, offset }: BaselineFile,
): Buffer | null {
  if (offset < 0) return null;
  let descriptor: number | null = null;
  try {
    descriptor = fs.openSync(nameOf(root, id, hash, 'contents'), 'r');
    const bytes = readRange(fs, descriptor, offset, offset + mark.size);
    return sha256(bytes) === content ? bytes : null;
  } catch {
    return null;
  } finally {
    if (descriptor !== null) fs.closeSync(descriptor);
  }
}

const ours = /^(?:Q|RFC)-\d+\.[0-9a-f]{16}\.(?:json|contents)(?:\.[\w-]+\.tmp)?$/;

/** A link could lead to files of others. */
function isFolder(fs: FileSystem, folder: string): boolean {
  return fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Removes baselines of what holds nothing any more. Never throws: they are removed the next time.
 * @param neededNow called once the files are listed, so that it knows the hold of each; null where that is not known
 */
export function removeBaselines({ fs, root }: BaselinePlace, neededNow: () => ((id: string) => boolean) | null): void {
  const folder = baselineFolder(root);
  try {
    if (!isFolder(fs, folder)) return;
    const names = fs.readdirSync(folder).filter((name) => ours.test(name));
    const isNeeded = neededNow();
    if (!isNeeded) return;
    const needed = new Set(names.filter((name) => isNeeded(name.split('.')[0] ?? '')));
    for (const name of names) if (!needed.has(name)) fs.rmSync(path.join(folder, name), { force: true });
    if (needed.size > 0) return;
    // Without the folder, hooks after a call end at once. It stays where another program has just written a baseline.
    for (const name of fs.readdirSync(folder))
      if (!ours.test(name)) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
    fs.rmdirSync(folder);
  } catch {
    return;
  }
}

/** Where the files are that a question or RFC holds. */
export function placeOf({ options, location, ignoreCase }: Answering, { asker }: Pick<HoldToNote, 'asker'>): Place {
  return { fs: options.fs, folder: path.join(location.root, asker.worktree ?? '.'), ignoreCase };
}

/** One for each hold, in their order. @throws Error with a code, where a file cannot be read or written */
export async function writeBaselines(
  workspace: Answering,
  holds: readonly HoldToNote[],
): Promise<readonly WrittenBaseline[]> {
  const { fs } = workspace.options;
  makeBaselineFolder({ fs, root: workspace.location.root });
  const written: WrittenBaseline[] = [];
  for (const hold of holds) {
    written.push(writeBaseline(workspace, hold));
    await nextTurn();
  }
  return written;
}

// Finds the files on disk that globs hold, without following links.

/** What changes with the file, without reading it. The change time cannot be set by programs. */
export interface FileMark {
  readonly kind: 'file' | 'link';
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly dev: number;
  readonly mode: number;
}

export interface HeldOnDisk {
  /** By path relative to the folder, `/`-separated. */
  readonly files: ReadonlyMap<string, FileMark>;
  /** Whether there are more than were looked at. */
  readonly cut: boolean;
}

export interface Place {
  readonly fs: FileSystem;
  /** Absolute. */
  readonly folder: string;
  readonly ignoreCase: boolean;
}

const filesAtMost = 20_000;
const entriesAtMost = 100_000;
/** Written by git and by Holdpoint itself, and too large to look into, unless a glob names them. */
const skipped: ReadonlySet<string> = new Set(['.git', '.holdpoint', 'node_modules']);

export function heldOnDisk(
  { fs, folder, ignoreCase }: Place,
  globs: readonly string[],
  disk: Disk = diskOf(fs),
): HeldOnDisk {
  const files = new Map<string, FileMark>();
  const walked = new Set<string>();
  let entries = 0;
  const isHeld = (file: string) => globs.some((glob) => globHolds(glob, file, ignoreCase));
  for (const start of new Set(globs.map(literalStart))) {
    const place = nameIn(folder, start);
    const stat = disk.stat(place);
    const target = stat?.isSymbolicLink() ? statOf(() => fs.statSync(place, { throwIfNoEntry: false })) : stat;
    if (stat && start !== '.' && !stat.isDirectory()) note(start, stat);
    if (target?.isDirectory()) walk(start);
  }
  return { files, cut: entries > entriesAtMost || files.size >= filesAtMost };

  function walk(inside: string): void {
    if (walked.has(inside)) return;
    walked.add(inside);
    for (const entry of disk.entries(nameIn(folder, inside))) {
      if (++entries > entriesAtMost || files.size >= filesAtMost) return;
      const file = inside === '.' ? entry.name : `${inside}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) walk(file);
      } else if (isHeld(file)) {
        const stat = disk.stat(nameIn(folder, file));
        if (stat) note(file, stat);
      }
    }
  }

  function note(file: string, stat: Looked): void {
    if (!isHeld(file) || !(stat.isFile() || stat.isSymbolicLink())) return;
    const { size, mtimeMs, ctimeMs, ino, dev, mode } = stat;
    files.set(file, { kind: stat.isFile() ? 'file' : 'link', size, mtimeMs, ctimeMs, ino, dev, mode });
  }
}

/** Quicker than `path.join`, which is for names that are not clean. */
function nameIn(folder: string, name: string): string {
  return name === '.' ? folder : `${folder}${path.sep}${name}`;
}

interface Entry {
  readonly name: string;
  isDirectory(): boolean;
}

/** Looks at each name once. */
interface Disk {
  /** Of a link, not of what it leads to. Null where there is nothing. */
  stat(place: string): Looked | null;
  entries(folder: string): readonly Entry[];
}

export function diskOf(fs: FileSystem): Disk {
  const stats = new Map<string, Looked | null>();
  const folders = new Map<string, readonly Entry[]>();
  return {
    stat(place) {
      const before = stats.get(place);
      if (before !== undefined) return before;
      const stat = statOf(() => fs.lstatSync(place, { throwIfNoEntry: false })) ?? null;
      stats.set(place, stat);
      return stat;
    },
    entries(folder) {
      const found = folders.get(folder) ?? statOf(() => fs.readdirSync(folder, { withFileTypes: true })) ?? [];
      folders.set(folder, found);
      return found;
    },
  };
}

interface Looked extends Omit<FileMark, 'kind'> {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** Null where it is gone, or below something that is not a folder. @throws Error for what cannot be looked at */
function statOf<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

/** The folder or file above the first wildcard. */
function literalStart(glob: string): string {
  const segments = glob.split('/');
  const wild = segments.findIndex((segment) => /[*?]/.test(segment));
  return wild < 0 ? glob : segments.slice(0, wild).join('/') || '.';
}

// Which copy of a workspace this is. A team shares the journal, not the files: each machine has its own checkout,
// with its own baselines and changes. Its name is random and kept next to the anchor.

/** Undefined where the journal is this machine's own; null where this copy has no name yet. */
export function copyOf({ options, stateFile }: Answering, state: CurrentState): string | null | undefined {
  if (state.shared === null) return undefined;
  const text = readOrNull(options.fs, nameFile(stateFile.path))?.toString('utf8') ?? '';
  return /^[0-9a-f]{16}$/.test(text) ? text : null;
}

/** Gives this copy a name if it needs one and has none. Returns whether it did. */
export function nameCopy(workspace: Answering, state: CurrentState): boolean {
  if (copyOf(workspace, state) !== null) return false;
  const { options, stateFile } = workspace;
  putFile(options, nameFile(stateFile.path), options.newId().replaceAll('-', '').slice(0, 16));
  return true;
}

export function ownFiles(state: CurrentState, id: string, copy: ReturnType<typeof copyOf>): HeldFiles | undefined {
  const known = state.heldFiles.get(id);
  return known && (copy === null ? noHeldFiles : ofCopy(known, copy));
}

/** Whether something may have been noted in this copy: anything, where that is not known. */
export function mayBeOwn(workspace: Answering, state: CurrentState): (noted: { readonly copy?: string }) => boolean {
  const copy = copyOf(workspace, state);
  return (noted) => copy == null || noted.copy === undefined || noted.copy === copy;
}

/** Whether a worktree is one of this copy: a teammate's may be another folder here, or none. */
export function isHere({ options, location, userFolder }: Answering, worktree: string): boolean {
  if (worktree === '.') return true;
  const folder = path.join(location.root, worktree);
  return options.fs.existsSync(folder) && findStore(options.fs, userFolder, folder).root === location.root;
}

function nameFile(stateFile: string): string {
  return besideStateFile(stateFile, 'copy', 'txt');
}
