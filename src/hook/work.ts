/**
 * The thread that does a hook's work: receives one message with the host's bytes and sends one with the text to print.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { thisMachine } from '../app/workspace/thisMachine.ts';
import type { HostName } from '../hosts/names.ts';
import { startSaving } from '../hosts/startSaving.ts';
import { answerHook } from './answer.ts';

export interface Given {
  readonly host: HostName;
  readonly folder: string;
}

parentPort?.once('message', (bytes: Uint8Array) => {
  const surroundings = {
    ...thisMachine(process, os.homedir()),
    saveLater: (folder: string) => {
      startSaving(path.join(import.meta.dirname, 'savingThread.cjs'), folder);
    },
    wasm: () => fs.readFileSync(path.join(import.meta.dirname, 'sql-wasm.wasm.br')),
  };
  void answerHook({ ...(workerData as Given), bytes }, surroundings).then((printed) =>
    parentPort?.postMessage(printed),
  );
});
