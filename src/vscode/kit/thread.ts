/**
 * Work on one folder's store that would block the editor or `holdpoint serve`: exporting a large database, reading
 * thousands of held files, comparing a long journal. A thread reads the store like any other program, answers and exits.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { checkSavedState } from '../../app/audit/savedState.ts';
import { writeBaselines } from '../../app/hold/baseline.ts';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import { openWorkspace, type Workspace } from '../../app/workspace/workspace.ts';
import type { ThreadWork } from '../../ui/kit/keepers.ts';

async function answer(workspace: Workspace, work: ThreadWork): Promise<unknown> {
  switch (work.kind) {
    case 'save': {
      const store = await workspace.store();
      if (store.hasGrown(1)) store.save();
      return null;
    }
    case 'baselines':
      return writeBaselines(workspace, work.holds);
    case 'compare':
      return checkSavedState({ ...workspace, pins: () => work.pins });
  }
}

async function main(work: ThreadWork): Promise<void> {
  const workspace = openWorkspace({
    ...{ folder: work.folder, filesOnly: work.kind === 'save' },
    ...thisMachine(process, os.homedir()),
    wasm: () => fs.readFileSync(path.join(import.meta.dirname, 'sql-wasm.wasm.br')),
  });
  try {
    parentPort?.postMessage(await answer(workspace, work));
  } finally {
    workspace.close();
  }
}
void main(workerData as ThreadWork);
