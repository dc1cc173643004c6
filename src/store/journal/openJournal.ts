/** The journal's file as a sequence of bytes. Knows positions, not what the bytes mean. */
import type { Stats } from 'node:fs';
import path from 'node:path';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { sha256 } from '../../trust/canonical.ts';
import { closeQuietly, readRange, type FileSystem } from './files.ts';

/** Why the journal is not what it was. */
export type Gone = 'missing' | 'replaced' | 'shorter' | 'unsafe';

export interface OpenJournal {
  /** Offset after the last byte, if it is still the same file. */
  size(): number | Gone;
  /** @throws Error when the journal ends earlier */
  read(from: number, to: number): Buffer;
  /**
   * One write at the end. `won`: the bytes are at `at`, and everything up to their end is durable. `lost`: another program
   * wrote first, so our bytes are elsewhere and void. `failed`: nothing was written. `unknown`: it may or may not be
   * durable.
   */
  append(bytes: Buffer, at: number): { outcome: 'won' | 'lost' } | { outcome: 'failed' | 'unknown'; cause: unknown };
  /**
   * Writes bytes of the server's journal at their offset. Any number of programs may do so at the same time,
   * because they write the same. Not flushed: the server has them.
   * @throws when the disk refuses
   */
  place(bytes: Buffer, at: number): void;
  /**
   * Makes everything appended by any program durable.
   * @throws when the disk does not confirm
   */
  sync(): void;
  close(): void;
}

export function openJournal(fs: FileSystem, file: string): OpenJournal | null {
  /**
   * Set once the file was seen. Kept open, because the inode number could be reused: from then on it must be this very
   * file.
   */
  let seen: { readonly reader: number; readonly dev: number; readonly ino: number } | null = null;
  let writer: number | null = null;
  /** Descriptor that writes at any offset. */
  let placer: number | null = null;

  /** The file at its path, if it is still the same file. */
  function look(): Stats | Gone {
    const now = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!now) return 'missing';
    if (!now.isFile()) return 'unsafe';
    const { dev, ino } = (seen ??= see());
    return now.dev === dev && now.ino === ino ? now : 'replaced';
  }

  function see(): NonNullable<typeof seen> {
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
    const now = look();
    return typeof now === 'string' ? now : now.size;
  }

  function read(from: number, to: number): Buffer {
    const found = seen ? null : look();
    if (typeof found === 'string') throw new Error(`${path.basename(file)} is ${found}`);
    return readRange(fs, (seen ??= see()).reader, from, to);
  }

  function isUntouched(at: number): boolean {
    try {
      return size() === at;
    } catch {
      return false;
    }
  }

  if (!fs.lstatSync(file, { throwIfNoEntry: false })) return null;
  return {
    size,
    read,
    append(bytes, at) {
      let written: number;
      try {
        writer ??= fs.openSync(file, 'a', 0o600);
        // Mostly saves the others a void line to read.
        const now = look();
        if (typeof now !== 'string' && now.size > at) return { outcome: 'lost' };
        written = fs.writeSync(writer, bytes, 0, bytes.length);
      } catch (cause) {
        return { outcome: isUntouched(at) ? 'failed' : 'unknown', cause };
      }
      try {
        if (written !== bytes.length) throw new Error(`wrote ${String(written)} of ${String(bytes.length)} bytes`);
        if (!read(at, at + bytes.length).equals(bytes)) return { outcome: 'lost' };
        fs.fdatasyncSync(writer);
        if (typeof look() === 'string') throw new Error('the journal was replaced while it was written');
        return { outcome: 'won' };
      } catch (cause) {
        return { outcome: 'unknown', cause };
      }
    },
    place(bytes, at) {
      placer ??= fs.openSync(file, 'r+');
      for (let done = 0; done < bytes.length;)
        done += fs.writeSync(placer, bytes, done, bytes.length - done, at + done);
    },
    sync() {
      if (typeof size() === 'string') throw new Error('the journal was replaced');
      writer ??= fs.openSync(file, 'a', 0o600);
      fs.fdatasyncSync(writer);
    },
    close() {
      for (const descriptor of [writer, placer, seen?.reader ?? null])
        if (descriptor !== null) closeQuietly(fs, descriptor);
      writer = placer = seen = null;
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

interface LineAt {
  readonly hash: string;
  readonly at: number;
  readonly records?: unknown;
}

/**
 * The line that ends at `end`, or null.
 * @param bytes begin at offset `base`, `longestLine` before it or earlier
 */
export function lineEndingAt(bytes: Buffer, base: number, end: number): LineAt | null {
  const start = end > base ? bytes.lastIndexOf(lineFeed, end - base - 1) : -1;
  if (start < 0) return null;
  const found = readFrame(bytes, base, base + start);
  if (found.kind !== 'framed' || found.next !== end) return null;
  const body = jsonOrNull(found.text) as Omit<LineAt, 'hash'> | null;
  return body?.at === base + start ? { ...body, hash: found.hash } : null;
}

function damaged(bytes: Buffer, base: number, from: number, why: string): NoLine {
  const next = bytes.indexOf(lineFeed, from);
  return { kind: 'damaged', why, next: base + (next < 0 ? bytes.length : next) };
}
