/**
 * Presents the journal's files as one sequence of bytes. Knows positions, files and their order, not what the bytes
 * mean: the reader says where a seal ends a file.
 */
import type { Stats } from 'node:fs';
import path from 'node:path';
import { closeQuietly, createEmpty, readRange, syncFolder, type FileSystem } from './files.ts';
import { segmentPath } from './segments.ts';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { sha256 } from '../../trust/canonical.ts';

/** Why the journal is not what it was. */
export type Gone = 'missing' | 'replaced' | 'shorter' | 'unsafe';

export interface OpenJournal {
  /** Offset after the last byte, if every file is still the same file and long enough. */
  size(): number | Gone;
  /** @throws Error when the journal ends earlier */
  read(from: number, to: number): Buffer;
  /**
   * One write at the end of the last file. `won`: the bytes are at `at`, and everything up to their end is durable.
   * `lost`: another program wrote first, so our bytes are elsewhere and void. `failed`: nothing was written. `unknown`:
   * it may or may not be durable.
   */
  append(bytes: Buffer, at: number): { outcome: 'won' | 'lost' } | { outcome: 'failed' | 'unknown'; cause: unknown };
  /**
   * Writes bytes of the server's journal at their offset in the last file. Any number of programs may do so at the same
   * time, because they write the same. Not flushed: the server has them.
   * @throws when the disk refuses
   */
  place(bytes: Buffer, at: number): void;
  /**
   * Makes everything appended by any program durable.
   * @throws when the disk does not confirm
   */
  sync(): void;
  /** A valid seal ends at `base`: the rest of its file is ignored, and the next file begins there. */
  endSegment(base: number): void;
  /**
   * Creates the file for the next line, if missing.
   * @throws when the disk refuses
   */
  prepare(): void;
  close(): void;
}

interface Segment {
  readonly file: string;
  readonly base: number;
  /** Where its seal ends; null for the last. */
  end: number | null;
  /**
   * Set once the file was seen. Kept open, because the inode number could be reused: from then on it must be this very
   * file.
   */
  seen: { readonly reader: number; readonly dev: number; readonly ino: number } | null;
}

/**
 * Null when there is no first file. A missing last file is treated as empty: the program that sealed the one before may
 * have crashed.
 * @param ends where the known seals end
 * @param durable everything before this offset is known to be durable
 */
