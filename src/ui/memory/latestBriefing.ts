/** A file's briefing as humans see it. The view and the line above the file ask for the same one at the same time. */
import { briefingSteps, gatherForBriefings } from '../../app/memory/briefing.ts';
import type { Gathered } from '../../app/memory/briefing.ts';
import { inSteps } from '../../app/workspace/inSteps.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Briefing } from '../../core/memory/briefing.ts';
import type { State } from '../../core/state/state.ts';

interface Latest {
  readonly focus: string | null;
  readonly state: State;
  /** Of the journal. */
  readonly position: number;
  /** Milliseconds since the epoch, by the workspace's clock. */
  readonly at: number;
  readonly briefing: Promise<Briefing>;
  /** The same for all files, until the journal has moved. Null until one is asked for. */
  readonly gathered: Promise<Gathered> | null;
}

const latest = new WeakMap<Workspace, Latest>();
/** Events expire and age by time alone. Milliseconds. */
const latestMs = 1_000;

/**
 * Takes several turns of the event loop, so it may or may not include what changes in the meantime. Callers draw it again
 * after each change.
 * @param focus workspace-relative and cleaned; null for none
 * @throws StoreError `unknown-state`
 */
export async function latestBriefing(workspace: Workspace, focus: string | null): Promise<Briefing> {
  const store = await workspace.store();
  const view = store.read();
  const { position } = store.position;
  const now = Date.parse(view.now);
  const known = latest.get(workspace);
  const same = known?.position === position && known.state === view.state ? known : undefined;
  if (same?.focus === focus && Math.abs(now - same.at) < latestMs) return same.briefing;
  // Without a file, nothing is looked up by folders.
  const gathered =
    same?.gathered ?? (focus === null ? null : inSteps(gatherForBriefings(workspace, view), { isAwaited: true }));
  const brief = async () => {
    const steps = briefingSteps(workspace, view, { focus, human: true, gathered: await gathered });
    return (await inSteps(steps, { isAwaited: true })).briefing;
  };
  const briefing = brief();
  latest.set(workspace, { focus, state: view.state, position, at: now, briefing, gathered });
  // Whoever asks next tries again.
  briefing.catch(() => latest.delete(workspace));
  return briefing;
}
