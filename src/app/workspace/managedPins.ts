/**
 * A key ring that an administrator keeps where the user, and so an agent, cannot write. Where there is one it alone
 * counts: neither a first decision nor an edited file of the user makes a key trusted.
 */
import path from 'node:path';
import type { FileSystem } from '../../store/journal/files.ts';
import { errorCode } from '../../store/journal/files.ts';
import type { PinnedKey } from '../../trust/envelope.ts';
import { keyringFile, parseKeyring } from '../../trust/keyring.ts';

/** Fixed places: a variable of the environment could be set by whoever starts the program. */
export function managedFolder(platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'C:\\ProgramData\\holdpoint';
  return platform === 'darwin' ? '/Library/Application Support/holdpoint' : '/etc/holdpoint';
}

/** True also for one that is there and cannot be looked at: what cannot be told is not free to use. */
export function isManaged(fs: FileSystem, folder: string): boolean {
  try {
    return fs.lstatSync(path.join(folder, keyringFile), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR';
  }
}

/** Null where nothing is managed. A key ring that others could have written, or nobody can read, trusts nobody. */
export function readManagedPins(fs: FileSystem, folder: string, platform: NodeJS.Platform): PinnedKey[] | null {
  if (!isManaged(fs, folder)) return null;
  const file = path.join(folder, keyringFile);
  try {
    const isSafe = platform === 'win32' || [folder, file].every((place) => isOfRoot(fs, place));
    return isSafe ? parseKeyring(fs.readFileSync(file, 'utf8')) : [];
  } catch {
    return [];
  }
}

function isOfRoot(fs: FileSystem, place: string): boolean {
  const stat = fs.lstatSync(place);
  return stat.uid === 0 && !stat.isSymbolicLink() && (stat.mode & 0o022) === 0;
}
