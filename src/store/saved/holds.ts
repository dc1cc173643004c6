/**
 * What the questions of a saved state hold. What many hold alike is stored once, in blocks, with the questions that hold
 * it now; and lists of these by key (`holdKeys.ts`), in parts by the keys' hashes, say which of them may concern a gate.
 */
import { gatherBases } from '../../core/hold/bases.ts';
import { keysOf } from '../../core/hold/holdKeys.ts';
import { fnv } from './fnv.ts';
import type { Actor } from '../../core/records/records.ts';
import { isHolding } from '../../core/state/state.ts';
import type { HeldBases, Question, QuestionBrief, State, UnreadHold } from '../../core/state/state.ts';

type Brief<Name extends keyof QuestionBrief> = QuestionBrief[Name];

/** Authors and work are places in the lists of their block, -1: no work item; then the questions that hold it now. */
type PackedHold = readonly [
  asker: number,
  work: number,
  holds: Brief<'holds'>,
  mode: Brief<'mode'>,
  urgency: Brief<'urgency'>,
  alsoWork: Brief<'alsoWork'>,
  addedHolds: Brief<'addedHolds'>,
  widened: Brief<'widened'>,
  open: readonly number[],
  decided: readonly Decided[],
  refusing: readonly number[],
];

type Decided = readonly [question: number, resolution: Brief<'resolution'>, lifted: Brief<'lifted'>];

interface Block {
  readonly askers: readonly Actor[];
  readonly works: readonly string[];
  readonly holds: readonly PackedHold[];
}

/** In the last line. */
export interface HoldIndex {
  readonly holders: number;
  readonly rfcs: readonly (readonly [id: string, after: number])[];
  readonly worktrees: readonly (string | null)[];
  /** Those of questions whose answers refuse something. */
  readonly refusedIn: readonly (string | null)[];
  readonly heldFiles: number;
  /** The number of the first hold of each block. */
  readonly firsts: readonly number[];
  /** How many parts have lists: a power of two. */
  readonly lists: number;
}

interface Gathered {
  readonly brief: Omit<QuestionBrief, 'resolution' | 'lifted'>;
  /** Characters, roughly. */
  readonly size: number;
  readonly open: number[];
  readonly decided: Decided[];
  readonly refusing: number[];
}

/** Gathers what questions hold, and which hold or refuse it now. */
export function gatherHolds({ holders, refused }: Pick<State, 'holders' | 'refused'>) {
  const numbers = new Map<string, number>();
  const holds: Gathered[] = [];
  return {
    holds: holds as readonly Gathered[],
    /** @returns the number of its hold */
    add(question: Question, place: number): number {
      const { asker, work, mode, urgency, alsoWork, addedHolds, widened, resolution, lifted } = question;
      const brief = { asker, work, holds: question.holds, mode, urgency, alsoWork, addedHolds, widened };
      const text = JSON.stringify(Object.values(brief));
      const number = numbers.get(text) ?? holds.length;
      numbers.set(text, number);
      const hold = (holds[number] ??= { brief, size: text.length, open: [], decided: [], refusing: [] });
      if (refused.has(question.id)) hold.refusing.push(place + 1);
      if (!holders.has(question.id)) return number;
      if (resolution === null && lifted === null) hold.open.push(place + 1);
      else hold.decided.push([place + 1, resolution, lifted]);
      return number;
    },
  };
}

const leastBlock = 16 * 1024;
/** Few enough for their marks in the last line, whatever the number of questions. */
const blocksAtMost = 200;

/** The blocks as JSON, each with the number of its first hold. */
export function* packBlocks(holds: readonly Gathered[]): Generator<readonly [first: number, text: string]> {
  const sizeOf = ({ size, open, decided, refusing }: Gathered) =>
    size + 8 * (open.length + refusing.length) + 200 * decided.length;
  const total = holds.reduce((sum, hold) => sum + sizeOf(hold), 0);
  const target = Math.max(leastBlock, total / blocksAtMost);
  for (let first = 0; first < holds.length;) {
    let end = first;
    for (let size = 0; end < holds.length && size < target; end++) size += sizeOf(known(holds[end]));
    yield [first, packBlock(holds.slice(first, end))];
    first = end;
  }
}

