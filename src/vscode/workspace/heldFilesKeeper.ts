/**
 * What this machine sees first here of holds that begin and end: how held files are then, for example where a human held
 * all, and whether they are read-only.
 */
import { keepHeld } from '../../app/hold/keepHeld.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders } from '../kit/folders.ts';
import { inTurn } from '../kit/inTurn.ts';

export function keepHeldFiles(folders: Folders): Closable {
  const run = inTurn(async () => {
    for (const { workspace } of folders.all)
      // Where no baseline can be taken, the next change of a store tries again; `changed` would do so at once, and for ever.
      if (await keepHeld(workspace)) workspace.changed();
  });
  return folders.onDidChange(() => void run());
}
