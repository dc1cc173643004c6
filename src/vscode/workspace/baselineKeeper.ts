/** Notes how held files are when a hold begins that this machine sees first here, for example one that a human widened. */
import { isBaselineDue, takeBaselines } from '../../app/hold/takeBaselines.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders } from '../kit/folders.ts';

export function keepBaselines(folders: Folders): Closable {
  let running: Promise<void> | null = null;
  return folders.onDidChange(() => {
    running ??= run().finally(() => (running = null));
  });

  async function run(): Promise<void> {
    for (const { workspace } of folders.all)
      // Where none can be taken, the next change of a store tries again; `changed` would do so at once, and for ever.
      if (isBaselineDue(workspace) && (await takeBaselines(workspace))) workspace.changed();
  }
}
