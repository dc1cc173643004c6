/** What happens to held files when a hold begins or ends: any program does it that sees that first. */
import type { Workspace } from '../workspace/workspace.ts';
import { baselinesAtOnce, isBaselineDue, takeBaselines } from './takeBaselines.ts';

/** Returns whether a baseline was taken. More may be due where holds began thousands at a time, as by an import. */
export async function keepHeld(workspace: Workspace): Promise<boolean> {
  return isBaselineDue(workspace) && (await takeBaselines(workspace, baselinesAtOnce));
}
