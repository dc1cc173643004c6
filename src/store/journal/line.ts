/** Lines of the journal: a body of records in its frame (`readFrame`). */
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import { lineBody, type CountedLine, type LineBody, anyRecord, type RecordOf } from '../../core/records/records.ts';
import { sha256 } from '../../trust/canonical.ts';
import {
  maxBody,
  readFrame,
  type NoLine,
  openJournal,
  type OpenJournal,
  lineEndingAt,
  longestLine,
} from './openJournal.ts';
import { StoreError, type Damage } from './problem.ts';
import { withoutEnvelope, type Trust } from '../../core/records/decision.ts';
import type { State } from '../../core/state/state.ts';
import { type FileSystem, journalPath } from './files.ts';

type Segment =
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

type Step =
  /** The next valid line. */
  | { readonly kind: 'line'; readonly line: CountedLine }
  | Exclude<NoLine, { kind: 'damaged' }>
  | { readonly kind: 'fault'; readonly why: string; readonly code: 'damaged' | 'forked' };

/**
 * Reads on at `position`, after the line whose hash is `head`. Readers pass over bytes that a crash has torn, and a line
 * that lost a race: it was written for an earlier place, because another program's line took it. A line for a later place
 * was moved: bytes before it are gone, and with them perhaps holds.
 */
export function stepAt(bytes: Buffer, base: number, position: number, head: string): Step {
  const segment = readSegment(bytes, base, position);
  if (segment.kind === 'damaged') return { kind: 'fault', why: segment.why, code: 'damaged' };
  if (segment.kind !== 'line') return segment;
  const { body, hash, next } = segment;
  if (body.at < position) return { kind: 'void', next };
  if (body.at > position)
    return {
      kind: 'fault',
      why: `belongs at offset ${String(body.at)}: bytes before it are missing`,
      code: 'damaged',
    };
  if (body.prev !== head) return { kind: 'fault', why: 'does not follow the line before it', code: 'forked' };
  return { kind: 'line', line: { ...body, hash, end: next } };
}

// A damaged range of the journal: where it ends, and whether a human's signature lets readers skip it.

/**
 * The range from `from` to the next line that states its own offset correctly, or to the end of the journal.
 * @param head hash of the last valid line
 */
export function damageAt(bytes: Buffer, base: number, from: number, head: string): Damage {
  const describe = (to: number, resumes: string): Damage => ({
    from,
    to,
    resumes,
    bytesHash: sha256(bytes.subarray(from - base, to - base)),
  });
  const end = base + bytes.length;
  for (let at = nextLineFeed(bytes, base, from + 1); at < end; at = nextLineFeed(bytes, base, at + 1)) {
    const segment = readSegment(bytes, base, at);
    if (segment.kind === 'line' && segment.body.at === at) return describe(at, segment.body.prev);
  }
  return describe(end, head);
}

function nextLineFeed(bytes: Buffer, base: number, from: number): number {
  const found = bytes.indexOf(0x0a, from - base);
  return found < 0 ? base + bytes.length : base + found;
}

/** Bytes of the journal, and the offset of the first one. */
interface Stretch {
  readonly bytes: Buffer;
  readonly base: number;
}

/** A signed record after the damage that names exactly this range; null where there is none. */
export function signedSetAside({ bytes, base }: Stretch, damage: Damage, state: State, trust: Trust): Damage | null {
  const end = base + bytes.length;
  for (let at = damage.from + 1; at < end; at = nextLineFeed(bytes, base, at + 1)) {
    if (bytes[at - base] !== 0x0a) continue;
    const segment = readSegment(bytes, base, at);
    if (segment.kind !== 'line' || segment.body.at !== at) continue;
    for (const raw of segment.body.records) {
      const record = anyRecord.safeParse(raw);
      if (
        record.success &&
        record.data.kind === 'journal.lineSetAside' &&
        names(record.data, damage, at) &&
        isSigned(record.data, at, state, trust)
      ) {
        const { from, to, bytesHash, resumes } = record.data;
        return { from, to, bytesHash, resumes };
      }
    }
  }
  return null;
}

type SetAside = RecordOf<'journal.lineSetAside'>;

/** Damage that reaches the end of the journal is set aside by the line right after it. */
function names(record: SetAside, damage: Damage, at: number): boolean {
  return (
    record.from === damage.from &&
    record.to <= at &&
    record.to === damage.to &&
    record.bytesHash === damage.bytesHash &&
    record.resumes === damage.resumes
  );
}

function isSigned(record: SetAside, at: number, state: State, trust: Trust): boolean {
  const verified = trust.verify(record.envelope, at);
  return (
    'payload' in verified &&
    !state.retiredKeys.has(verified.keyid) &&
    verified.payload.action === record.kind &&
    verified.payload.workspace === state.workspace?.id &&
    verified.payload.recordHash === trust.hash(withoutEnvelope(record))
  );
}

/** Most lines are shorter. Bytes. */
const usualLine = 16 * 1024;

interface LineEnd {
  readonly root: string;
  readonly position: number;
  /** Its hash, which also covers everything before it. */
  readonly head: string;
}

export function hasLine(fs: FileSystem, { root, position, head }: LineEnd): boolean {
  let journal: OpenJournal | null = null;
  try {
    journal = openJournal(fs, journalPath(root));
    const size = journal?.size();
    if (!journal || typeof size !== 'number') return false;
    for (const length of [usualLine, longestLine]) {
      const from = Math.max(0, position - length);
      const bytes = journal.read(from, Math.min(position + 1, size));
      const line = lineEndingAt(bytes, from, position);
      if (line) return line.hash === head;
    }
    return false;
  } catch {
    return false;
  } finally {
    journal?.close();
  }
}
