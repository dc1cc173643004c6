/** Values of a state that several views show: computed once for each position of its journal, and shared. */
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { State } from '../../core/state/state.ts';

export type HasPosition = Pick<Workspace, 'position'>;

/**
 * Returns a function of a workspace and its state as it is now.
 * @param compute must depend on the state alone, not on the time
 */
export function perChange<T>(compute: (state: State) => T): (workspace: HasPosition, state: State) => T {
  const known = new WeakMap<State, { readonly position: number | undefined; readonly value: T }>();
  return (workspace, state) => {
    const position = workspace.position()?.position;
    const kept = known.get(state);
    if (kept && kept.position === position) return kept.value;
    const value = compute(state);
    known.set(state, { position, value });
    return value;
  };
}
