/** A file's briefing as humans see it. The view and the line above the file ask for the same one at the same time. */
import { briefingOf } from '../../app/memory/briefing.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Briefing } from '../../core/memory/briefing.ts';
import type { State } from '../../core/state/state.ts';

interface Latest {
  readonly focus: string | null;
  readonly state: State;
  readonly position: number;
  /** Milliseconds since the epoch, by the workspace's clock. */
  readonly at: number;
  readonly briefing: Briefing;
}

const latest = new WeakMap<Workspace, Latest>();
/** Events expire and age by time alone. Milliseconds. */
const latestMs = 1_000;

/**
 * @param focus workspace-relative and cleaned; null for none
 * @throws StoreError `unknown-state`
 */
export async function latestBriefing(workspace: Workspace, focus: string | null): Promise<Briefing> {
  const store = await workspace.store();
  const view = store.read();
  const { position } = store.position;
  const now = Date.parse(view.now);
  const known = latest.get(workspace);
  const isSame = known?.position === position && known.state === view.state && known.focus === focus;
  if (isSame && Math.abs(now - known.at) < latestMs) return known.briefing;
  const { briefing } = briefingOf(workspace, view, { focus, human: true });
  latest.set(workspace, { focus, state: view.state, position, at: now, briefing });
  return briefing;
}
