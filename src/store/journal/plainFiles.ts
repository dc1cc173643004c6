/**
 * The file system of all programs: it reads plain files only. An agent can put a pipe or a device where a program
 * expects a file; reading it would block a gate or a hook until its host's timeout lets the call through.
 */
import nodeFs from 'node:fs';
import type { FileSystem } from './files.ts';

class NotAFile extends Error {
  override readonly name = 'NotAFile';
  readonly code = 'EINVAL';
}

/** Opening a pipe waits for its other end without this flag, which Windows does not have. */
const withoutWaiting = (nodeFs.constants.O_NONBLOCK as number | undefined) ?? 0;

function openPlain(file: nodeFs.PathLike, flags: number, mode?: nodeFs.Mode | null): number {
  const descriptor = nodeFs.openSync(file, flags | withoutWaiting, mode);
  const stat = nodeFs.fstatSync(descriptor);
  if (stat.isFile() || stat.isDirectory()) return descriptor;
  nodeFs.closeSync(descriptor);
  throw new NotAFile(`${String(file)} is not a file but a pipe or a device`);
}

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = nodeFs.constants;
/** As `fs.openSync` reads them. Source: Node's documentation, "File system flags". */
const flagBits: Readonly<Record<string, number>> = {
  r: O_RDONLY,
  'r+': O_RDWR,
  w: O_TRUNC | O_CREAT | O_WRONLY,
  wx: O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  a: O_APPEND | O_CREAT | O_WRONLY,
  ax: O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
};

// Not copied: reading all of its properties loads Node's streams.
export const plainFiles: FileSystem = Object.assign(Object.create(nodeFs) as FileSystem, {
  openSync(file, flags, mode) {
    const bits = typeof flags === 'number' ? flags : flagBits[flags];
    if (bits === undefined) throw new Error(`${String(file)} cannot be opened with the flags "${String(flags)}"`);
    return openPlain(file, bits, mode);
  },
  readFileSync: ((...given: Parameters<typeof nodeFs.readFileSync>) => {
    const [file, options] = given;
    if (typeof file === 'number') return nodeFs.readFileSync(file, options);
    const descriptor = openPlain(file, O_RDONLY);
    try {
      return nodeFs.readFileSync(descriptor, options);
    } finally {
      nodeFs.closeSync(descriptor);
    }
  }) as typeof nodeFs.readFileSync,
} satisfies Pick<FileSystem, 'openSync' | 'readFileSync'>);
