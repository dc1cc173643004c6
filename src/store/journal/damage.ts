/** A damaged range of the journal: where it ends, and whether a human's signature lets readers skip it. */
import { anyRecord, type RecordOf } from '../../core/records/records.ts';
import { withoutEnvelope, type Trust } from '../../core/records/decision.ts';
import type { State } from '../../core/state/state.ts';
import { sha256 } from '../../trust/canonical.ts';
import { readSegment } from './line.ts';
import type { Damage } from './problem.ts';

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
