/**
 * The database of a snapshot in blocks. The saved state has the hash of each, so that a program reads and checks only the
 * blocks that SQLite asks for, and opens a large database as quickly as a small one.
 */
import { sha256 } from '../../trust/canonical.ts';
import { openDatabase } from '../rows/sqlite.ts';
import type { Engine, SqliteDatabase } from '../rows/sqlite.ts';
import { openSavedFile } from './openFile.ts';
import type { SavedPlace } from './openFile.ts';

/** Bytes. A multiple of SQLite's page size, so that no page is in two blocks. */
const blockSize = 64 * 1024;
/** Written, and flushed, together. */
const blocksInPiece = 16;

/** In the saved state, as JSON. */
interface Contents {
  readonly size: number;
  readonly hashes: readonly string[];
}

/** Pieces to write. @returns the hashes of its blocks, as text */
export function* inBlocks(bytes: Uint8Array): Generator<Uint8Array, string> {
  const hashes: string[] = [];
  for (let from = 0; from < bytes.length; from += blocksInPiece * blockSize) {
    const piece = bytes.subarray(from, from + blocksInPiece * blockSize);
    for (let at = 0; at < piece.length; at += blockSize) hashes.push(sha256(piece.subarray(at, at + blockSize)));
    yield piece;
  }
  const contents: Contents = { size: bytes.length, hashes };
  return JSON.stringify(contents);
}

/**
 * @param blocks as `inBlocks` returned it. Reading a block that has another hash by then throws `SavedStateGone`.
 * @returns null for another file than the one that was written
 * @throws Error when it cannot be read
 */
export function openDatabaseFile(sqlite: Engine, place: SavedPlace, blocks: string): SqliteDatabase | null {
  const { size, hashes } = JSON.parse(blocks) as Contents;
  const file = openSavedFile(place);
  const read = (block: number) => {
    const bytes = file.read(block * blockSize, Math.min(size, (block + 1) * blockSize));
    if (sha256(bytes) !== hashes[block]) throw file.gone();
    return bytes;
  };
  try {
    if (file.size === size && hashes.length === Math.ceil(size / blockSize)) {
      if (!file.isWhole) return openDatabase(sqlite, { size, blockSize, read }, file.close);
      for (const block of hashes.keys()) read(block);
      return openDatabase(sqlite, file.read(0, size));
    }
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  return null;
}
