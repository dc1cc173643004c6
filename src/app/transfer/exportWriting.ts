/**
 * Writes an export piece by piece into a temporary file, then moves it into place: a partial file must not look
 * complete.
 */
import { closeQuietly, type FileSystem } from '../../store/journal/files.ts';

interface Target {
  readonly fs: FileSystem;
  readonly file: string;
  /** A unique name in the same folder. */
  readonly temporary: string;
  /** Moves the temporary file to its final name. */
  put(temporary: string, file: string): void;
}

/** Writes each piece before generating the next. Returns the number of bytes. */
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
