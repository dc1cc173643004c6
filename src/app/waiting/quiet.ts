/**
 * A workspace in which a call that reads finds nothing to do besides: nothing is due in its store, and nothing is on its
 * way to the caller. Such a call may need no database, whose loading takes half of the time of a program that answers one.
 */
import { ownsWork } from '../../core/hold/holds.ts';
import type { State } from '../../core/state/state.ts';
import { savedTo } from '../../store/saved/snapshot.ts';
import { withoutRows } from '../../store/rows/index.ts';
import type { View } from '../../store/store.ts';
import { freshnessOf } from '../workspace/freshness.ts';
import { isSweepDue } from '../workspace/sweep.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** A view that has no rows. */
export type QuietView = View;

/** More of a journal after its saved state takes longer to read than a database to load, and may be read twice. Bytes. */
const smallTo = 1024 * 1024;

/**
 * Null where it is not known from the state alone.
 * @param caller the id of its agent, which the state may be needed for
 */
export function quietView(workspace: Workspace, caller: () => string): QuietView | null {
  const { stateFile } = workspace;
  if ((stateFile.read()?.position ?? 0) - savedTo(stateFile, null) > smallTo) return null;
  const { state } = workspace.standing();
  if (!state || !isQuiet(workspace, state, caller())) return null;
  return { state, rows: withoutRows.rows, now: workspace.now(), own: null };
}

/** An agent that has ever acted may have outcomes to receive, and so may the owner of work, or one of a responsibility. */
function isQuiet(workspace: Workspace, state: State, agent: string): boolean {
  if (freshnessOf(workspace).state !== 'local') return false;
  if (state.agents.has(agent) || state.rfcs.size + state.responsibilities.size > 0) return false;
  return !ownsWork(state, agent) && !isSweepDue(state, workspace.now());
}
