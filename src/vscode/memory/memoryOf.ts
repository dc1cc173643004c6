/** What lists in the editor ask of project memory: critical warnings, without loading the database where there are none. */
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import { eventNamed } from '../../app/memory/views.ts';
import type { OpenFolder } from '../kit/folders.ts';

/** Active ones, newest first, at most so many. */
export async function criticalWarnings({ workspace }: OpenFolder, atMost = 100): Promise<BriefedEvent[]> {
  const { state } = workspace.standing();
  if (!state || state.criticalWarnings.size === 0) return [];
  const view = (await workspace.store()).read();
  return [...view.state.criticalWarnings]
    .slice(-atMost)
    .reverse()
    .map((id) => eventNamed(view, id))
    .filter((event) => event !== null);
}
