/** The database of a snapshot, as a file. The saved state has its hash. */
import { createHash } from 'node:crypto';
import type { FileSystem } from '../journal/files.ts';
import { openDatabase } from '../rows/sqlite.ts';
import type { Database, Engine } from '../rows/sqlite.ts';
import { sha256 } from '../../trust/canonical.ts';

/** Written, and flushed, together. Bytes. */
const pieceSize = 1024 * 1024;

/** Pieces to write. @returns the hash of all */
export function* inPieces(bytes: Uint8Array): Generator<Uint8Array, string> {
  const hash = createHash('sha256');
  for (let from = 0; from < bytes.length; from += pieceSize) {
    const piece = bytes.subarray(from, from + pieceSize);
    hash.update(piece);
    yield piece;
  }
  return hash.digest('hex');
}

/**
 * @returns null for another file than the one that was written
 * @throws Error when it cannot be read
 */
export function openDatabaseFile(sqlite: Engine, fs: FileSystem, file: string, hash: string): Database | null {
  const bytes = fs.readFileSync(file);
  return sha256(bytes) === hash ? openDatabase(sqlite, bytes) : null;
}