function packBlock(holds: readonly Gathered[]): string {
  const askers = places();
  const works = places();
  const packed = holds.map(({ brief, open, decided, refusing }): PackedHold => {
    const { work, mode, urgency, alsoWork, addedHolds, widened } = brief;
    const asker = askers.of(JSON.stringify(brief.asker));
    return [
      asker,
      work === null ? -1 : works.of(work),
      brief.holds,
      mode,
      urgency,
      alsoWork,
      addedHolds,
      widened,
      open,
      decided,
      refusing,
    ];
  });
  return `{"askers":[${askers.all().join(',')}],"works":${JSON.stringify(works.all())},"holds":${JSON.stringify(packed)}}`;
}

function places() {
  const numbers = new Map<string, number>();
  return {
    of(text: string): number {
      const place = numbers.get(text) ?? numbers.size;
      numbers.set(text, place);
      return place;
    },
    all: () => [...numbers.keys()],
  };
}

/** A key that more holds have has no list: then all blocks are read. */
const listedAtMost = 2_000;
const keysInList = 256;
const listsAtMost = 256;

/** Of whatever holds now: most holds are those of closed questions. */
const holdingKey = 'holding';
/** Of what is refused, not held. */
const refusedKey = (key: string) => `refused ${key}`;

/** Lists of holds by the hash of a key, one after another: hash, length (-1: too many), numbers. */
export function packLists(holds: readonly Gathered[], items: State['work']): string[] {
  const byKey = new Map<number, number[]>();
  for (const [number, hold] of holds.entries()) {
    const keys = [...keysOf(briefOf(hold), items)];
    const held = hold.open.length + hold.decided.length > 0 ? [...keys, holdingKey] : [];
    const refused = hold.refusing.length > 0 ? keys.map(refusedKey) : [];
    for (const hash of new Set([...held, ...refused].map(fnv))) {
      const numbers = byKey.get(hash);
      if (numbers) numbers.push(number);
      else byKey.set(hash, [number]);
    }
  }
  let count = 1;
  while (count < listsAtMost && count * keysInList < byKey.size) count *= 2;
  const lists = Array.from({ length: count }, (): number[] => []);
  for (const [hash, numbers] of byKey) {
    const list = known(lists[hash & (count - 1)]);
    if (numbers.length > listedAtMost) list.push(hash, -1);
    else {
      list.push(hash, numbers.length);
      for (const number of numbers) list.push(number);
    }
  }
  return lists.map((list) => JSON.stringify(list));
}

function briefOf({ brief }: Gathered): QuestionBrief {
  return { ...brief, resolution: null, lifted: null };
}

/** The folders and files from which on they hold something. */
export function packBases(holds: readonly Gathered[]): string {
  const bases = gatherBases();
  for (const { brief, open, decided } of holds) {
    const briefs = decided.map(([, resolution, lifted]) => ({ ...brief, resolution, lifted }));
    if (open.length > 0) briefs.push({ ...brief, resolution: null, lifted: null });
    for (const one of briefs) if (isHolding(one)) bases.add(one);
  }
  return JSON.stringify(bases.all());
}

/** What the last line says of them. */
export function packIndex(state: State, holds: readonly Gathered[]): Omit<HoldIndex, 'firsts' | 'lists'> {
  const rfcs: [string, number][] = [];
  let after = 0;
  for (const id of state.holders)
    if (state.questions.has(id)) after = Math.max(after, Number(id.slice(2)));
    else if (state.rfcs.has(id)) rfcs.push([id, after]);
  const questions = holds.filter(({ open, decided }) => open.length + decided.length > 0);
  return {
    holders: rfcs.length + questions.reduce((sum, { open, decided }) => sum + open.length + decided.length, 0),
    rfcs,
    worktrees: worktreesOf(questions),
    refusedIn: worktreesOf(holds.filter(({ refusing }) => refusing.length > 0)),
    heldFiles: state.heldFiles.size,
  };
}

function worktreesOf(holds: readonly Gathered[]): (string | null)[] {
  return [...new Set(holds.map(({ brief }) => brief.asker.worktree ?? null))];
}

