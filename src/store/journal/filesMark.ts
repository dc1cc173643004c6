/** Tells whether files were changed, without reading them. */
import { errorCode, type FileSystem } from './files.ts';
import { journalPath } from './places.ts';

/** Changes whenever the journal of a root, or one of the further files, does. */
export function markOfFiles(fs: FileSystem, root: string, ...further: readonly string[]): string {
  return [journalPath(root), ...further].map((file) => markOf(fs, file)).join(' / ');
}

function markOf(fs: FileSystem, file: string): string {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    return stat ? `${String(stat.ino)} ${String(stat.size)} ${String(stat.mtimeMs)}` : 'none';
  } catch (error) {
    return errorCode(error) ?? 'error';
  }
}
