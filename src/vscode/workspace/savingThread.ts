/**
 * Writes a snapshot of the store of one folder, opened like any other program's, and ends: as a thread of the editor,
 * which so never stands still for it, however large the store is, and as a program that gates and hooks leave behind.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { workerData } from 'node:worker_threads';
import { openWorkspace } from '../../app/workspace/workspace.ts';
import { finish } from '../../store/journal/files.ts';

async function save(folder: string): Promise<void> {
  const workspace = openWorkspace({
    folder,
    fs,
    env: process.env,
    platform: process.platform,
    home: os.homedir(),
    clock: Date.now,
    newId: randomUUID,
    wasm: () => fs.readFileSync(path.join(import.meta.dirname, 'sql-wasm.wasm.br')),
  });
  try {
    const steps = (await workspace.store()).saving(1);
    if (steps) finish(steps);
  } finally {
    workspace.close();
  }
}

const folder: unknown = workerData ?? process.argv[2];
if (typeof folder === 'string') void save(folder);
