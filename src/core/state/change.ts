/** An undo log for the state: a commit is applied to the state before it is known to have won. */
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

/** Why a record has no effect. */
export type InadmissibleReason =
  /** Inadmissible regardless of author. */
  | 'invalid'
  /** It would move or shrink an existing hold. */
  | 'held'
  /** It claims a human's decision without a valid signature for it. */
  | 'forgery';

export class Inadmissible extends Error {
  override readonly name = 'Inadmissible';
  readonly reason: InadmissibleReason;
  constructor(why: string, reason: InadmissibleReason = 'invalid') {
    super(why);
    this.reason = reason;
  }
}

/** Why verification refuses a signature by a key that this program does not know. */
export const unknownKey = 'is signed by a key that no human enrolled on this machine';
