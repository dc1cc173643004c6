/** Where a store's journal is, and whether its folders and file are plain ones. */
import path from 'node:path';
import type { FileSystem } from './files.ts';

export const storeFolder = '.holdpoint';

export function journalPath(root: string): string {
  return path.join(root, storeFolder, 'journal', '00000001.jsonl');
}

/** Paths that are looked at before each commit, joined once. */
interface Places {
  readonly folders: readonly string[];
  /** The journal. */
  readonly file: string;
}

export function placesOf(root: string): Places {
  const store = path.join(root, storeFolder);
  return { folders: [store, path.join(store, 'journal')], file: journalPath(root) };
}

export function unsafeIn(fs: FileSystem, root: string, folders: readonly string[]): string | null {
  for (const folder of folders) {
    const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
    if (stat && !stat.isDirectory()) return `${path.relative(root, folder)} is not a folder but a link or file.`;
  }
  return null;
}

export function unsafeFile(fs: FileSystem, root: string, name: string): string | null {
  const file = fs.lstatSync(name, { throwIfNoEntry: false });
  return file && !file.isFile() ? `${path.relative(root, name)} is not a plain file.` : null;
}
