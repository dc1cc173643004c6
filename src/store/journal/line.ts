/**
 * The line format: `\n<length> <sha256> <body>\n`, appended in one write. The position acts as the lock (optimistic
 * concurrency), the hash proves the content. A body is JSON, so it contains no line feed. A line is complete once its
 * body is; nothing written after it, or missing there, changes it. Its trailing line feed only keeps the file readable.
 */
import { jsonOrNull } from '../../core/kit/json.ts';
import { lineBody, type LineBody } from '../../core/records/records.ts';
import { sha256 } from '../../trust/canonical.ts';
import { StoreError } from './problem.ts';

/** Longer bodies never count. Bytes. */
export const maxBody = 1024 * 1024;
const lineFeed = 0x0a;
const header = /^(\d{1,9}) ([0-9a-f]{64}) /;
/** A partial header, as left by a torn write. */
const headerStart = /^(?:\d{1,9}(?: [0-9a-f]{0,64})?)?$/;
const headerLength = 9 + 1 + 64 + 1;

export type Segment =
  /** The next segment starts at `next`, after the body. */
  | { readonly kind: 'line'; readonly hash: string; readonly body: LineBody; readonly next: number }
  /** Never counts: torn by a crash, too long, or not a line body. */
  | { readonly kind: 'void'; readonly next: number }
  /** The end of the file is incomplete: another program may be writing it. */
  | { readonly kind: 'tail' }
  | { readonly kind: 'damaged'; readonly why: string; readonly next: number };

/**
 * Encodes a line; returns the body as readers will parse it.
 * @throws StoreError when no reader would count it
 */
export function encodeLine(raw: LineBody): { body: LineBody; bytes: Buffer; hash: string } {
  const body = parsed(raw);
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  if (length > maxBody)
    throw new StoreError(
      'refused',
      `this is too large to be saved in one act (${String(length)} bytes, the limit is 1 MiB)`,
    );
  const hash = sha256(text);
  const bytes = Buffer.from(`\n${String(length)} ${hash} ${text}\n`);
  return { body, bytes, hash };
}

function parsed(body: LineBody): LineBody {
  const result = lineBody.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new StoreError('refused', `${issue?.path.join('.') ?? 'line'}: ${issue?.message ?? 'is malformed'}`);
}

/**
 * Reads the segment at `position` of `bytes`, whose first byte is at offset `base` of the file. Does not check `at` and
 * `prev`: the caller decides whether a valid line belongs to the chain.
 */
export function readSegment(bytes: Buffer, base: number, position: number): Segment {
  const found = readFrame(bytes, base, position);
  if (found.kind !== 'framed') return found;
  const { hash, text, next } = found;
  const body = lineBody.safeParse(jsonOrNull(text)).data;
  return body ? { kind: 'line', hash, body, next } : { kind: 'void', next };
}

/** A body that has its length and hash. */
interface Framed {
  readonly kind: 'framed';
  readonly hash: string;
  readonly text: string;
  readonly next: number;
}

/** The same without reading the body, where its hash says that it is known. */
export function readFrame(bytes: Buffer, base: number, position: number): Exclude<Segment, { kind: 'line' }> | Framed {
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

type Ended = Exclude<Segment, { kind: 'tail' }>;

/**
 * Whether readers pass over the segment at `position`: torn by a crash, or a line that lost a race. Such a line was
 * written for an earlier place, because another program's line took it. A line for a later place was moved: bytes
 * before it are gone, and with them perhaps holds.
 */
export function neverCounts(segment: Ended, position: number): boolean {
  return segment.kind === 'void' || (segment.kind === 'line' && segment.body.at < position);
}

/** Why a segment at `position` that is neither passed over nor the next line damages the journal. */
export function faultOf(
  segment: Ended,
  position: number,
): { readonly why: string; readonly code: 'damaged' | 'forked' } {
  if (segment.kind === 'damaged') return { why: segment.why, code: 'damaged' };
  if (segment.kind === 'line' && segment.body.at > position)
    return { why: `belongs at offset ${String(segment.body.at)}: bytes before it are missing`, code: 'damaged' };
  return { why: 'does not follow the line before it', code: 'forked' };
}

/** Upper limit of a whole line: a body and its frame. Bytes. */
export const longestLine = maxBody + 200;

/**
 * The line that ends at `end`, or null.
 * @param bytes begin at offset `base`, `longestLine` before it or earlier
 */
export function lineEndingAt(bytes: Buffer, base: number, end: number): Extract<Segment, { kind: 'line' }> | null {
  const start = bytes.lastIndexOf(lineFeed, end - base - 1);
  if (start < 0) return null;
  const segment = readSegment(bytes, base, base + start);
  return segment.kind === 'line' && segment.next === end && segment.body.at === base + start ? segment : null;
}

function damaged(bytes: Buffer, base: number, from: number, why: string): Extract<Segment, { kind: 'damaged' }> {
  const next = bytes.indexOf(lineFeed, from);
  return { kind: 'damaged', why, next: base + (next < 0 ? bytes.length : next) };
}
