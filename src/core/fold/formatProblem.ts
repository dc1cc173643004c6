/** Compares the versions that a journal requires with those of this program. */
import { format } from '../records/format.ts';
import type { State } from '../state/state.ts';

/** Whether this program is too old to read or to write, by the versions the journal requires. */
export function formatProblem(state: State): 'reader' | 'writer' | null {
  if (!state.workspace) return null;
  if (state.workspace.minReader > format.current) return 'reader';
  return state.workspace.minWriter > format.current ? 'writer' : null;
}
