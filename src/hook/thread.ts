/** The thread that does a hook's work where nothing watches the hook: one message with the host's bytes, one with the answer. */
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { loadCompiled } from '../hosts/compiledCode.ts';
import type * as Work from './work.ts';
import type { Given } from './work.ts';

parentPort?.once('message', (bytes: Uint8Array) => {
  void answer(bytes);
});

/** What is thrown here ends the thread, which denies. */
async function answer(bytes: Uint8Array): Promise<void> {
  let keep: () => void = () => undefined;
  const work = loadCompiled(path.join(import.meta.dirname, 'hookWork.cjs'), 'hookThread', (given) => (keep = given));
  const answered = await (work as typeof Work).answerGiven(workerData as Given, bytes);
  // The answer ends this thread.
  keep();
  parentPort?.postMessage(answered);
}
