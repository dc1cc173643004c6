/**
 * The content of a database file as sql.js keeps it, but read from elsewhere block by block when SQLite asks for it.
 *
 * sql.js keeps a file as an array of bytes: it copies what it is given with `slice`, reads with `subarray`, writes with
 * `set`, and makes a larger array when `length` is too small. This object offers just these four, so that opening a large
 * database reads a few blocks. Source: `MEMFS` in sql.js 1.16; `pagedContent.test.ts` compares both.
 */
export interface Blocks {
  /** Bytes of the whole file. */
  readonly size: number;
  /** Bytes of each block but the last. */
  readonly blockSize: number;
  /** The bytes of a block, from 0 on; called once for each. */
  read(block: number): Uint8Array;
}

export function pagedContent({ size, blockSize, read }: Blocks): Uint8Array {
  /** Blocks that were read or written. */
  const blocks = new Map<number, Uint8Array>();

  function blockAt(number: number): Uint8Array {
    const known = blocks.get(number);
    if (known) return known;
    const isFull = (number + 1) * blockSize <= size;
    const block = isFull ? read(number) : new Uint8Array(blockSize);
    if (!isFull && number * blockSize < size) block.set(read(number));
    blocks.set(number, block);
    return block;
  }

  /** Calls back for each piece of a range that is in one block. */
  function eachPiece(from: number, to: number, use: (block: number, start: number, end: number, at: number) => void) {
    for (let at = from; at < to;) {
      const number = Math.floor(at / blockSize);
      const start = at - number * blockSize;
      const end = Math.min(blockSize, to - number * blockSize);
      use(number, start, end, at - from);
      at += end - start;
    }
  }

  function subarray(from: number, to: number): Uint8Array {
    const number = Math.floor(from / blockSize);
    if (to <= (number + 1) * blockSize)
      return blockAt(number).subarray(from % blockSize, (from % blockSize) + to - from);
    const bytes = new Uint8Array(to - from);
    eachPiece(from, to, (block, start, end, at) => {
      bytes.set(blockAt(block).subarray(start, end), at);
    });
    return bytes;
  }

  function set(bytes: Uint8Array, position: number): void {
    const start = position % blockSize;
    if (start + bytes.length <= blockSize) {
      blockAt((position - start) / blockSize).set(bytes, start);
      return;
    }
    eachPiece(position, position + bytes.length, (block, start, end, at) => {
      blockAt(block).set(bytes.subarray(at, at + end - start), start);
    });
  }

  // Never too small, so that writing beyond the end adds blocks instead of making one array of all.
  const kept = { length: Number.MAX_SAFE_INTEGER, subarray, set };
  const given = { length: size, subarray, slice: () => kept };
  return given as unknown as Uint8Array;
}
