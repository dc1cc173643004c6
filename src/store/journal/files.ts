/**
 * The part of node:fs that the store uses, so that tests can pass one that fails, with small helpers for durable
 * writes.
 */
import nodeFs from 'node:fs';
import path from 'node:path';

export type FileSystem = Pick<
  typeof nodeFs,
  | 'closeSync'
  | 'copyFileSync'
  | 'existsSync'
  | 'fchmodSync'
  | 'fdatasyncSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'linkSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readFileSync'
  | 'readSync'
  | 'readdirSync'
  | 'readlinkSync'
  | 'realpathSync'
  | 'renameSync'
  | 'rmSync'
  | 'rmdirSync'
  | 'statSync'
  | 'statfsSync'
  | 'writeSync'
>;

/** Whether this platform's file systems usually fold case. */
export function foldsCase(platform: NodeJS.Platform): boolean {
  return platform === 'win32' || platform === 'darwin';
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

export function statOrNull(fs: FileSystem, file: string): { size: number; dev: number; ino: number } | null {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat ? { size: stat.size, dev: stat.dev, ino: stat.ino } : null;
}

/**
 * Closes a descriptor that was synced before, or only read. Errors are ignored: the descriptor is released either way,
 * and a second close could hit another file that reuses the number. Source: close(2), "Dealing with error returns".
 */
export function closeQuietly(fs: FileSystem, descriptor: number): void {
  try {
    fs.closeSync(descriptor);
  } catch {
    return;
  }
}

/** Makes a folder's entries durable. Windows has no such call and needs none. */
export function syncFolder(fs: FileSystem, folder: string): void {
  let descriptor: number;
  try {
    descriptor = fs.openSync(folder, 'r');
  } catch (error) {
    if (['EISDIR', 'EPERM', 'EACCES'].includes(errorCode(error) ?? '')) return;
    throw error;
  }
  try {
    fs.fsyncSync(descriptor);
  } catch (error) {
    if (!['EPERM', 'EINVAL', 'EBADF'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Creates an empty file unless it exists. Safe when two programs do it at once: both end up with the same file. */
export function createEmpty(fs: FileSystem, file: string): void {
  try {
    const descriptor = fs.openSync(file, 'ax', 0o600);
    try {
      fs.fsyncSync(descriptor);
    } finally {
      closeQuietly(fs, descriptor);
    }
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * Creates a file's missing folders and syncs them, so that they are as durable as the file. Existing folders are synced
 * too: the program that created them may have crashed first.
 */
export function makeFolderOf(fs: FileSystem, file: string): void {
  if (fs.existsSync(file)) return;
  const folder = path.dirname(file);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let at = folder; path.dirname(at) !== at; at = path.dirname(at)) syncFolder(fs, path.dirname(at));
}

/** Null only when the file does not exist. `existsSync` would also return false for a file that it cannot access. */
export function readOrNull(fs: FileSystem, file: string): Buffer | null {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The names in a folder; none when it does not exist. */
export function namesIn(fs: FileSystem, folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Bytes `from`..`to` of an open file. @throws Error when the file ends earlier */
export function readRange(fs: FileSystem, descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  let done = 0;
  while (done < bytes.length) {
    const count = fs.readSync(descriptor, bytes, done, bytes.length - done, from + done);
    if (count === 0) throw new Error(`the file ended at ${String(from + done)} while reading up to ${String(to)}`);
    done += count;
  }
  return bytes;
}

/** Milliseconds. */
const pauses = [1, 4, 15, 40];

/**
 * Renames a file to a name that another one may have. Windows refuses while a program has that one open: one that reads it
 * has soon closed it.
 */
export function renameOver(fs: Pick<FileSystem, 'renameSync'>, from: string, to: string): void {
  for (const pause of pauses) {
    try {
      fs.renameSync(from, to);
      return;
    } catch (error) {
      if (!['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error) ?? '')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
  fs.renameSync(from, to);
}

function replacing(isFlushed: boolean) {
  return (fs: FileSystem, file: string, content: Uint8Array, temporary: string): void => {
    try {
      const descriptor = fs.openSync(temporary, 'wx', 0o600);
      try {
        for (let done = 0; done < content.length;)
          done += fs.writeSync(descriptor, content, done, content.length - done);
        if (fs.fstatSync(descriptor).size !== content.length)
          throw new Error(`${path.basename(file)} was written short`);
        if (isFlushed) fs.fsyncSync(descriptor);
      } finally {
        fs.closeSync(descriptor);
      }
      renameOver(fs, temporary, file);
    } catch (error) {
      fs.rmSync(temporary, { force: true });
      throw error;
    }
    if (isFlushed) syncFolder(fs, path.dirname(file));
  };
}

/** Replaces a whole file atomically: temporary file, byte count, fsync, rename, fsync of the folder. */
export const replaceFile = replacing(true);
/** Replaces a cache: what a crash makes of it is found by its hash. */
export const replaceQuickly = replacing(false);

/** Replaces a file of this user, whose folders may be missing. */
export function putFile(
  { fs, newId }: { readonly fs: FileSystem; readonly newId: () => string },
  file: string,
  content: string | Buffer,
): void {
  makeFolderOf(fs, file);
  replaceFile(fs, file, typeof content === 'string' ? Buffer.from(content) : content, `${file}.${newId()}.tmp`);
}

// Programs read plain files only. An agent can put a pipe or a device where a program expects a file; reading it would block
// a gate or a hook until its host's timeout lets the call through.
class NotAFile extends Error {
  override readonly name = 'NotAFile';
  readonly code = 'EINVAL';
}

/** Opening a pipe waits for its other end without this flag, which Windows does not have. */
const withoutWaiting = (nodeFs.constants.O_NONBLOCK as number | undefined) ?? 0;

function openPlain(file: nodeFs.PathLike, flags: number, mode?: nodeFs.Mode | null): number {
  const descriptor = nodeFs.openSync(file, flags | withoutWaiting, mode);
  const stat = nodeFs.fstatSync(descriptor);
  if (stat.isFile() || stat.isDirectory()) return descriptor;
  nodeFs.closeSync(descriptor);
  throw new NotAFile(`${String(file)} is not a file but a pipe or a device`);
}

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = nodeFs.constants;
/** As `fs.openSync` reads them. Source: Node's documentation, "File system flags". */
const flagBits: Readonly<Record<string, number>> = {
  r: O_RDONLY,
  'r+': O_RDWR,
  w: O_TRUNC | O_CREAT | O_WRONLY,
  wx: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  a: O_APPEND | O_CREAT | O_WRONLY,
  ax: O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
};

// Not copied: reading all of its properties loads Node's streams.
export const plainFiles: FileSystem = Object.assign(Object.create(nodeFs) as FileSystem, {
  openSync(file, flags, mode) {
    const bits = typeof flags === 'number' ? flags : flagBits[flags];
    if (bits === undefined) throw new Error(`${String(file)} cannot be opened with the flags "${String(flags)}"`);
    return openPlain(file, bits, mode);
  },
  readFileSync: ((...given: Parameters<typeof nodeFs.readFileSync>) => {
    const [file, options] = given;
    if (typeof file === 'number') return nodeFs.readFileSync(file, options);
    const descriptor = openPlain(file, O_RDONLY);
    try {
      return nodeFs.readFileSync(descriptor, options);
    } finally {
      nodeFs.closeSync(descriptor);
    }
  }) as typeof nodeFs.readFileSync,
} satisfies Pick<FileSystem, 'openSync' | 'readFileSync'>);

// Where a store's journal is, and whether its folders and file are plain ones.

export const storeFolder = '.holdpoint';

export function journalPath(root: string): string {
  return path.join(root, storeFolder, 'journal', '00000001.jsonl');
}

/** Why the store's folders and its journal are not plain ones of ours (but links, for example); null when they are. */
export function unsafePlace(fs: FileSystem, root: string): string | null {
  const journal = journalPath(root);
  for (const folder of [path.join(root, storeFolder), path.dirname(journal)]) {
    const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
    if (stat && !stat.isDirectory()) return `${path.relative(root, folder)} is not a folder but a link or file.`;
  }
  const stat = fs.lstatSync(journal, { throwIfNoEntry: false });
  return stat && !stat.isFile() ? `${path.relative(root, journal)} is not a plain file.` : null;
}
