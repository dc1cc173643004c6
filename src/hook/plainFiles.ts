/**
 * A file system that refuses anything but plain files and folders: reading a pipe would block the hook until its host's
 * timeout lets the call through.
 */
import nodeFs from 'node:fs';
import type { FileSystem } from '../store/journal/files.ts';

class NotAFile extends Error {
  override readonly name = 'NotAFile';
  readonly code = 'EINVAL';
}

function requirePlain(file: unknown): void {
  if (typeof file !== 'string') return;
  const stat = nodeFs.statSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile() && !stat.isDirectory()) throw new NotAFile(`${file} is not a file but a pipe or a device`);
}

export const plainFiles: FileSystem = {
  ...nodeFs,
  openSync(file, flags, mode) {
    requirePlain(file);
    return nodeFs.openSync(file, flags, mode);
  },
  readFileSync: ((...given: Parameters<typeof nodeFs.readFileSync>) => {
    requirePlain(given[0]);
    return nodeFs.readFileSync(...given);
  }) as typeof nodeFs.readFileSync,
};
