/** The file system without what can block: a pipe in the place of a file would keep the hook waiting until its host goes on. */
import nodeFs from 'node:fs';
import type { FileSystem } from '../store/journal/files.ts';

class NotAFile extends Error {
  override readonly name = 'NotAFile';
  readonly code = 'EINVAL';
}

function requirePlain(file: unknown): void {
  if (typeof file !== 'string') return;
  const stat = nodeFs.statSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile() && !stat.isDirectory()) throw new NotAFile(`${file} is no file: it is a pipe or a device`);
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
