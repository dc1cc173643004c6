/**
 * An administrator's key ring, stored where the user, and so an agent, cannot write. If it exists, only it is used: no
 * first decision and no edited user file makes a key trusted.
 */
import path from 'node:path';
import type { Trust } from '../../core/records/decision.ts';
import type { FileSystem } from '../../store/journal/files.ts';
import { type PinnedKey, keyringFile, parseKeyring } from '../../trust/keyring.ts';
import { isManaged } from './thisMachine.ts';
import { isVouchedFor } from '../../trust/envelope.ts';

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
