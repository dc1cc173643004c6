/** Work items, of which a gate reads those that it is asked about, and what they depend on. */
import type { State, UnreadWork, WorkItem } from '../../core/state/state.ts';
import { itself, once } from './lookups.ts';
import type { LazyMap, Source } from './lazyMap.ts';
import { packShards } from './shards.ts';
import type { Shards } from './shards.ts';

/** With its place in the order of registration. */
type PackedItem = readonly [place: number, item: WorkItem];

/** In shards by their ids. */
export function packWork(work: State['work']) {
  const items = [...work].map(([id, item], place): [string, PackedItem] => [id, [place, item]]);
  return packShards(new Map(items), itself);
}

/** The ids of the items that agents have in progress, by agent, as JSON. */
export function packStarted(work: State['work']): string {
  const started = new Map<string, string[]>();
  for (const { id, status, assignee } of work.values())
    if (status === 'in_progress' && assignee !== null) {
      const ids = started.get(assignee);
      if (ids) ids.push(id);
      else started.set(assignee, [id]);
    }
  return JSON.stringify([...started]);
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

/** @param started the part that `packStarted` wrote */
export function unreadWork(work: LazyMap<string, WorkItem>, started: () => string): UnreadWork {
  const saved = once(() => new Map(JSON.parse(started()) as [string, string[]][]));
  return {
    changed: () => work.changed(),
    mayHaveStarted: (agent) => new Set([...(saved().get(agent) ?? []), ...work.changed()]),
  };
}
