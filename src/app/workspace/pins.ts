/** Whose keys are trusted: those of an administrator, else those that this user pinned. */
import path from 'node:path';
import { errorCode, type FileSystem } from '../../store/journal/files.ts';
import { keyringFile, parseKeyring, unreadableRing, type PinnedKey } from '../../trust/keyring.ts';

/**
 * Fixed paths: the program's caller could set an environment variable. On Windows only administrators add folders to this
 * one; in C:\ProgramData every user, and so an agent, could be the first to put a key ring there.
 */
export function managedFolder(platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'C:\\Program Files\\Holdpoint';
  return platform === 'darwin' ? '/Library/Application Support/holdpoint' : '/etc/holdpoint';
}

/** Also true if it cannot be accessed; this fails closed. */
export function isManaged(fs: FileSystem, folder: string): boolean {
  try {
    return fs.lstatSync(path.join(folder, keyringFile), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR';
  }
}

/**
 * @throws Error when a key ring cannot be read. Continuing would record valid decisions as forgeries in the snapshot,
 * which would outlast the fault
 */
export function readPins(fs: FileSystem, file: string): PinnedKey[] {
  try {
    return parseKeyring(fs.readFileSync(file, 'utf8'));
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return [];
    throw new Error(unreadableRing(file), { cause });
  }
}
