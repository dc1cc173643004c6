/** Creating the journal's folder and files, checking them, and replacing a journal by another. */

import path from 'node:path';
import nodeFs from 'node:fs';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import {
  createEmpty,
  errorCode,
  type FileSystem,
  journalPath,
  namesIn,
  replaceFile,
  storeFolder,
  syncFolder,
  unsafePlace,
} from './files.ts';
import { lineEndingAt, openJournal, readFrame } from './openJournal.ts';
import { StoreError } from './problem.ts';

// Development versions ended a long journal file with a seal, and went on in `<number>-<base>.jsonl`, whose first byte
// belongs at the offset `base` of the journal: where the seal ends. Here their bytes come back into the one file.

interface FurtherFile {
  readonly file: string;
  readonly base: number;
}

interface Content extends FurtherFile {
  readonly bytes: Buffer;
}

/** In their order. The contents are not checked. */
export function furtherFiles(fs: FileSystem, journal: string): FurtherFile[] {
  const folder = path.dirname(journal);
  const name = path.basename(journal);
  // One folder can contain copies of several journals.
  const prefix = name === '00000001.jsonl' ? '' : `${name.replace(/\.jsonl$/, '')}.`;
  return namesIn(fs, folder)
    .flatMap((one) => {
      const base = one.startsWith(prefix) ? /^\d{8,}-(\d+)\.jsonl$/.exec(one.slice(prefix.length))?.[1] : undefined;
      return base === undefined ? [] : [{ file: path.join(folder, one), base: Number(base) }];
    })
    .sort((one, other) => one.base - other.base);
}

/**
 * Safe when several programs do it at once, because they write the same, and none appends before the files are renamed. A
 * file without a seal before it is not part of the journal, nor is one in whose place lines of the journal stand.
 * @throws when the disk refuses
 */
export function joinFiles(fs: FileSystem, journal: string): void {
  const further = furtherFiles(fs, journal);
  const open = further.length === 0 ? null : openJournal(fs, journal);
  if (!open) return;
  const withBytes = (one: FurtherFile): Content => ({ ...one, bytes: fs.readFileSync(one.file) });
  try {
    // First: a program that is done has renamed the files before it appends more.
    const size = open.size();
    const contents = further.filter(({ file }) => fs.lstatSync(file).isFile()).map(withBytes);
    let bytes = typeof size === 'string' ? Buffer.alloc(0) : open.read(0, size);
    const joined: Content[] = [];
    for (const one of contents) {
      const isNext = one.base > (joined.at(-1)?.base ?? 0) && isSeal(lineEndingAt(bytes, 0, one.base));
      if (!isNext || !areAllIn(contents, bytes, one.base)) continue;
      bytes = Buffer.concat([bytes.subarray(0, one.base), one.bytes]);
      joined.push(one);
    }
    const [first] = joined;
    if (!first || typeof size === 'string') return;
    // Lines that lost a race against the last seal were longer than what followed it.
    const rest = Buffer.alloc(Math.max(0, size - bytes.length), '\n');
    open.place(Buffer.concat([bytes.subarray(first.base), rest]), first.base);
    open.sync();
    for (const { file } of joined) fs.renameSync(file, `${file}.joined`);
    syncFolder(fs, path.dirname(journal));
  } catch (error) {
    // Another program has joined them meanwhile.
    if (errorCode(error) !== 'ENOENT') throw error;
  } finally {
    open.close();
  }
}

function isSeal(body: { readonly records?: unknown } | null): boolean {
  return (
    Array.isArray(body?.records) && body.records.some((one) => (one as { kind?: unknown } | null)?.kind === sealed)
  );
}
const sealed = 'segment.sealed';

function areAllIn(contents: readonly Content[], journal: Buffer, from: number): boolean {
  for (let at = from; at >= 0 && at < journal.length; at = journal.indexOf(0x0a, at + 1)) {
    const found = readFrame(journal, 0, at);
    if (found.kind !== 'framed' || (jsonOrNull(found.text) as { at?: unknown } | null)?.at !== at) continue;
    const line = journal.subarray(at, found.next);
    if (!contents.some(({ base, bytes }) => at >= base && bytes.subarray(at - base, found.next - base).equals(line)))
      return false;
  }
  return true;
}

/** File systems without atomic append. Source: statfs(2) magic numbers of NFS, SMB, CIFS and SMB2. */
const networkFileSystems = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

