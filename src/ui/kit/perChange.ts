/** Values of a state that several views show: computed once for each position of its journal, and shared. */
import { inSteps } from '../../app/workspace/inSteps.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { State } from '../../core/state/state.ts';
import { finish } from '../../core/kit/finish.ts';

export type HasPosition = Pick<Workspace, 'position'>;

/**
 * Returns a function of a workspace and its state as it is now.
 * @param compute must depend on the state alone, not on the time
 */
export function perChange<T>(compute: (state: State) => T): (workspace: HasPosition, state: State) => T {
  const { find, keep } = openValues<T>();
  return (workspace, state) => (find(workspace, state) ?? keep(workspace, state)(compute(state))).value;
}

/** The same for what takes long. */
export function perChangeInSteps<T>(compute: (state: State) => Iterator<unknown, T>) {
  const { find, keep } = openValues<T>();
  return {
    /** Computes it in steps, so that `read` mostly finds it: unless the state changes meanwhile. */
    async prepare(workspace: HasPosition, state: State): Promise<void> {
      if (find(workspace, state)) return;
      const keepNow = keep(workspace, state);
      keepNow(await inSteps(compute(state), { isAwaited: true }));
    },
    read(workspace: HasPosition, state: State): T {
      return (find(workspace, state) ?? keep(workspace, state)(finish(compute(state)))).value;
    },
  };
}

interface Kept<T> {
  readonly position: number | undefined;
  readonly value: T;
}

function openValues<T>() {
  const known = new WeakMap<State, Kept<T>>();
  const positionOf = (workspace: HasPosition) => workspace.position()?.position;
  return {
    find(workspace: HasPosition, state: State): Kept<T> | null {
      const kept = known.get(state);
      return kept && kept.position === positionOf(workspace) ? kept : null;
    },
    /** For the position as it is now. */
    keep(workspace: HasPosition, state: State): (value: T) => Kept<T> {
      const position = positionOf(workspace);
      return (value) => {
        const kept = { position, value };
        known.set(state, kept);
        return kept;
      };
    },
  };
}
