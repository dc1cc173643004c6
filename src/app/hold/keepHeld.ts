/** What happens to held files when a hold begins or ends: any program does it that sees that first. */
import type { Workspace } from '../workspace/workspace.ts';
import { keepFence } from './fence.ts';
import { isBaselineDue, takeBaselines } from './takeBaselines.ts';

/** Returns whether a baseline was taken. */
export async function keepHeld(workspace: Workspace): Promise<boolean> {
  const taken = isBaselineDue(workspace) && (await takeBaselines(workspace));
  await keepFence(workspace);
  return taken;
}
