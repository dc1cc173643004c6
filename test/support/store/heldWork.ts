import { blocksOf, holdersByItem } from '../../../src/core/hold/holds.ts';
import type { CurrentState } from '../../../src/core/state/state.ts';

/** All held items with the ids of their holders. */
export function heldWork(state: CurrentState): Map<string, Set<string>> {
  const byItem = holdersByItem(state);
  const held = [...state.work.keys()].map(
    (id) => [id, new Set(blocksOf(state, id, byItem).map(({ holder }) => holder.id))] as const,
  );
  return new Map(held.filter(([, holders]) => holders.size > 0));
}