export function openJournal(
  fs: FileSystem,
  first: string,
  ends: readonly number[] = [],
  durable = 0,
): OpenJournal | null {
  const segments = [0, ...ends].map((base, index): Segment => segmentAt(index + 1, base, ends[index] ?? null));
  let last = segments.at(-1) ?? segmentAt(1, 0, null);
  /** Descriptor that appends to the last file. */
  let writer: number | null = null;
  /** Descriptor that writes at any offset of the last file. */
  let placer: number | null = null;
  /** How many of the first files are durable. */
  let flushed = ends.filter((end) => end <= durable).length;
  /** Whether the last file exists durably and everything before it is durable: the precondition for a line in it. */
  let prepared = segments.length === 1 || durable > last.base;

  function segmentAt(number: number, base: number, end: number | null): Segment {
    return { file: segmentPath(first, number, base), base, end, seen: null };
  }

  /** The file at its path, if it is still the same file. */
  function look(segment: Segment): Stats | Gone {
    const now = fs.lstatSync(segment.file, { throwIfNoEntry: false });
    if (!now) return 'missing';
    if (!now.isFile()) return 'unsafe';
    const { dev, ino } = (segment.seen ??= see(segment.file));
    return now.dev === dev && now.ino === ino ? now : 'replaced';
  }

  function see(file: string): NonNullable<Segment['seen']> {
    const reader = fs.openSync(file, 'r');
    try {
      const { dev, ino } = fs.fstatSync(reader);
      return { reader, dev, ino };
    } catch (error) {
      closeQuietly(fs, reader);
      throw error;
    }
  }

  function size(): number | Gone {
    const now = look(last);
    for (const segment of segments.slice(0, -1)) {
      const gone = sealedGone(segment);
      if (gone) return gone;
    }
    if (typeof now !== 'string') return last.base + now.size;
    const isYetToCome = now === 'missing' && last.seen === null && segments.length > 1;
    return !isYetToCome ? now : sealStands() ? last.base : 'replaced';
  }

  function sealedGone(segment: Segment): Gone | null {
    const now = look(segment);
    if (typeof now === 'string') return now;
    return now.size < (segment.end ?? 0) - segment.base ? 'shorter' : null;
  }

  function readFrom(segment: Segment, from: number, to: number): Buffer {
    if (!segment.seen) requireThere(segment);
    if (!segment.seen) throw new Error(`${path.basename(segment.file)} is not there`);
    return readRange(fs, segment.seen.reader, from - segment.base, to - segment.base);
  }

  function requireThere(segment: Segment): void {
    const found = look(segment);
    if (typeof found === 'string') throw new Error(`${path.basename(segment.file)} is ${found}`);
  }

  function flush(segment: Segment): void {
    requireThere(segment);
    const file = fs.openSync(segment.file, 'r+');
    try {
      fs.fdatasyncSync(file);
    } finally {
      closeQuietly(fs, file);
    }
    requireThere(segment);
  }

  /**
   * The program that wrote a seal may have crashed or be delayed before flushing it; no line may be durable before the
   * seal is.
   */
  function flushBefore(): void {
    for (; flushed < segments.length - 1; flushed++) {
      const segment = segments[flushed];
      if (segment) flush(segment);
    }
  }

  function prepare(): void {
    if (prepared) return;
    flushBefore();
    const { file, seen } = last;
    if (seen === null) createEmpty(fs, file);
    requireThere(last);
    if (!sealStands()) throw new Error(`the file before ${path.basename(file)} no longer ends with its seal`);
    syncFolder(fs, path.dirname(file));
    prepared = true;
  }

  /**
   * Whether the seal before the last file is unchanged. Checked while there is no next file, and once after it was
   * created: until then a human may set a damaged seal aside, and the journal continues in its place (`ledger.ts`).
   */
  function sealStands(): boolean {
    const before = segments[segments.length - 2];
    const end = before?.end ?? null;
    if (!before || end === null) return false;
    const from = Math.max(before.base, end - longestLine);
    return hashOfLineAt(readFrom(before, from, end), from, end) !== null;
  }

  function isUntouched(at: number): boolean {
    try {
      return size() === at;
    } catch {
      return false;
    }
  }

  function closeWriter(): void {
    for (const descriptor of [writer, placer]) if (descriptor !== null) closeQuietly(fs, descriptor);
    writer = placer = null;
  }

  if (!fs.lstatSync(first, { throwIfNoEntry: false })) return null;
  return {
    size,
    read(from, to) {
      const parts = segments.flatMap((segment) => {
        const [start, stop] = [Math.max(from, segment.base), Math.min(to, segment.end ?? to)];
        return start < stop ? [readFrom(segment, start, stop)] : [];
      });
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    },
    append(bytes, at) {
      let written: number;
      try {
        prepare();
        writer ??= fs.openSync(last.file, 'a', 0o600);
        // Mostly saves the others a void line to read.
        const now = look(last);
        if (typeof now !== 'string' && now.size > at - last.base) return { outcome: 'lost' };
        written = fs.writeSync(writer, bytes, 0, bytes.length);
      } catch (cause) {
        return { outcome: isUntouched(at) ? 'failed' : 'unknown', cause };
      }
      try {
        if (written !== bytes.length) throw new Error(`wrote ${String(written)} of ${String(bytes.length)} bytes`);
        if (!readFrom(last, at, at + bytes.length).equals(bytes)) return { outcome: 'lost' };
        fs.fdatasyncSync(writer);
        // The files before it are looked at again before the next line.
        if (typeof look(last) === 'string') throw new Error('the journal was replaced while it was written');
        return { outcome: 'won' };
      } catch (cause) {
        return { outcome: 'unknown', cause };
      }
    },
    place(bytes, at) {
      prepare();
      placer ??= fs.openSync(last.file, 'r+');
      for (let done = 0; done < bytes.length;)
        done += fs.writeSync(placer, bytes, done, bytes.length - done, at - last.base + done);
    },
    sync() {
      if (typeof size() === 'string') throw new Error('the journal was replaced');
      flushBefore();
      if (last.seen === null) return; // the last file does not exist yet
      prepare();
      writer ??= fs.openSync(last.file, 'a', 0o600);
      fs.fdatasyncSync(writer);
    },
    endSegment(base) {
      closeWriter();
      last.end = base;
      last = segmentAt(segments.length + 1, base, null);
      segments.push(last);
      prepared = false;
    },
    prepare,
    close() {
      closeWriter();
      for (const segment of segments) {
        if (segment.seen) closeQuietly(fs, segment.seen.reader);
        segment.seen = null;
      }
    },
  };
}

