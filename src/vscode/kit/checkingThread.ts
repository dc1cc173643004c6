/**
 * Compares one folder's saved state with its journal, answers and exits. Runs as a thread of the editor: reading a long
 * journal and comparing two states takes seconds.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { checkSavedState } from '../../app/audit/checkSavedState.ts';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import { openWorkspace } from '../../app/workspace/workspace.ts';
import type { PinnedKey } from '../../trust/keyring.ts';

/** What the editor gives the thread. */
export interface Checked {
  readonly folder: string;
  /** Whose signatures are valid for the editor: the thread takes none from files. */
  readonly pins: readonly PinnedKey[];
}

const { folder, pins } = workerData as Checked;
const workspace = openWorkspace({
  folder,
  ...thisMachine(process, os.homedir()),
  wasm: () => fs.readFileSync(path.join(import.meta.dirname, 'sql-wasm.wasm.br')),
});
try {
  parentPort?.postMessage(checkSavedState({ ...workspace, pins: () => pins }));
} finally {
  workspace.close();
}
