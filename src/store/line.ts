/**
 * The line format: `\n<length> <sha256> <body>\n`, appended by one write. Position is the lock, the hash is the proof.
 * A body is JSON, so it never holds a line feed: whatever lies between two line feeds is one whole line or a torn one.
 */
import { lineBody } from '../core/records.ts';
import type { LineBody } from '../core/records.ts';
import { sha256 } from '../trust/canonical.ts';

/** Longer bodies never count. Bytes. */
export const maxBody = 1024 * 1024;
const lineFeed = 0x0a;
const header = /^(\d{1,9}) ([0-9a-f]{64}) /;
/** What a torn line looks like: the beginning of a header, or a header with less body than it announces. */
const headerStart = /^\d{1,9}(?: [0-9a-f]{0,64})?$/;
const headerLength = 9 + 1 + 64 + 1;

export type Segment =
  /** The next line starts at `next`. */
  | { readonly kind: 'line'; readonly hash: string; readonly body: LineBody; readonly next: number }
  /** Never counts: torn by a crash, too long, or not a line body. */
  | { readonly kind: 'void'; readonly next: number }
  /** The file's tail is not finished: another program may be writing it. */
  | { readonly kind: 'tail' }
  | { readonly kind: 'damaged'; readonly why: string; readonly next: number };

export function encodeLine(body: LineBody): { bytes: Buffer; hash: string } {
  const text = Buffer.from(JSON.stringify(body), 'utf8');
  const hash = sha256(text);
  return { bytes: Buffer.concat([Buffer.from(`\n${String(text.length)} ${hash} `), text, Buffer.from('\n')]), hash };
}

/**
 * Reads the segment at `position` of `bytes`, whose first byte lies at offset `base` of the file.
 * Says nothing of `at` and `prev`: whether a good line counts is for the chain to tell.
 */
export function readSegment(bytes: Buffer, base: number, position: number): Segment {
  const start = position - base;
  if (bytes[start] !== lineFeed) return damaged(bytes, base, start, 'does not begin with a line feed');
  const end = bytes.indexOf(lineFeed, start + 1);
  if (end < 0) return { kind: 'tail' };
  if (end === start + 1) return { kind: 'void', next: base + end };
  const head = bytes.toString('latin1', start + 1, Math.min(end, start + 1 + headerLength));
  const match = header.exec(head);
  if (!match) {
    const text = bytes.toString('latin1', start + 1, Math.min(end, start + 1 + headerLength + 1));
    return headerStart.test(text) ? { kind: 'void', next: base + end } : damaged(bytes, base, end, 'is not a line');
  }
  const [prefix, announced = '', hash = ''] = match;
  const length = end - start - 1 - prefix.length;
  const body = bytes.subarray(start + 1 + prefix.length, end);
  if (length > Number(announced)) return damaged(bytes, base, end, 'is longer than it says');
  if (length < Number(announced)) {
    // A torn line is cut short; one whose body is whole had its length altered.
    return sha256(body) === hash
      ? damaged(bytes, base, end, 'is shorter than it says')
      : { kind: 'void', next: base + end };
  }
  // The line feed behind the body may belong to the next line: then this one lacks its own and is torn.
  if (end + 1 < bytes.length && bytes[end + 1] !== lineFeed) return { kind: 'void', next: base + end };
  const next = base + end + 1;
  if (length > maxBody) return { kind: 'void', next };
  if (sha256(body) !== hash) return { kind: 'damaged', why: 'does not match its hash', next };
  const parsed = lineBody.safeParse(jsonOrNull(body));
  return parsed.success ? { kind: 'line', hash, body: parsed.data, next } : { kind: 'void', next };
}

function damaged(bytes: Buffer, base: number, from: number, why: string): Segment {
  const next = bytes.indexOf(lineFeed, from);
  return { kind: 'damaged', why, next: base + (next < 0 ? bytes.length : next) };
}

function jsonOrNull(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
