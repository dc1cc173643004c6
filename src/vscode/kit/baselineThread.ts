/**
 * Writes baselines, answers and exits. Runs as a thread of the editor: a hold may have thousands of files to read, and
 * each baseline is flushed to disk.
 */
import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { writeBaselines } from '../../app/hold/writeBaselines.ts';
import type { HoldToNote } from '../../app/workspace/beside.ts';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import { openWorkspace } from '../../app/workspace/workspace.ts';

/** What the editor gives the thread. */
export interface BaselinesToWrite {
  readonly folder: string;
  readonly holds: readonly HoldToNote[];
}

async function write({ folder, holds }: BaselinesToWrite): Promise<void> {
  // Baselines need no database.
  const wasm = () => new Uint8Array();
  const workspace = openWorkspace({ folder, ...thisMachine(process, os.homedir()), wasm });
  try {
    parentPort?.postMessage(await writeBaselines(workspace, holds));
  } finally {
    workspace.close();
  }
}

void write(workerData as BaselinesToWrite);
