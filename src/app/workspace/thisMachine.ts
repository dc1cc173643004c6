/** What every program takes of the machine it runs on. */
import { randomUUID } from 'node:crypto';
import { plainFiles, errorCode, type FileSystem } from '../../store/journal/files.ts';
import path from 'node:path';
import { keyringFile, parseKeyring, unreadableRing, type PinnedKey } from '../../trust/keyring.ts';

/** @param process the one that runs: its environment enters here */
export function thisMachine({ env, platform }: Pick<NodeJS.Process, 'env' | 'platform'>, home: string) {
  return {
    fs: plainFiles,
    env,
    platform,
    home,
    clock: Date.now,
    // Node's crypto is loaded with the first id.
    newId: () => randomUUID(),
  } as const;
}

/**
 * Variables that would lead to another user-level folder. The account decides on it, so that `HOME` in a host's settings
 * does not.
 */
const leading = ['HOME', 'USERPROFILE', 'LOCALAPPDATA', 'XDG_STATE_HOME', 'HOLDPOINT_STATE_FOLDER'];

type Environment = Readonly<Record<string, string | undefined>>;

/** @param home of the account that this program runs as */
export function withoutLeading(env: Environment, home: string): Environment {
  const kept = Object.entries(env).filter(([name]) => !leading.includes(name.toUpperCase()));
  return { ...Object.fromEntries(kept), HOME: home };
}

// Whose keys are trusted: those of an administrator, else those that this user pinned.

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
