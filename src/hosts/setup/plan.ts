/** Plans setup or removal as whole files before and after. Writes nothing. */
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { createHash, randomUUID } from 'node:crypto';
import { dataOf, keeps, withoutKey, isStrictJson, type Part, type PartState } from './parts.ts';
import { realOf } from './git.ts';
import { partsOf } from './hostFiles.ts';
import { SetupError, setupNames, type SetupName, type Place } from './place.ts';

export interface FileChange {
  /** Absolute path as users know it. */
  readonly file: string;
  /** Path after following links. */
  readonly real: string;
  /** Null when the file does not exist. */
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  /** The user's own bytes, without our parts. */
  readonly base: Buffer | null;
  /** Mode of a file to create. */
  readonly mode: number;
}

export interface SetupChange {
  readonly add?: readonly SetupName[];
  readonly remove?: readonly SetupName[];
}

/**
 * The changes that bring the desired state about; empty when it is there already.
 * @throws SetupError when a file is broken, in the way or not to be written; nothing was written then
 */
export function planSetup(place: Place, { add = [], remove = [] }: SetupChange): FileChange[] {
  const memory = readMemory(place.userFolder, realOf(place.workspace));
  const changed = [...add, ...remove];
  const parts = setupNames.flatMap((name) => (add.includes(name) ? partsOf(place, name) : partsIfAny(place, name)));
  const files = new Set(parts.filter(({ host }) => changed.includes(host)).map(({ file }) => file));
  return [...files].flatMap((file) => {
    const here = parts.filter((part) => part.file === file);
    return changeOf(here, memory, (part, state) =>
      add.includes(part.host) ? true : remove.includes(part.host) ? false : state !== 'missing',
    );
  });
}

/** Empty for hosts that cannot be set up here. */
export function partsIfAny(place: Place, name: SetupName): Part[] {
  try {
    return partsOf(place, name);
  } catch (error) {
    if (error instanceof SetupError) return [];
    throw error;
  }
}

/** The change of one file. @param parts all parts of it */
export function changeOf(
  parts: readonly Part[],
  memory: Memory,
  isWanted: (part: Part, state: ReturnType<Part['state']>) => boolean,
): FileChange[] {
  const [first] = parts;
  if (!first) return [];
  const { file } = first;
  const { real, bytes, text, bom } = readPart(first);
  const states = parts.map((part) => ({ part, state: part.state(text) }));
  const wanted = states.filter(({ part, state }) => isWanted(part, state)).map(({ part }) => part);
  if (states.every(({ part, state }) => state === (wanted.includes(part) ? 'ours' : 'missing'))) return [];

  const known = memory.files[real];
  const base =
    known !== undefined && bytes !== null && known.after === sha256(bytes)
      ? known.before === null
        ? null
        : Buffer.from(known.before, 'base64')
      : stripParts(parts, bytes, text, bom);
  const [baseText, baseBom] = base === null ? [null, ''] : decode(base, file);
  const after = wanted.reduce<string | null>((before, part) => part.add(before), baseText);
  requireReadable(parts, file, [text, baseText, after]);
  for (const part of wanted) {
    if (part.state(after) !== 'ours')
      throw unsafeFile(file, "another entry would override Holdpoint's, for example a duplicate key");
    if (part.strictJson === true && !isStrictJson(after))
      throw unsafeFile(
        file,
        'it has comments or trailing commas, for which the host ignores the whole file. Remove them',
      );
  }
  const written = after === null ? null : after === baseText ? base : Buffer.from(baseBom + after, 'utf8');
  return [{ file, real, before: bytes, after: written, base, mode: first.mode ?? 0o644 }];
}

/**
 * Reads what is about to be written as its host will.
 * @param parts all parts of the file
 * @param texts as found, without our parts, and with those that are wanted
 * @throws SetupError when a text cannot be read, or an entry that is not ours would be lost or moved
 */
function requireReadable(
  parts: readonly Part[],
  file: string,
  [found, own, written]: readonly (string | null)[],
): void {
  const read = (text: string | null | undefined) => (text == null ? null : dataOf(text, file));
  const [before, base] = [read(found), read(own)];
  const others = parts.reduce<unknown>((left, { at }) => (at ? withoutKey(left, at) : left), base);
  let after;
  try {
    after = read(written);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    throw unsafeFile(
      file,
      `its other entries leave no room for Holdpoint's: the result would be invalid. ${error.message} If it has a table or a value of the same name, move it, or add these lines there by hand: ${addedLines(own, written)}`,
    );
  }
  if (base === null) return;
  if ((before !== null && !keeps(before, others)) || (after !== null && !keeps(after, others)))
    throw unsafeFile(file, 'an entry that is not Holdpoint’s would get another place or value');
}

function addedLines(own: string | null | undefined, written: string | null | undefined): string {
  const before = new Set(own?.split(/\r?\n/));
  const added = written?.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#') && !before.has(line));
  return added?.join('; ') ?? '';
}

function unsafeFile(file: string, why: string): SetupError {
  return new SetupError(`${file} cannot be changed safely: ${why}. Nothing was written.`);
}

