/**
 * A human's signed deletion of a work item, with everything in it. It ends what others waited for with the item, and no
 * question or RFC: those stay open, with the files and other work that they hold.
 */
import { blocksOf, holderName, holdersByItem, type Holder } from '../hold/holds.ts';
import { withParts } from '../state/cancelWork.ts';
import { isUnruled } from '../state/quorum.ts';
import { isFinished, type State, type WorkItem } from '../state/state.ts';

export interface Deletion {
  readonly item: WorkItem;
  /** What else is deleted with it. */
  readonly parts: readonly WorkItem[];
  readonly holders: readonly Holder[];
  /** Unfinished items that wait for any of them, and no longer will. */
  readonly dependants: readonly WorkItem[];
}

/** Null for an unknown or deleted item. */
export function deletionOf(state: State, id: string): Deletion | null {
  const gone = new Map(
    [...withParts(state, [id])].flatMap((each) => {
      const item = state.work.get(each);
      return item && item.status !== 'deleted' ? [[each, item] as const] : [];
    }),
  );
  const item = gone.get(id);
  if (!item) return null;
  const byItem = holdersByItem(state);
  const blocks = [...gone.keys()].flatMap((each) => blocksOf(state, each, byItem));
  return {
    item,
    parts: [...gone.values()].filter((each) => each !== item),
    holders: [...new Map(blocks.map(({ holder }) => [holder.id, holder])).values()],
    dependants: [...state.work.values()].filter(
      (each) => !gone.has(each.id) && !isFinished(each) && each.dependsOn.some((on) => gone.has(on)),
    ),
  };
}

export function shownDeletion({ item, parts, holders, dependants }: Deletion): object {
  const named = ({ id, title }: WorkItem) => ({ id, title });
  return {
    ...named(item),
    kind: item.kind,
    parts: parts.map(named),
    holders: holders.map((holder) => ({ id: holder.id, name: holderName(holder) })),
    dependants: dependants.map(named),
  };
}

/** What has to be decided first, because one person cannot; null for nothing. */
export function decidedFirst(state: State, { holders }: Deletion): Holder | null {
  return holders.find((holder) => !isUnruled(state, holder)) ?? null;
}
