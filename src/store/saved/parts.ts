/**
 * The file of a saved state: parts one after another, and a last line with the length and hash of each. Elsewhere only the
 * hash of that line is recorded, so a gate reads the line, and of the rest the parts that it needs.
 */
import { createHash } from 'node:crypto';
import { finish } from '../../core/kit/finish.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { OpenFile } from './openFile.ts';

/** Bytes, and SHA-256. */
export type PartMark = readonly [length: number, hash: string];

/**
 * In pieces, so that a large state does not block as one step.
 * @param parts each begins when those before it are written
 * @param last the last line, which must contain the marks of all parts
 * @returns its hash
 */
export function* inParts(
  parts: Iterable<Iterable<string>>,
  last: (marks: readonly PartMark[]) => Iterable<string>,
): Generator<string, string> {
  const marks: PartMark[] = [];
  for (const part of parts) {
    marks.push(yield* measured(part));
    yield '\n';
  }
  const [, hash] = yield* measured(last(marks));
  return hash;
}

function* measured(pieces: Iterable<string>): Generator<string, PartMark> {
  const hash = createHash('sha256');
  let length = 0;
  for (const piece of pieces) {
    hash.update(piece);
    length += Buffer.byteLength(piece);
    yield piece;
  }
  return [length, hash.digest('hex')];
}

/** Of parts that are not written. */
export function marksOf(parts: Iterable<Iterable<string>>): PartMark[] {
  return Array.from(parts, (part) => finish(measured(part)));
}

/** A piece of a part, whose mark another part has. */
export interface MarkedPiece {
  /** Its first byte in the part. */
  readonly from: number;
  readonly mark: PartMark;
}

/**
 * @param marks of pieces one after another: length, hash, length, hash, ...
 * @param between bytes between two pieces
 */
export function piecesIn(marks: readonly (number | string)[], between: number): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  let from = 0;
  for (let at = 0; at < marks.length; at += 2) {
    const [length, hash] = marks.slice(at, at + 2) as [number, string];
    pieces.push({ from, mark: [length, hash] });
    from += length + between;
  }
  return pieces;
}

interface Last {
  readonly parts: readonly PartMark[];
}

export interface SavedFile<T extends Last> {
  /** The last line. */
  readonly last: T;
  /**
   * Another part, which is what the last line says.
   * @throws SavedStateGone when it is not, or not any more
   */
  part(index: number): string;
  /** The same for the bytes of a piece of a part, from this byte on, whose mark another part has. */
  piece(index: number, from: number, mark: PartMark): Buffer;
}

/**
 * @param file stays open as long as its parts may be read
 * @param hash of the last line
 * @returns null for another file than the one that was written
 * @throws Error when it cannot be read
 */
export function readSaved<T extends Last>(file: OpenFile, hash: string): SavedFile<T> | null {
  const line = lastLine(file);
  if (sha256(line) !== hash) return null;
  const last = JSON.parse(line.toString('utf8')) as T;
  let end = -1;
  const places = last.parts.map(([length, expected]) => {
    const from = end + 1;
    end = from + length;
    return { from, to: end, expected };
  });
  if (file.isWhole && !places.every(({ from, to, expected }) => sha256(file.read(from, to)) === expected)) return null;
  const placeAt = (index: number) => places[index] ?? { from: 0, to: 0, expected: '' };
  const read = (from: number, to: number, hash: string) => {
    const bytes = file.read(from, to);
    if (!file.isWhole && sha256(bytes) !== hash) throw file.gone();
    return bytes;
  };
  const part = (index: number) => {
    const { from, to, expected } = placeAt(index);
    return read(from, to, expected).toString('utf8');
  };
  const piece = (index: number, from: number, [length, hash]: PartMark) => {
    const start = placeAt(index).from + from;
    return read(start, start + length, hash);
  };
  return { last, part, piece };
}

const lineFeed = 0x0a;
/** First tried for the last line. */
const chunk = 64 * 1024;

function lastLine(file: OpenFile): Buffer {
  for (let length = chunk; ; length *= 8) {
    const from = Math.max(0, file.size - length);
    const bytes = file.read(from, file.size);
    const at = bytes.lastIndexOf(lineFeed);
    if (at >= 0 || from === 0) return bytes.subarray(at + 1);
  }
}
