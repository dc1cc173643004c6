/** Creating the journal's folder and files, checking them, and replacing a journal by another. */
import path from 'node:path';
import { createEmpty, errorCode, replaceFile, syncFolder, type FileSystem } from './files.ts';
import { StoreError } from './problem.ts';
import { furtherFiles } from './joinFiles.ts';
import { journalPath, placesOf, storeFolder, unsafeFile, unsafeIn } from './places.ts';

/** Why the store's folders are not plain folders of ours (for example links); null when they are. */
function unsafeFolder(fs: FileSystem, root: string): string | null {
  const { folders, file } = placesOf(root);
  return unsafeIn(fs, root, folders) ?? unsafeFile(fs, root, file);
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
