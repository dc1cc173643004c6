/**
 * The frame of a line: `\n<length> <sha256> <body>\n`, appended in one write. The position acts as the lock (optimistic
 * concurrency), the hash proves the content. A body is JSON, so it contains no line feed. A line is complete once its
 * body is; nothing written after it, or missing there, changes it. Its trailing line feed only keeps the file readable.
 */
import { jsonOrNull } from '../../core/kit/json.ts';
import { sha256 } from '../../trust/canonical.ts';

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
