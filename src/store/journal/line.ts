/** Lines of the journal: a body of records in its frame (`readFrame`). */
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { lineBody, type LineBody } from '../../core/records/records.ts';
import { sha256 } from '../../trust/canonical.ts';
import { maxBody, readFrame, type NoLine } from './openJournal.ts';
import { StoreError } from './problem.ts';

export type Segment =
  /** The next segment starts at `next`, after the body. */
  { readonly kind: 'line'; readonly hash: string; readonly body: LineBody; readonly next: number } | NoLine;

/**
 * Encodes a line; returns the body as readers will parse it.
 * @throws StoreError when no reader would accept it
 */
export function encodeLine(raw: LineBody): { body: LineBody; bytes: Buffer; hash: string } {
  const body = parseBody(raw);
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  if (length > maxBody)
    throw new StoreError('refused', `this is too large for one record (${String(length)} bytes, the limit is 1 MiB)`);
  const hash = sha256(text);
  const bytes = Buffer.from(`\n${String(length)} ${hash} ${text}\n`);
  return { body, bytes, hash };
}

function parseBody(body: LineBody): LineBody {
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