export function isNetworkDrive(fs: FileSystem, folder: string, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return folder.startsWith('\\\\');
  return platform === 'linux' && networkFileSystems.has(fs.statfsSync(folder).type);
}

/**
 * Creates an empty journal durably, unless it exists. Safe when two programs do it at the same time: both end up with
 * the same file.
 * @throws Error when the path is not a plain folder of ours, or the disk refuses
 */
export function createJournal(fs: FileSystem, root: string, newId: () => string): void {
  makeFolders(fs, root, newId);
  createEmpty(fs, journalPath(root));
  syncFolder(fs, path.dirname(journalPath(root)));
}

/** @throws Error when something else has that name */
function makeFolders(fs: FileSystem, root: string, newId: () => string): void {
  const unsafe = unsafePlace(fs, root);
  if (unsafe !== null) throw new Error(unsafe);
  const store = path.join(root, storeFolder);
  const folder = path.join(store, 'journal');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ignore = path.join(store, '.gitignore');
  if (!fs.existsSync(ignore))
    replaceFile(
      fs,
      ignore,
      Buffer.from('# Written by Holdpoint: the journal is local to this machine.\n*\n'),
      `${ignore}.${newId()}.tmp`,
    );
  for (const made of [store, root]) syncFolder(fs, made);
}

/**
 * Replaces the present journal by another, for a human's act of recovery. The present one is renamed; nothing is
 * deleted. A crash leaves the old journal, the new one, or none.
 */
export function replaceJournal(fs: FileSystem, root: string, bytes: Buffer, newId: () => string): void {
  makeFolders(fs, root, newId);
  const journal = journalPath(root);
  const next = `${journal}.next-${newId()}`;
  replaceFile(fs, next, bytes, `${next}.tmp`);
  for (const file of [journal, ...furtherFiles(fs, journal).map((one) => one.file)]) putAside(fs, file, newId);
  syncFolder(fs, path.dirname(journal));
  fs.renameSync(next, journal);
  syncFolder(fs, path.dirname(journal));
}

function putAside(fs: FileSystem, file: string, newId: () => string): void {
  try {
    fs.renameSync(file, `${file}.aside-${newId()}`);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error; // any other error leaves open whether it exists
  }
}

/** Refuses drives where two writers could overwrite each other. @throws StoreError */
export function requireLocalDrive(fs: FileSystem, root: string, platform: NodeJS.Platform): void {
  if (isNetworkDrive(fs, root, platform))
    throw new StoreError(
      'network-drive',
      `${root} is on a network drive, where appends are not atomic: move the workspace to a local drive`,
    );
}

// Notices what other programs write: watches a folder, and polls as well, because watching can fail.

/** How often a watch that failed is tried again: the folder may not exist yet. Milliseconds. */
const tickMs = 1_000;

/** Calls `look` whenever the journal of a root may have changed. Returns a function that stops it. */
export function watchJournal(root: string, look: () => void): () => void {
  return watchFolder(path.dirname(journalPath(root)), look, tickMs);
}

/**
 * Calls `look` whenever something in a folder may have changed, and each `everyMs`. Does not keep the program alive.
 * Returns a function that stops it.
 */
export function watchFolder(folder: string, look: () => void, everyMs: number): () => void {
  let watcher: nodeFs.FSWatcher | null = null;
  const tryWatch = () => {
    if (watcher) return;
    try {
      const started = nodeFs.watch(folder, { persistent: false }, look);
      started.on('error', () => {
        started.close();
        watcher = null;
      });
      watcher = started;
    } catch {
      watcher = null; // the folder does not exist yet: try again
    }
  };
  let since = 0;
  const timer = setInterval(() => {
    const watched = watcher !== null;
    tryWatch();
    since += tickMs;
    // What was written before the watch began is found here.
    if (since < everyMs && (watched || watcher === null)) return;
    since = 0;
    look();
  }, tickMs);
  timer.unref();
  tryWatch();
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}

/** Changes whenever the journal of a root, or one of the further files, does. */
export function markOfFiles(fs: FileSystem, root: string, ...further: readonly string[]): string {
  return [journalPath(root), ...further].map((file) => markOf(fs, file)).join(' / ');
}

function markOf(fs: FileSystem, file: string): string {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    return stat ? `${String(stat.ino)} ${String(stat.size)} ${String(stat.mtimeMs)}` : 'none';
  } catch (error) {
    return errorCode(error) ?? 'error';
  }
}
