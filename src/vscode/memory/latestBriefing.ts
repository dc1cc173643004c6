/** A file's briefing as humans see it. The view and the line above the file ask for the same one at the same time. */
import { briefingOf } from '../../app/memory/briefing.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Briefing } from '../../core/memory/briefing.ts';
import type { View } from '../../store/store.ts';

interface Latest {
  readonly focus: string | null;
  /** Of the journal. */
  readonly position: number | undefined;
  /** Milliseconds since the epoch, by the workspace's clock. */
  readonly at: number;
  readonly briefing: Briefing;
}

const latest = new WeakMap<Workspace, Latest>();
/** Events expire and age by time alone. Milliseconds. */
const latestMs = 1_000;

/** @param focus workspace-relative and cleaned; null for none */
export function latestBriefing(workspace: Workspace, view: View, focus: string | null): Briefing {
  const position = workspace.position()?.position;
  const now = Date.parse(view.now);
  const known = latest.get(workspace);
  if (known?.focus === focus && known.position === position && Math.abs(now - known.at) < latestMs)
    return known.briefing;
  const { briefing } = briefingOf(workspace, view, { focus, human: true });
  latest.set(workspace, { focus, position, at: now, briefing });
  return briefing;
}
