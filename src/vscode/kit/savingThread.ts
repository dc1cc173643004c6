/**
 * Writes a snapshot of one folder's store and exits. Runs as a thread of the editor and of `holdpoint serve`, so that
 * these never block however large the store is.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { workerData } from 'node:worker_threads';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import { openWorkspace } from '../../app/workspace/workspace.ts';

async function save(folder: string): Promise<void> {
  const workspace = openWorkspace({
    folder,
    filesOnly: true,
    ...thisMachine(process, os.homedir()),
    wasm: () => fs.readFileSync(path.join(import.meta.dirname, 'sql-wasm.wasm.br')),
  });
  try {
    const store = await workspace.store();
    if (store.hasGrown(1)) store.save();
  } finally {
    workspace.close();
  }
}

const folder: unknown = workerData ?? process.argv[2];
if (typeof folder === 'string') void save(folder);
