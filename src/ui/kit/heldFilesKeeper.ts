/**
 * What this machine sees first here of holds that begin and end: how held files are then, for example where a human held
 * all, and whether they are read-only.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { keepHeld } from '../../app/hold/keepHeld.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Closable } from './disposables.ts';
import type { Folders } from './folders.ts';
import { inTurn } from './inTurn.ts';

/** How many times as long as taking some baselines the pause after it is. */
const restFactor = 4;

export function keepHeldFiles(folders: Folders): Closable {
  let closed = false;
  const isOpen = (workspace: Workspace) => !closed && folders.all.some((one) => one.workspace === workspace);

  async function keep(workspace: Workspace): Promise<void> {
    while (isOpen(workspace)) {
      const began = performance.now();
      // Where no baseline can be taken, the next change of a store tries again.
      if (!(await keepHeld(workspace))) return;
      workspace.changed();
      // Thousands would slow down all that a human does meanwhile.
      await pause(restFactor * (performance.now() - began));
    }
  }

  const run = inTurn(async () => {
    for (const { workspace } of folders.all) await keep(workspace);
  });
  const listening = folders.onDidChange(() => void run());
  return {
    dispose() {
      closed = true;
      listening.dispose();
    },
  };
}
