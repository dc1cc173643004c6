/** Creates the hold for a canary: one question in a new store, and the baseline of the file that it holds. */
import { takeBaselines } from '../hold/takeBaselines.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { raiseQuestion } from '../question/questions.ts';

/**
 * @param workspace a new one in a temporary folder, with a separate user-level folder
 * @param file relative path of the file to hold
 * @param secret a word known only to this store; part of the question
 */
export async function holdCanary(workspace: Workspace, file: string, secret: string): Promise<void> {
  const store = await workspace.store();
  const actor = { kind: 'agent', id: 'canary-001', worktree: workspace.worktree } as const;
  await raiseQuestion(
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
  await takeBaselines(workspace);
}
