/** Critical warnings for lists in the editor, without loading the database when there are none. */
import type { BriefedEvent } from '../../core/memory/briefing.ts';
import { eventNamed } from '../../app/memory/views.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';

/** The active ones, newest first, up to a limit. */
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
