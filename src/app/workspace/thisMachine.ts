/** What every program takes of the machine it runs on. */

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type * as z from 'zod';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { errorCode, type FileSystem, plainFiles } from '../../store/journal/files.ts';
import { keyringFile, parseKeyring, type PinnedKey, unreadableRing } from '../../trust/keyring.ts';
import { AppError } from './errors.ts';

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

// Files of this user: those that other users must not change or read, and notes that may be missing.

interface PrivateFile<T> {
  readonly fs: FileSystem;
  readonly platform: NodeJS.Platform;
  readonly file: string;
  readonly schema: z.ZodType<T>;
  /** Permission bits that must not be set; default: other users can neither read nor change it. */
  readonly closed?: number;
}

/**
 * The content, or null when the file does not exist.
 * @throws AppError `bad_input` if it is open to other users, or malformed
 */
export function readPrivateFile<T>({ fs, platform, file, schema, closed = 0o077 }: PrivateFile<T>): T | null {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat) return null;
  if (!stat.isFile()) throw new AppError('bad_input', `${file} is not a plain file`);
  if (platform !== 'win32' && (stat.mode & closed) !== 0)
    throw new AppError('bad_input', `${file} is open to other users: run chmod 600 on it`);
  const result = schema.safeParse(jsonOrNull(fs.readFileSync(file, 'utf8')));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new AppError('bad_input', `${file}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

/** Null for a file that is missing, cannot be read or is malformed. */
export function readNote<T>(fs: FileSystem, file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}
