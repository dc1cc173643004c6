/** How single entries are looked up in a saved state: what holds, and questions by their texts. */
import { gatherBases } from '../../core/hold/bases.ts';
import { textOfKey } from '../../core/question/question.ts';
import { isHolding, isWaiting } from '../../core/state/state.ts';
import type { HeldBases, Question, State } from '../../core/state/state.ts';
import type { HoldIndex, unpackHolds } from './holds.ts';
import { LazyMap } from './lazyMap.ts';
import type { Source } from './lazyMap.ts';
import type { unpackQuestions } from './questions.ts';
import type { Shards } from './shards.ts';

export function holdersIn(
  { holders, rfcs }: HoldIndex,
  questions: ReturnType<typeof unpackQuestions>,
  holds: ReturnType<typeof unpackHolds>,
): Source<string, true> {
  const ofRfcs = new Set(rfcs.map(([id]) => id));
  const has = (id: string) => {
    const brief = questions.brief(id);
    return brief ? isHolding(brief) : ofRfcs.has(id);
  };
  return {
    size: () => holders,
    has,
    get: (id) => (has(id) ? true : undefined),
    entries: () => holds.holders().map((id) => [id, true] as const),
  };
}

/** @param numbersIn the part that has the numbers of all */
export function undecidedIn(
  numbersIn: () => string,
  questionAt: (id: string) => Question | undefined,
): Source<string, true> {
  const all = once(() => (JSON.parse(numbersIn()) as number[]).map((number) => `Q-${String(number)}`));
  // A record of one question has looked that up already.
  const has = (id: string) => {
    const question = questionAt(id);
    return question !== undefined && isWaiting(question);
  };
  return {
    size: () => all().length,
    has,
    get: (id) => (has(id) ? true : undefined),
    entries: () => all().map((id) => [id, true] as const),
  };
}

export function sourceIn(shards: Shards, subjectOf: (key: string) => string): Source<string, string> {
  const { size, entries, about } = shards;
  const get = (key: string) => about(subjectOf(key)).get(key);
  return { size, entries, get, has: (key) => get(key) !== undefined };
}

/** Ids by the texts in their keys, as JSON. */
function idsByTextIn(entries: Iterable<readonly [key: string, id: string]>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [key, id] of entries) {
    const text = JSON.stringify(textOfKey(key));
    const ids = found.get(text);
    if (ids) ids.push(id);
    else found.set(text, [id]);
  }
  return found;
}

/** Ids of pending questions by their keys, and by the texts in these. */
export function byTexts(shards: Shards): Pick<State, 'pendingKeys' | 'openTexts'> {
  /** By the shard that has the keys. */
  const idsByText = new Map<ReadonlyMap<string, string>, ReadonlyMap<string, readonly string[]>>();
  const idsOf = (text: string) => {
    const shard = shards.about(text);
    const known = idsByText.get(shard) ?? idsByTextIn(shard);
    idsByText.set(shard, known);
    return known.get(JSON.stringify(text)) ?? [];
  };
  const all = once(() => {
    const entries = [...idsByTextIn(shards.entries())];
    return new Map(entries.map(([text, ids]) => [JSON.parse(text) as string, ids]));
  });
  return {
    // Called, not passed: a gate loads that module for lines after the saved state only.
    pendingKeys: new LazyMap(sourceIn(shards, (key) => textOfKey(key))),
    openTexts: new LazyMap<string, readonly string[]>({
      size: () => all().size,
      has: (text) => idsOf(text).length > 0,
      get(text) {
        const ids = idsOf(text);
        return ids.length > 0 ? ids : undefined;
      },
      entries: () => all(),
    }),
  };
}

/** What these questions hold is added. */
export function together(saved: HeldBases, more: readonly Question[]): HeldBases {
  if (more.length === 0) return saved;
  const gathered = gatherBases();
  for (const question of more) gathered.add(question);
  const { widened, places } = gathered.all();
  return { widened: saved.widened || widened, places: [...saved.places, ...places] };
}

/** The subject of a key that is looked up by itself: of a reused text, or of a work item. */
export function itself(key: string): string {
  return key;
}

export function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}
