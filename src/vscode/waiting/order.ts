/** The waiting questions in order, computed once for each position of a journal: the tree and the forms share it. */
import { waitingOrder } from '../../app/question/views.ts';
import type { WaitingQuestion } from '../../app/question/views.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { State } from '../../core/state/state.ts';

interface Ordered {
  readonly position: number | undefined;
  readonly order: readonly WaitingQuestion[];
}

const known = new WeakMap<State, Ordered>();

/** @param state of this workspace, as it is now */
export function orderOf(workspace: Workspace, state: State): readonly WaitingQuestion[] {
  const position = workspace.position()?.position;
  const found = known.get(state);
  if (found?.position === position && found) return found.order;
  const order = waitingOrder(state);
  known.set(state, { position, order });
  return order;
}
