/** Changes the mode of one plain file below a folder, without following links. */
import path from 'node:path';
import { closeQuietly } from '../../store/journal/files.ts';
import type { FileSystem } from '../../store/journal/files.ts';
import { realPathOf } from '../workspace/paths.ts';

const writeBits = 0o222;
const permissions = 0o7777;

/** The mode of a file with this one while it is fenced. On Windows, all write bits are one attribute. */
export function fencedMode(mode: number): number {
  return mode & permissions & ~writeBits;
}

/** Null for what has no fence: links, folders, files with several names, and files without any write permission. */
export function modeToFence(fs: FileSystem, file: string): number | null {
  const stat = plainFile(fs, file);
  const mode = (stat?.mode ?? 0) & permissions;
  return (mode & writeBits) === 0 ? null : mode;
}

/** The permission bits of a plain file with one name; null for anything else. */
export function modeOf(fs: FileSystem, file: string): number | null {
  const stat = plainFile(fs, file);
  return stat && stat.mode & permissions;
}

/** @returns whether the file has the new mode now: not if it did not have the old one, or is another user's */
export function changeMode(fs: FileSystem, file: string, { from, to }: { from: number; to: number }): boolean {
  let descriptor: number | null = null;
  try {
    const before = plainFile(fs, file);
    if (!before) return false;
    descriptor = fs.openSync(file, 'r');
    const opened = fs.fstatSync(descriptor); // where a link has taken its place, another file
    if (opened.ino !== before.ino || opened.dev !== before.dev || (opened.mode & permissions) !== from) return false;
    fs.fchmodSync(descriptor, to);
    return true;
  } catch {
    return false;
  } finally {
    if (descriptor !== null) closeQuietly(fs, descriptor);
  }
}

function plainFile(fs: FileSystem, file: string) {
  try {
    const stat = fs.lstatSync(file, { throwIfNoEntry: false });
    return stat?.isFile() && stat.nlink === 1 ? stat : null;
  } catch {
    return null;
  }
}

/** Whether the way to a file leads through no link, so that it is where its path says. */
export function isReachedDirectly(fs: FileSystem, root: string): (name: string) => boolean {
  const known = new Map<string, boolean>();
  const real = realPathOf(fs, root);
  return (name) => {
    const folder = path.dirname(name);
    const direct = known.get(folder) ?? isDirect(folder);
    known.set(folder, direct);
    return direct;
  };

  function isDirect(folder: string): boolean {
    try {
      return realPathOf(fs, path.join(root, folder)) === path.join(real, folder);
    } catch {
      return false;
    }
  }
}
