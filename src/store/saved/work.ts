/** Work items, of which a program reads those that it is asked about, what they depend on, and what depends on them. */
import { dependantsByItem } from '../../core/hold/holds.ts';
import { isUnfinished } from '../../core/state/state.ts';
import type { State, UnreadWork, WorkItem } from '../../core/state/state.ts';
import { itself, once } from './lookups.ts';
import type { LazyMap, Source } from './lazyMap.ts';
import { packShards } from './shards.ts';
import type { Shards } from './shards.ts';

/** With its place in the order of registration. */
export type PackedItem = readonly [place: number, item: WorkItem];

/** In shards by their ids. */
export function packWork(work: State['work']) {
  const items = [...work].map(([id, item], place): [string, PackedItem] => [id, [place, item]]);
  return packShards(new Map(items), itself);
}

/** The ids of the direct dependants of each item, in shards by its id. */
export function packDependants(work: State['work']) {
  return packShards(dependantsByItem(work.values()), itself);
}

/** Ids by what they are asked for. */
interface WorkLists {
  /** For each agent that owns items, those that it has in progress. */
  readonly started: readonly (readonly [agent: string, items: readonly string[]])[];
  readonly unfinished: readonly string[];
}

/** As JSON. */
export function packWorkLists(work: State['work']): string {
  const started = new Map<string, string[]>();
  for (const { id, status, assignee } of work.values()) {
    if (assignee === null) continue;
    const ids = started.get(assignee) ?? [];
    if (status === 'in_progress') ids.push(id);
    started.set(assignee, ids);
  }
  const unfinished = [...work.values()].filter(isUnfinished).map(({ id }) => id);
  return JSON.stringify({ started: [...started], unfinished } satisfies WorkLists);
}

export function workIn({ size, about, entries }: Shards<PackedItem>): Source<string, WorkItem> {
  const get = (id: string) => about(id).get(id)?.[1];
  return {
    size,
    get,
    has: (id) => get(id) !== undefined,
    entries() {
      const inOrder: [string, WorkItem][] = [];
      for (const [id, packed] of entries()) inOrder[packed[0]] = [id, packed[1]];
      return inOrder;
    },
  };
}

interface Unread {
  readonly work: LazyMap<string, WorkItem>;
  readonly items: Shards<PackedItem>;
  readonly dependants: Shards<readonly string[]>;
  /** The part that `packWorkLists` wrote. */
  lists(): string;
}

export function unreadWork({ work, items, dependants, lists }: Unread): UnreadWork {
  const saved = once(() => {
    const { started, unfinished } = JSON.parse(lists()) as WorkLists;
    return { started: new Map(started), owners: new Set(started.map(([agent]) => agent)), unfinished };
  });
  // Items that were registered since keep the order in which they are given.
  const last = Number.MAX_SAFE_INTEGER;
  const placeOf = (id: string) => items.about(id).get(id)?.[0] ?? last;
  return {
    changed: () => work.changed(),
    started: (agent) => saved().started.get(agent) ?? [],
    unfinished: () => saved().unfinished,
    owners: () => saved().owners,
    dependants: (id) => dependants.about(id).get(id) ?? [],
    inOrder(ids) {
      const places = [...new Set(ids)].map((id) => ({ id, place: placeOf(id) }));
      return places.sort((one, other) => one.place - other.place).map(({ id }) => id);
    },
  };
}
