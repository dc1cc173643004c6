/** The items of a triage in display order, with their outcomes. Pure and immutable. */

/** `held`: decided, but not signed yet. `gone`: no longer waiting, without a decision made here. */
export type Fate = 'open' | 'skipped' | 'held' | 'decided' | 'gone';

export interface Queued {
  readonly key: string;
  readonly id: string;
  readonly fate: Fate;
}

export interface Queue {
  readonly items: readonly Queued[];
  /** The displayed item; null at the end, which shows a summary. */
  readonly at: string | null;
}

type Waiting = readonly { readonly key: string; readonly id: string }[];

export function startQueue(waiting: Waiting): Queue {
  const items = waiting.map(({ key, id }): Queued => ({ key, id, fate: 'open' }));
  return { items, at: items[0]?.key ?? null };
}

/** Appends new items, and removes those that no longer wait unless they are displayed or were decided here. */
export function merged({ items, at }: Queue, waiting: Waiting): Queue {
  const still = new Set(waiting.map(({ key }) => key));
  const known = new Set(items.map(({ key }) => key));
  const kept = items.map((item): Queued => {
    if (still.has(item.key)) return item.fate === 'gone' ? { ...item, fate: 'open' } : item;
    return isLeft(item) && item.key !== at ? { ...item, fate: 'gone' } : item;
  });
  const arrived = waiting.flatMap(({ key, id }): Queued[] => (known.has(key) ? [] : [{ key, id, fate: 'open' }]));
  return { items: [...kept, ...arrived], at };
}

/** Moves to the next item and marks the current one as skipped unless it is decided; from the end to the first. */
export function next({ items, at }: Queue): Queue {
  const passed = items.map((item): Queued => {
    return item.key === at && item.fate === 'open' ? { ...item, fate: 'skipped' } : item;
  });
  const index = indexOf(passed, at);
  return { items: passed, at: passed.find((item, place) => place > index && isLeft(item))?.key ?? null };
}

/** Moves to the previous item, if any; from the end to the last remaining one. */
export function back({ items, at }: Queue): Queue {
  const index = at === null ? items.length : indexOf(items, at);
  return { items, at: items.findLast((item, place) => place < index && isLeft(item))?.key ?? at };
}

export function goTo(queue: Queue, key: string): Queue {
  return queue.items.some((item) => item.key === key) ? { ...queue, at: key } : queue;
}

export function marked({ items, at }: Queue, key: string, fate: Fate): Queue {
  return { items: items.map((item) => (item.key === key ? { ...item, fate } : item)), at };
}

/** The undecided items. */
export function left({ items }: Queue): readonly Queued[] {
  return items.filter(isLeft);
}

/** "3 of 12"; without the position at the end. */
export function placeIn({ items, at }: Queue): { readonly index?: number; readonly of: number } {
  const counted = items.filter(({ fate }) => fate !== 'gone');
  const index = at === null ? -1 : indexOf(counted, at);
  return { ...(index < 0 ? {} : { index: index + 1 }), of: counted.length };
}

/** The number of decided items, including unsigned decisions. */
export function decidedIn({ items }: Queue): number {
  return items.filter(({ fate }) => fate === 'held' || fate === 'decided').length;
}

function isLeft({ fate }: Queued): boolean {
  return fate === 'open' || fate === 'skipped';
}

function indexOf(items: readonly Queued[], key: string | null): number {
  return items.findIndex((item) => item.key === key);
}
