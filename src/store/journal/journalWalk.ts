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
import { damageAt, signedSetAside, stepAt } from './line.ts';
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
  const walk: { -readonly [K in Exclude<keyof Walk, 'follow'>]: Walk[K] } = {
    ...{ state, setAside, position: 0, head: noLine, scanned: 0, voids: 0, fault: null },
  };

  function* follow(bytes: Buffer): Generator<WalkedLine, void> {
    const base = walk.scanned;
    const end = base + bytes.length;
    while (walk.scanned < end && walk.fault === null) {
      const step = stepAt(bytes, base, walk.scanned, walk.head);
      if (step.kind === 'tail') return;
      if (step.kind === 'void') {
        if (step.next - walk.scanned > 1) walk.voids++;
        walk.scanned = step.next;
      } else if (step.kind === 'line') {
        const { line } = step;
        if (raisesSome(line)) lines.set(line.hash, line);
        onBefore?.(line, state);
        const folded = applyLine(state, line, trust);
        walk.position = walk.scanned = line.end;
        walk.head = line.hash;
        yield { line, folded };
      } else {
        pass(bytes, base, step.why);
      }
    }
  }

  function pass(bytes: Buffer, base: number, why: string): void {
    const aside = signedSetAside({ bytes, base }, damageAt(bytes, base, walk.scanned, walk.head), state, trust);
    if (aside === null) {
      walk.fault = { at: walk.scanned, why: `the line at offset ${String(walk.scanned)} ${why}` };
      return;
    }
    setAside.push(aside);
    walk.scanned = aside.to;
    walk.head = aside.resumes;
  }

  return Object.assign(walk, { follow });
}
