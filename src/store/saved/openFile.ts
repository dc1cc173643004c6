/** A saved file that stays open: its bytes can be read also after another program has removed it. */
import { closeQuietly, readRange } from '../journal/files.ts';
import type { FileSystem } from '../journal/files.ts';
import { SavedStateGone } from '../journal/problem.ts';

export interface OpenFile {
  /** Bytes. */
  readonly size: number;
  /** Whether all of it was read when it was opened, so that reading cannot fail. */
  readonly isWhole: boolean;
  /** @throws SavedStateGone when it cannot be read, or is closed */
  read(from: number, to: number): Buffer;
  /** To throw when what was read is not what was written. */
  gone(cause?: unknown): SavedStateGone;
  /** Before it is abandoned. */
  close(): void;
}

export interface SavedPlace {
  readonly fs: FileSystem;
  readonly file: string;
  /** Files at least this long are read as needed, shorter ones when they are opened. Bytes. */
  readonly lazyFrom: number;
  /** Called when something cannot be read, or is not what was written. */
  readonly onGone?: (() => void) | undefined;
}

/** Below this, reading and checking all of a file takes a few milliseconds. Bytes. */
export const lazyFromDefault = 4 * 1024 * 1024;

/**
 * States outlive the ledger that they were loaded for (a view may still be drawn from one), so their files are closed once
 * nothing refers to them any more.
 */
const abandoned = new FinalizationRegistry<() => void>((close) => {
  close();
});

/** @throws Error when it cannot be opened */
export function openSavedFile({ fs, file, lazyFrom, onGone }: SavedPlace): OpenFile {
  const descriptor = fs.openSync(file, 'r');
  let isOpen = true;
  const close = () => {
    if (isOpen) closeQuietly(fs, descriptor);
    isOpen = false;
  };
  try {
    const { size } = fs.fstatSync(descriptor);
    if (size >= lazyFrom) {
      const file = { size, isWhole: false, read, gone, close };
      abandoned.register(file, close);
      return file;
    }
    const bytes = readRange(fs, descriptor, 0, size);
    close();
    return { size, isWhole: true, read: (from, to) => bytes.subarray(from, to), gone, close };
  } catch (error) {
    close();
    throw error;
  }

  function read(from: number, to: number): Buffer {
    if (!isOpen) throw new SavedStateGone();
    try {
      return readRange(fs, descriptor, from, to);
    } catch (cause) {
      throw gone(cause);
    }
  }

  function gone(cause?: unknown): SavedStateGone {
    onGone?.();
    return new SavedStateGone({ cause });
  }
}
