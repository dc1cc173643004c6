/**
 * An administrator's key ring, stored where the user, and so an agent, cannot write. If it exists, it alone counts: no
 * first decision and no edited user file makes a key trusted.
 */
import path from 'node:path';
import type { Trust } from '../../core/records/decision.ts';
import { errorCode, type FileSystem } from '../../store/journal/files.ts';
import { type PinnedKey, keyringFile, parseKeyring } from '../../trust/keyring.ts';
import { isVouchedFor } from '../../trust/vouching.ts';

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

/** Null if keys are not managed. A key ring that is writable by others or unreadable trusts no key. */
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

/** Where an administrator's keys count, a file that an agent can write must not decide what a gate starts from. */
export function acceptsSaved(fs: FileSystem, folder: string, pins: () => readonly PinnedKey[]): Trust['accepts'] {
  return (saved) => !isManaged(fs, folder) || isVouchedFor(saved, pins());
}

function isOfRoot(fs: FileSystem, place: string): boolean {
  const stat = fs.lstatSync(place);
  return stat.uid === 0 && !stat.isSymbolicLink() && (stat.mode & 0o022) === 0;
}
