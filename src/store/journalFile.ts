/** The journal's file: where it lies, how it is made, read and appended to. Knows bytes and positions, not what they mean. */
import path from 'node:path';
import { closeQuietly, errorCode, readRange, replaceFile, statOrNull, syncFolder } from './files.ts';
import type { FileSystem } from './files.ts';
import { StoreError } from './problem.ts';

export const storeFolder = '.holdpoint';
export const firstSegment = '00000001.jsonl';

export function journalPath(root: string): string {
  return path.join(root, storeFolder, 'journal', firstSegment);
}

/** Whether the store's folders are what we made: real folders, not links to elsewhere. */
export function unsafeFolder(fs: FileSystem, root: string): string | null {
  for (const folder of [path.join(root, storeFolder), path.join(root, storeFolder, 'journal')]) {
    const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
    if (stat && !stat.isDirectory()) return `${path.relative(root, folder)} is not a folder but a link or file.`;
  }
  const file = fs.lstatSync(journalPath(root), { throwIfNoEntry: false });
  return file && !file.isFile() ? `${path.relative(root, journalPath(root))} is not a plain file.` : null;
}

/** File systems without atomic append. Source: statfs(2) magic numbers of NFS, SMB, CIFS and SMB2. */
const networkFileSystems = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

export function isNetworkDrive(fs: FileSystem, folder: string, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return folder.startsWith('\\\\');
  return platform === 'linux' && networkFileSystems.has(fs.statfsSync(folder).type);
}

/**
 * Makes an empty journal, durably, unless there is one. Two programs may do this at once: both end with the same file.
 * @throws Error when the place is not a plain folder of ours, or the disk refuses
 */
export function createJournal(fs: FileSystem, root: string, newId: () => string): void {
  makeFolders(fs, root, newId);
  try {
    const descriptor = fs.openSync(journalPath(root), 'ax', 0o600);
    try {
      fs.fsyncSync(descriptor);
    } finally {
      closeQuietly(fs, descriptor);
    }
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  syncFolder(fs, path.dirname(journalPath(root)));
}

/** @throws Error when something else lies there */
function makeFolders(fs: FileSystem, root: string, newId: () => string): void {
  const unsafe = unsafeFolder(fs, root);
  if (unsafe !== null) throw new Error(unsafe);
  const store = path.join(root, storeFolder);
  const folder = path.join(store, 'journal');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ignore = path.join(store, '.gitignore');
  if (!fs.existsSync(ignore))
    replaceFile(
      fs,
      ignore,
      Buffer.from('# Written by Holdpoint: the store is local to this machine.\n*\n'),
      `${ignore}.${newId()}.tmp`,
    );
  for (const made of [store, root]) syncFolder(fs, made);
}

export interface OpenJournal {
  /** Size in bytes if the path still is this very file. */
  size(): number | 'missing' | 'replaced';
  read(from: number, to: number): Buffer;
  /**
   * One write at the end of the file. `won`: it lies at `at` and is durable. `lost`: another program was first, the
   * bytes lie elsewhere and are void. `failed`: nothing was written. `unknown`: it may or may not be durable.
   */
  append(bytes: Buffer, at: number): { outcome: 'won' | 'lost' } | { outcome: 'failed' | 'unknown'; cause: unknown };
  /** Makes all that was appended durable, by whomever. @throws when the disk does not confirm */
  sync(): void;
  close(): void;
}

/** Null when there is no such file. */
export function openJournal(fs: FileSystem, file: string): OpenJournal | null {
  let reader: number;
  try {
    reader = fs.openSync(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  const identity = fs.fstatSync(reader);
  let writer: number | null = null;
  const stillThis = () => {
    const now = statOrNull(fs, file);
    if (now === null) return 'missing';
    return now.dev === identity.dev && now.ino === identity.ino ? now.size : 'replaced';
  };
  const isUntouched = (at: number) => {
    try {
      return stillThis() === at;
    } catch {
      return false;
    }
  };
  return {
    size: stillThis,
    read: (from, to) => readRange(fs, reader, from, to),
    append(bytes, at) {
      let written: number;
      try {
        writer ??= fs.openSync(file, 'a', 0o600);
        written = fs.writeSync(writer, bytes, 0, bytes.length);
      } catch (cause) {
        return { outcome: isUntouched(at) ? 'failed' : 'unknown', cause };
      }
      try {
        if (written !== bytes.length) throw new Error(`wrote ${String(written)} of ${String(bytes.length)} bytes`);
        if (!readRange(fs, reader, at, at + bytes.length).equals(bytes)) return { outcome: 'lost' };
        fs.fdatasyncSync(writer);
        if (typeof stillThis() === 'string') throw new Error('the journal was replaced while it was written');
        return { outcome: 'won' };
      } catch (cause) {
        return { outcome: 'unknown', cause };
      }
    },
    sync() {
      if (typeof stillThis() === 'string') throw new Error('the journal was replaced');
      writer ??= fs.openSync(file, 'a', 0o600);
      fs.fdatasyncSync(writer);
    },
    close() {
      for (const descriptor of writer === null ? [reader] : [reader, writer]) closeQuietly(fs, descriptor);
    },
  };
}

/**
 * Puts a whole journal in the place of the present one, for a human's act of recovery. The present one is renamed:
 * nothing is deleted. Stopped anywhere in between, the journal is the old one, the new one or missing.
 */
export function replaceJournal(fs: FileSystem, root: string, bytes: Buffer, newId: () => string): void {
  makeFolders(fs, root, newId);
  const file = journalPath(root);
  const next = `${file}.next-${newId()}`;
  replaceFile(fs, next, bytes, `${next}.tmp`);
  try {
    fs.renameSync(file, `${file}.aside-${newId()}`);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error; // not there is fine; not known to be there is not
  }
  fs.renameSync(next, file);
  syncFolder(fs, path.dirname(file));
}

/** Refuses drives where two writers could overwrite each other. @throws StoreError */
export function requireLocalDrive(fs: FileSystem, root: string, platform: NodeJS.Platform): void {
  if (isNetworkDrive(fs, root, platform))
    throw new StoreError(
      'network-drive',
      `${root} is on a network drive, where appends are not atomic: move the workspace to a local drive`,
    );
}
