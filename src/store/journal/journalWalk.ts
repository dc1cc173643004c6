/**
 * Reads the journal from its first line and verifies every signature again. For the audit, which trusts neither saved
 * state nor anchor and can work on bytes from elsewhere. A test compares it with the ledger.
 */
import type { Trust } from '../../core/records/decision.ts';
import { applyLine, type Folded } from '../../core/fold/fold.ts';
import { noLine } from '../../core/records/parts.ts';
import type { CountedLine } from '../../core/records/records.ts';
import { raisedAmong, raisesSome } from '../../core/question/fold.ts';
import { emptyState, type State } from '../../core/state/state.ts';
import { damageAt, signedSetAside, faultOf, neverCounts, readSegment } from './line.ts';
import type { Damage } from './problem.ts';

export interface WalkedLine {
  readonly line: CountedLine;
  readonly folded: Folded;
}

export interface Walk {
  readonly state: State;
  /** Offset after the last valid line, and its hash. */
  readonly position: number;
  readonly head: string;
  /** Everything before this offset was read; the rest is an unfinished tail, or comes after the fault. */
  readonly scanned: number;
  /** Where the chain breaks. Nothing after it was read. */
  readonly fault: { readonly at: number; readonly why: string } | null;
  /** Damaged ranges that a human's signature lets readers skip. */
  readonly setAside: readonly Damage[];
  /** Lines that are never valid: they lost a race or were torn by a crash. */
  readonly voids: number;
  /** Reads on from `scanned`, yielding one valid line per step. `bytes` begin at that offset. */
  follow(bytes: Buffer): Generator<WalkedLine, void>;
}

interface WalkOptions {
  readonly trust: Trust;
  /** Called before the line is applied, so that the state its signer saw is still available. */
  readonly onBefore?: ((line: CountedLine, state: State) => void) | undefined;
}

export function walkJournal({ trust, onBefore }: WalkOptions): Walk {
  const state = emptyState();
  /** Those that raise questions, by hash: the bytes may be in no file. */
  const lines = new Map<string, CountedLine>();
  state.readRaised = ({ id, line }) => raisedAmong(lines.get(line?.hash ?? '')?.records ?? [], id);
  const setAside: Damage[] = [];
  let position = 0;
  let head = noLine;
  let scanned = 0;
  let voids = 0;
  let fault: Walk['fault'] = null;

  function* follow(bytes: Buffer): Generator<WalkedLine, void> {
    const base = scanned;
    const end = base + bytes.length;
    while (scanned < end && fault === null) {
      const segment = readSegment(bytes, base, scanned);
      if (segment.kind === 'tail') return;
      if (neverCounts(segment, scanned)) {
        if (segment.next - scanned > 1) voids++;
        scanned = segment.next;
      } else if (segment.kind === 'line' && segment.body.at === scanned && segment.body.prev === head) {
        const line: CountedLine = { ...segment.body, hash: segment.hash, end: segment.next };
        if (raisesSome(line)) lines.set(line.hash, line);
        onBefore?.(line, state);
        const folded = applyLine(state, line, trust);
        position = scanned = line.end;
        head = line.hash;
        yield { line, folded };
      } else {
        pass(bytes, base, faultOf(segment, scanned).why);
      }
    }
  }

  function pass(bytes: Buffer, base: number, why: string): void {
    const aside = signedSetAside({ bytes, base }, damageAt(bytes, base, scanned, head), state, trust);
    if (aside === null) {
      fault = { at: scanned, why: `the line at offset ${String(scanned)} ${why}` };
      return;
    }
    setAside.push(aside);
    scanned = aside.to;
    head = aside.resumes;
  }

  return {
    state,
    setAside,
    get position() {
      return position;
    },
    get head() {
      return head;
    },
    get scanned() {
      return scanned;
    },
    get voids() {
      return voids;
    },
    get fault() {
      return fault;
    },
    follow,
  };
}
