/** How records change the state: the undo log of a change, and the interface of a record's effect. */
import type { Trust, VerifiedDecision } from '../records/decision.ts';
import type { CountedLine, PlainKind, PlainOf, PlainRecord } from '../records/plain.ts';
import { isChanged } from './heldChanges.ts';
import type { ActOf, InadmissibleReason, State } from './state.ts';

/** An undo log: a commit is applied to the state before it is known to have won. */
export interface Change {
  set<K, V>(map: Map<K, V>, key: K, value: V): void;
  unset<K, V>(map: Map<K, V>, key: K): void;
  add<V>(set: Set<V>, value: V): void;
  drop<V>(set: Set<V>, value: V): void;
  push<V>(list: V[], value: V): void;
  assign<T extends object, K extends keyof T>(target: T, key: K, value: T[K]): void;
  /** Appends another change, made after this one's last edit. */
  join(inner: Change): void;
  /** Undoes everything, latest first. */
  undo(): void;
}

export function startChange(): Change {
  const steps: (() => void)[] = [];
  return {
    set(map, key, value) {
      const before = map.get(key);
      const had = before !== undefined || map.has(key);
      map.set(key, value);
      steps.push(() => {
        if (had) map.set(key, before as typeof value);
        else map.delete(key);
      });
    },
    unset(map, key) {
      if (!map.has(key)) return;
      const before = map.get(key);
      map.delete(key);
      steps.push(() => map.set(key, before as never));
    },
    add(set, value) {
      if (set.has(value)) return;
      set.add(value);
      steps.push(() => set.delete(value));
    },
    drop(set, value) {
      if (set.delete(value)) steps.push(() => set.add(value));
    },
    push(list, value) {
      list.push(value);
      steps.push(() => list.pop());
    },
    assign(target, key, value) {
      const before = target[key];
      target[key] = value;
      steps.push(() => {
        target[key] = before;
      });
    },
    join(inner) {
      steps.push(() => {
        inner.undo();
      });
    },
    undo() {
      for (const step of steps.reverse()) step();
      steps.length = 0;
    },
  };
}

export class Inadmissible extends Error {
  override readonly name = 'Inadmissible';
  readonly reason: InadmissibleReason;
  constructor(why: string, reason: InadmissibleReason = 'invalid') {
    super(why);
    this.reason = reason;
  }
}

/** @throws Inadmissible for a problem */
export function requireNone(problem: string | null): void {
  if (problem !== null) throw new Inadmissible(problem);
}

/** Why verification refuses a signature by a key that this program does not know. */
export const unknownKey = 'is signed by a key that no human enrolled on this machine';

// Each family of records brings a table of effects; `fold/fold.ts` combines them for every kind that needs no signature;
// signed kinds are in `decision`.

/** The input for folding one record. */
export interface Folding {
  readonly state: State;
  readonly change: Change;
  readonly line: CountedLine;
  readonly trust: Trust;
  /** Adds an act caused by this record, such as a row of an import. */
  readonly bring: (act: ActOf<PlainRecord>) => void;
}

/** A signed record comes with its payload; the signature is valid for this record and place. */
export type Deciding = Folding & VerifiedDecision;

/** Changes the state, or throws `Inadmissible` without changing it. */
export type Effects<K extends PlainKind> = {
  readonly [Kind in K]: (at: Folding, record: PlainOf<Kind>) => void;
};

/** For records that only mark the journal. */
export function noEffect(): void {
  return;
}

/** Of what holds nothing any more, only changes that no human has accepted are kept. */
export function forgetUnchanged({ heldFiles }: State, change: Change, id: string): void {
  const files = heldFiles.get(id);
  if (files && !isChanged(files)) change.unset(heldFiles, id);
}
