/** Cancels work that a human stopped, with everything in its workflows. */
import type { Change } from './change.ts';
import { isUnfinished, type State } from './state.ts';

export function cancelWork(state: State, change: Change, named: readonly string[], at: string): void {
  for (const id of withParts(state, named)) {
    const item = state.work.get(id);
    if (item && isUnfinished(item)) change.set(state.work, id, { ...item, status: 'cancelled', updatedAt: at });
  }
}

/** The items and all their descendants. */
export function withParts(state: State, named: readonly string[]): Set<string> {
  const reached = new Set(named);
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const item of state.work.values())
      if (item.workflow !== null && reached.has(item.workflow)) reached.add(item.id);
  }
  return reached;
}
