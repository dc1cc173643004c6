/** For gates and hooks, which start often: without a fence, this costs one look for a file. */
import type { Workspace } from '../workspace/workspace.ts';
import { hasFence } from './fenceFile.ts';

/** What an agent may change is writable before it does. */
export async function endFence(workspace: Workspace): Promise<void> {
  if (!hasFence(workspace)) return;
  const { keepFence } = await import('./fence.ts');
  await keepFence(workspace);
}
