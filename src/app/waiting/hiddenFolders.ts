/**
 * Folders that a human removed from the list of other folders: a user-level file, no store is touched. It applies only
 * while a folder is missing, so nothing that is waiting can be hidden with it.
 */
import path from 'node:path';
import * as z from 'zod';
import { putFile, type FileSystem } from '../../store/journal/files.ts';

const hidden = z.object({ v: z.literal(1), roots: z.array(z.string()) });

/** An unreadable list hides nothing. */
export function hiddenFolders(fs: FileSystem, userFolder: string): ReadonlySet<string> {
  try {
    return new Set(hidden.parse(JSON.parse(fs.readFileSync(fileIn(userFolder), 'utf8'))).roots);
  } catch {
    return new Set();
  }
}

export function hideFolders(
  { fs, newId }: { readonly fs: FileSystem; readonly newId: () => string },
  userFolder: string,
  roots: readonly string[],
): void {
  const file = fileIn(userFolder);
  const all = { v: 1, roots: [...new Set([...hiddenFolders(fs, userFolder), ...roots])].sort() };
  putFile({ fs, newId }, file, `${JSON.stringify(all)}\n`);
}

function fileIn(userFolder: string): string {
  return path.join(userFolder, 'hidden.json');
}