/** The last block that begins at this hold or before it. */
function blockOf(firsts: readonly number[], number: number): number {
  let [low, high] = [0, firsts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (known(firsts[middle]) <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface Parts {
  block(place: number): string;
  list(place: number): string;
  bases(): string;
}

interface Held {
  readonly brief: QuestionBrief;
  readonly all: readonly UnreadHold[];
  readonly refusing: readonly number[];
}

/** Reads of them what is asked for, once. */
export function unpackHolds({ rfcs, firsts, lists }: HoldIndex, parts: Parts) {
  const blocks = new Map<number, Block>();
  const read = new Map<number, ReadonlyMap<number, readonly number[] | null>>();
  /** Each is one object for all callers. */
  const held = new Map<number, Held>();
  let bases: HeldBases | null = null;

  function blockAt(place: number): Block {
    const block = blocks.get(place) ?? (JSON.parse(parts.block(place)) as Block);
    blocks.set(place, block);
    return block;
  }

  function hold(number: number): Held {
    const before = held.get(number);
    if (before) return before;
    const place = blockOf(firsts, number);
    const { askers, works, holds } = blockAt(place);
    const packed = known(holds[number - known(firsts[place])]);
    const [asker, work, files, mode, urgency, alsoWork, addedHolds, widened, open, decided, refusing] = packed;
    const brief: QuestionBrief = {
      asker: known(askers[asker]),
      work: work < 0 ? null : known(works[work]),
      holds: files,
      mode,
      urgency,
      alsoWork,
      addedHolds,
      widened,
      resolution: null,
      lifted: null,
    };
    const stopped = decided.map(([question, resolution, lifted]) => ({
      brief: { ...brief, resolution, lifted },
      questions: [question],
    }));
    const all = open.length > 0 ? [{ brief, questions: open }, ...stopped] : stopped;
    const made = { brief, all, refusing };
    held.set(number, made);
    return made;
  }

  /** Null: too many. */
  function listed(key: string): readonly number[] | null {
    // Keys that share one only make a gate look at more.
    const hash = fnv(key);
    const place = hash & (lists - 1);
    let list = read.get(place);
    if (!list) read.set(place, (list = unpackList(JSON.parse(parts.list(place)) as number[])));
    const numbers = list.get(hash);
    return numbers === undefined ? [] : numbers;
  }

  function* everything(): Generator<UnreadHold> {
    const few = among([holdingKey]);
    if (few) for (const { all } of few) yield* all;
    else yield* inBlocks();
  }

  function* inBlocks(): Generator<UnreadHold> {
    for (const [place, first] of firsts.entries())
      for (const number of blockAt(place).holds.keys()) yield* hold(first + number).all;
  }

  /** Null: too many. */
  function among(keys: readonly string[]): Held[] | null {
    const numbers = new Set<number>();
    for (const key of keys) {
      const found = listed(key);
      if (found === null) return null;
      for (const number of found) numbers.add(number);
    }
    return [...numbers].map(hold);
  }

  return {
    brief: (number: number) => hold(number).brief,
    holds(keys: readonly string[] | null): Iterable<UnreadHold> {
      const found = keys && among(keys);
      return found ? found.flatMap(({ all }) => all) : everything();
    },
    /** The numbers of questions whose answers refuse something; null: any may. */
    refusing(keys: readonly string[] | null): readonly number[] | null {
      const found = keys && among(keys.map(refusedKey));
      return found?.flatMap(({ refusing }) => refusing) ?? null;
    },
    bases: () => (bases ??= JSON.parse(parts.bases()) as HeldBases),
    /** The ids of all holders, oldest first. */
    holders(): string[] {
      const all = [...everything()].flatMap(({ questions }) =>
        questions.map((number) => ({ place: number, id: `Q-${String(number)}` })),
      );
      for (const [id, after] of rfcs) all.push({ place: after + 0.5, id });
      return all.sort((one, other) => one.place - other.place).map(({ id }) => id);
    },
  };
}

function unpackList(list: readonly number[]): Map<number, readonly number[] | null> {
  const found = new Map<number, readonly number[] | null>();
  for (let at = 0; at < list.length;) {
    const [hash = 0, length = 0] = list.slice(at, at + 2);
    at += 2;
    found.set(hash, length < 0 ? null : list.slice(at, at + length));
    at += Math.max(0, length);
  }
  return found;
}

function known<T>(word: T | undefined): T {
  if (word === undefined) throw new Error('no such word: the saved state is of another version');
  return word;
}