/** The user's own bytes, as far as they can be separated from ours. */
function stripParts(parts: readonly Part[], bytes: Buffer | null, text: string | null, bom: string): Buffer | null {
  const left = parts.reduce<string | null>(
    (before, part) => (before === null || part.state(before) === 'missing' ? before : part.strip(before)),
    text,
  );
  return left === text ? bytes : left === null ? null : Buffer.from(bom + left, 'utf8');
}

export interface PartText {
  readonly real: string;
  readonly bytes: Buffer | null;
  /** Without its byte order mark. */
  readonly text: string | null;
  readonly bom: string;
}

/** @throws SetupError when links lead outside, or the file is not UTF-8 text or not what its host can read */
export function readPart({ file, root }: Part): PartText {
  const real = followLinks(file, root);
  const bytes = readBytes(real, file);
  const [text, bom] = bytes === null ? [null, ''] : decode(bytes, file);
  if (text !== null) dataOf(text, file);
  return { real, bytes, text, bom };
}

/** `dropped`: its host ignores the whole file. */
export type DiskState = PartState | 'dropped' | { readonly unreadable: string };

export function stateOnDisk(part: Part): DiskState {
  try {
    const { text } = readPart(part);
    const state = part.state(text);
    return state !== 'missing' && part.strictJson === true && !isStrictJson(text) ? 'dropped' : state;
  } catch (error) {
    if (error instanceof SetupError) return { unreadable: error.message };
    throw error;
  }
}

/** Follows a link inside the folder, and keeps the link; refuses one that leads elsewhere or nowhere. */
function followLinks(file: string, root: string): string {
  let real = '';
  try {
    real = realOf(file);
    if (fs.lstatSync(real, { throwIfNoEntry: false })?.isSymbolicLink()) throw new Error('leads nowhere');
  } catch (error) {
    throw new SetupError(`${file} is a link that leads nowhere. Fix it, then set up again; nothing was written.`, {
      cause: error,
    });
  }
  const from = path.relative(root, real);
  if (from.startsWith('..') || path.isAbsolute(from))
    throw new SetupError(`${file} is a link to ${real}, outside ${root}. It is not followed; nothing was written.`);
  return real;
}

function readBytes(real: string, file: string): Buffer | null {
  const stat = fs.statSync(real, { throwIfNoEntry: false });
  if (!stat) return null;
  if (!stat.isFile())
    throw new SetupError(`${file} is not a file. Move it away, then set up again; nothing was written.`);
  return fs.readFileSync(real);
}

function decode(bytes: Buffer, file: string): [text: string, bom: string] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith('\uFEFF') ? [text.slice(1), '\uFEFF'] : [text, ''];
  } catch (error) {
    throw new SetupError(`${file} is not UTF-8 text. Save it as UTF-8, then set up again; nothing was written.`, {
      cause: error,
    });
  }
}

/**
 * The original files, kept in the user-level folder, so that removal restores the exact bytes. A convenience that nothing
 * depends on: without it, or after a later edit, removal strips only our own parts.
 */
const remembered = z.strictObject({
  v: z.literal(1),
  workspace: z.string(),
  files: z.record(
    z.string(),
    z.strictObject({
      /** The original bytes in base64; null if the file did not exist. */
      before: z.base64().nullable(),
      /** SHA-256 of what setup wrote. */
      after: z.string(),
    }),
  ),
  folders: z.array(z.string()),
});
export type Memory = z.infer<typeof remembered>;

/** @param workspace real path */
export function readMemory(userFolder: string, workspace: string): Memory {
  try {
    const memory = remembered.parse(JSON.parse(fs.readFileSync(fileOf(userFolder, workspace), 'utf8')));
    if (memory.workspace === workspace) return memory;
  } catch {
    // Missing or unusable.
  }
  return { v: 1, workspace, files: {}, folders: [] };
}

/** @throws Error of the file system */
export function writeMemory(userFolder: string, memory: Memory): void {
  const file = fileOf(userFolder, memory.workspace);
  if (Object.keys(memory.files).length === 0 && memory.folders.length === 0) {
    fs.rmSync(file, { force: true });
    return;
  }
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}.tmp`;
  fs.writeFileSync(temporary, JSON.stringify(memory), { mode: 0o600, flag: 'wx' });
  fs.renameSync(temporary, file);
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function fileOf(userFolder: string, workspace: string): string {
  return path.join(userFolder, 'setup', `${sha256(Buffer.from(workspace)).slice(0, 32)}.json`);
}

/** @throws SetupError when a file changed since the plan was made; all files are restored first */
export function applySetup(place: Pick<Place, 'userFolder' | 'workspace'>, changes: readonly FileChange[]): void {
  for (const change of changes)
    if (!isAs(change.real, change.before))
      throw new SetupError(`${change.file} changed in the meantime. Review again; nothing was written.`);
  const memory = readMemory(place.userFolder, realOf(place.workspace));
  const folders = [...memory.folders];
  // First, so that the user's bytes are safe whatever happens next.
  writeMemory(place.userFolder, memoryAfter(memory, changes, folders));
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
  const left = memoryAfter(memory, changes, folders);
  writeMemory(place.userFolder, { ...left, folders: dropEmpty(folders) });
}

function memoryAfter(memory: Memory, changes: readonly FileChange[], folders: readonly string[]): Memory {
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