/** Longer bodies are never valid. Bytes. */
export const maxBody = 1024 * 1024;
const lineFeed = 0x0a;
const header = /^(\d{1,9}) ([0-9a-f]{64}) /;
/** A partial header, as left by a torn write. */
const headerStart = /^(?:\d{1,9}(?: [0-9a-f]{0,64})?)?$/;
const headerLength = 9 + 1 + 64 + 1;

export type NoLine =
  /** Never valid: torn by a crash, too long, or not a line body. The next segment starts at `next`. */
  | { readonly kind: 'void'; readonly next: number }
  /** The end of the file is incomplete: another program may be writing it. */
  | { readonly kind: 'tail' }
  | { readonly kind: 'damaged'; readonly why: string; readonly next: number };

/** A body that has its length and hash. */
interface Framed {
  readonly kind: 'framed';
  readonly hash: string;
  readonly text: string;
  readonly next: number;
}

/** Reads the frame at `position` of `bytes`, whose first byte is at offset `base` of the file, not what the body says. */
export function readFrame(bytes: Buffer, base: number, position: number): NoLine | Framed {
  const start = position - base;
  if (bytes[start] !== lineFeed) return damaged(bytes, base, start, 'does not begin with a line feed');
  const stop = bytes.indexOf(lineFeed, start + 1);
  const ended = stop >= 0;
  const end = ended ? stop : bytes.length;
  const head = bytes.toString('latin1', start + 1, Math.min(end, start + 1 + headerLength));
  const [prefix, announced, hash] = header.exec(head) ?? [];
  if (prefix === undefined) {
    if (!headerStart.test(head)) return damaged(bytes, base, end, 'is not a line');
    return ended ? { kind: 'void', next: base + end } : { kind: 'tail' };
  }
  const from = start + 1 + prefix.length;
  const length = Number(announced);
  const body = bytes.subarray(from, Math.min(end, from + length));
  const matches = sha256(body) === hash;
  if (body.length < length) {
    // A torn line is cut short; if the body is complete, its length was altered.
    if (matches) return damaged(bytes, base, end, 'is shorter than its stated length');
    return ended ? { kind: 'void', next: base + end } : { kind: 'tail' };
  }
  if (!matches) {
    if (!ended && end === from + length) return { kind: 'tail' };
    return damaged(
      bytes,
      base,
      end,
      end > from + length ? 'is longer than its stated length' : 'does not match its hash',
    );
  }
  const next = base + from + length;
  if (length > maxBody) return { kind: 'void', next };
  return { kind: 'framed', hash, text: body.toString('utf8'), next };
}

/** Upper limit of a whole line: a body and its frame. Bytes. */
export const longestLine = maxBody + 200;

/**
 * The hash of the line that ends at `end`, or null.
 * @param bytes begin at offset `base`, `longestLine` before it or earlier
 */
export function hashOfLineAt(bytes: Buffer, base: number, end: number): string | null {
  const start = bytes.lastIndexOf(lineFeed, end - base - 1);
  if (start < 0) return null;
  const found = readFrame(bytes, base, base + start);
  if (found.kind !== 'framed' || found.next !== end) return null;
  const body = jsonOrNull(found.text) as { readonly at?: unknown } | null;
  return body?.at === base + start ? found.hash : null;
}

function damaged(bytes: Buffer, base: number, from: number, why: string): NoLine {
  const next = bytes.indexOf(lineFeed, from);
  return { kind: 'damaged', why, next: base + (next < 0 ? bytes.length : next) };
}
