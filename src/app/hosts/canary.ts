/** The hold that a canary sits on: one question in a fresh store, asked by nobody real. */
import type { Workspace } from '../workspace/workspace.ts';
import { raiseQuestion } from '../question/questions.ts';

/**
 * @param workspace a fresh one in a temporary folder, with a user-level folder of its own
 * @param file held from now on, relative to it
 * @param secret what only this store knows: part of the question
 */
export async function holdCanary(workspace: Workspace, file: string, secret: string): Promise<void> {
  const store = await workspace.store();
  const actor = { kind: 'agent', id: 'canary-001', worktree: workspace.worktree } as const;
  raiseQuestion(
    store,
    { actor, host: 'canary' },
    {
      text: `Canary ${secret}: does this stop an agent?`,
      type: 'clarification',
      urgency: 'low',
      mode: 'sync',
      work: null,
      holds: [file],
    },
  );
}
