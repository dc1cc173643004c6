/** A file's briefing as humans see it. The view and the line above the file ask for the same one at the same time. */
import { briefingSteps } from '../../app/memory/briefing.ts';
import { inSteps } from '../../app/workspace/inSteps.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Briefing } from '../../core/memory/briefing.ts';

interface Latest {
  readonly focus: string | null;
  /** Of the journal. */
  readonly position: number;
  /** Milliseconds since the epoch, by the workspace's clock. */
  readonly at: number;
  readonly briefing: Promise<Briefing>;
}

const latest = new WeakMap<Workspace, Latest>();
/** Events expire and age by time alone. Milliseconds. */
const latestMs = 1_000;

/**
 * Takes several turns of the event loop. What changes meanwhile may be in it or not: whoever shows it draws it again after
 * each change.
 * @param focus workspace-relative and cleaned; null for none
 * @throws StoreError `unknown-state`
 */
export async function latestBriefing(workspace: Workspace, focus: string | null): Promise<Briefing> {
  const store = await workspace.store();
  const view = store.read();
  const { position } = store.position;
  const now = Date.parse(view.now);
  const known = latest.get(workspace);
  if (known?.focus === focus && known.position === position && Math.abs(now - known.at) < latestMs)
    return known.briefing;
  const steps = briefingSteps(workspace, view, { focus, human: true });
  const briefing = inSteps(steps, { isAwaited: true }).then((briefed) => briefed.briefing);
  latest.set(workspace, { focus, position, at: now, briefing });
  // Whoever asks next tries again.
  briefing.catch(() => latest.delete(workspace));
  return briefing;
}
