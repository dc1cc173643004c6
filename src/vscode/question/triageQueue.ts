/** The items of a triage in the order in which they are shown, and what became of each. Pure and immutable. */

/** `held`: decided, and not signed yet. `gone`: it no longer waits, without a decision made here. */
export type Fate = 'open' | 'skipped' | 'held' | 'decided' | 'gone';

export interface Queued {
  readonly key: string;
  readonly id: string;
  readonly fate: Fate;
}

export interface Queue {
  readonly items: readonly Queued[];
  /** The item on the screen; null at the end, where a summary is shown. */
  readonly at: string | null;
}

type Waiting = readonly { readonly key: string; readonly id: string }[];

export function startQueue(waiting: Waiting): Queue {
  const items = waiting.map(({ key, id }): Queued => ({ key, id, fate: 'open' }));
  return { items, at: items[0]?.key ?? null };
}

/** New arrivals go to the end; what no longer waits is left out, unless it is on the screen or decided here. */
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

/** To the item after the one on the screen, which counts as skipped unless it was decided; from the end to the first. */
export function next({ items, at }: Queue): Queue {
  const passed = items.map((item): Queued => {
    return item.key === at && item.fate === 'open' ? { ...item, fate: 'skipped' } : item;
  });
  const index = indexOf(passed, at);
  return { items: passed, at: passed.find((item, place) => place > index && isLeft(item))?.key ?? null };
}

/** To the item before the one on the screen; from the end to the last that is left. Stays where there is none. */
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

/** The items that still want a decision. */
export function left({ items }: Queue): readonly Queued[] {
  return items.filter(isLeft);
}

/** "3 of 12"; the place is absent at the end. */
export function placeIn({ items, at }: Queue): { readonly index?: number; readonly of: number } {
  const counted = items.filter(({ fate }) => fate !== 'gone');
  const index = at === null ? -1 : indexOf(counted, at);
  return { ...(index < 0 ? {} : { index: index + 1 }), of: counted.length };
}

/** Items that a decision was made about, whether it is signed yet or not. */
export function decidedIn({ items }: Queue): number {
  return items.filter(({ fate }) => fate === 'held' || fate === 'decided').length;
}

function isLeft({ fate }: Queued): boolean {
  return fate === 'open' || fate === 'skipped';
}

function indexOf(items: readonly Queued[], key: string | null): number {
  return items.findIndex((item) => item.key === key);
}
