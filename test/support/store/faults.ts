/** File systems with injected failures on top of the real one. */
import fs from 'node:fs';
import type { FileSystem } from '../../../src/store/journal/files.ts';
import { realFs } from './sandbox.ts';

export function fault(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

const changing = [
  'mkdirSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'copyFileSync',
  'writeSync',
  'fsyncSync',
  'fdatasyncSync',
  'fchmodSync',
] as const;

export interface Counting {
  readonly fs: FileSystem;
  /** The number of attempted calls that change something. */
  calls(): number;
}

/**
 * From the `at`-th changing call on, nothing changes any more, as if the program had been killed there.
 * @param at 1 for the first call; Infinity to count only
 */
export function stopsAt(at: number): Counting {
  let calls = 0;
  const guard = <F extends (...args: never[]) => unknown>(real: F) =>
    ((...args: never[]) => {
      if (++calls >= at) throw fault('EIO');
      return real(...args);
    }) as unknown as F;
  const guarded = Object.fromEntries(changing.map((name) => [name, guard(fs[name] as (...args: never[]) => unknown)]));
  const openSync = ((file: string, flags: string, mode?: number) => {
    if (flags !== 'r' && ++calls >= at) throw fault('EIO');
    return fs.openSync(file, flags, mode);
  }) as typeof fs.openSync;
  return { fs: { ...realFs, ...guarded, openSync }, calls: () => calls };
}

export interface JournalFaults {
  /** Called for each write to the journal instead of the real one, which it may call. */
  write?: (descriptor: number, bytes: Buffer, real: (part: Buffer) => number) => number;
  /** Called for each fdatasync. */
  sync?: (descriptor: number) => void;
}

/** The real file system, except for writes to the journal; `faults` can change during the test. */
export function withJournalFaults(faults: JournalFaults): FileSystem {
  const journals = new Set<number>();
  return {
    ...realFs,
    openSync: ((file: string, flags: string, mode?: number) => {
      const descriptor = fs.openSync(file, flags, mode);
      if (file.endsWith('.jsonl') && flags === 'a') journals.add(descriptor);
      else journals.delete(descriptor);
      return descriptor;
    }) as typeof fs.openSync,
    writeSync: ((descriptor: number, bytes: Buffer, offset: number, length: number, position?: number) => {
      const real = (part: Buffer) => fs.writeSync(descriptor, part, 0, part.length);
      if (journals.has(descriptor) && faults.write) return faults.write(descriptor, bytes, real);
      return fs.writeSync(descriptor, bytes, offset, length, position);
    }) as typeof fs.writeSync,
    fdatasyncSync: (descriptor: number) => {
      faults.sync?.(descriptor);
      fs.fdatasyncSync(descriptor);
    },
  };
}
