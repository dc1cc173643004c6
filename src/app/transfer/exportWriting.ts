/** An export goes to its file piece by piece, and into its place as a whole: half a file must not pass for a whole one. */
import { closeQuietly } from '../../store/journal/files.ts';
import type { FileSystem } from '../../store/journal/files.ts';

interface Target {
  readonly fs: FileSystem;
  readonly file: string;
  /** A name beside it that no other program uses. */
  readonly temporary: string;
  /** Gives the temporary file the name of the file. */
  put(temporary: string, file: string): void;
}

/** Writes each piece before the next is made. Returns the number of bytes. */
export function writeExport({ fs, file, temporary, put }: Target, pieces: Iterable<string | Uint8Array>): number {
  let size = 0;
  try {
    const descriptor = fs.openSync(temporary, 'wx', 0o600);
    try {
      for (const piece of pieces) {
        const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
        for (let at = 0; at < bytes.length;) at += fs.writeSync(descriptor, bytes, at);
        size += bytes.length;
      }
      fs.fsyncSync(descriptor);
    } finally {
      closeQuietly(fs, descriptor);
    }
    put(temporary, file);
    return size;
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}
