/** Work that would block the editor, or the server of forms, in threads that read the store like any other program. */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Beside, HoldToNote, WrittenBaseline } from '../../app/workspace/beside.ts';

/** What a workspace leaves to threads. */
export function inThreads(extensionPath: string, folder: string) {
  return {
    saveBeside: () => saveBeside(extensionPath, folder),
    baselinesBeside: (holds) => baselinesBeside(extensionPath, folder, holds),
  } satisfies Beside;
}

/**
 * Exporting a large database is one long step. Resolves when the thread has ended. A failure loses nothing: a snapshot is
 * a cache.
 */
export function saveBeside(extensionPath: string, folder: string): Promise<void> {
  const thread = start(extensionPath, 'savingThread.mjs', folder);
  return new Promise((resolve, reject) => {
    thread.once('error', reject).once('exit', () => {
      resolve();
    });
  });
}

/** Writes baselines. @throws Error where the thread fails */
export async function baselinesBeside(
  extensionPath: string,
  folder: string,
  holds: readonly HoldToNote[],
): Promise<readonly WrittenBaseline[]> {
  return (await answerBeside(extensionPath, 'baselineThread.mjs', { folder, holds })) as readonly WrittenBaseline[];
}

/**
 * The answer of a thread that sends one message.
 * @throws Error where the thread fails or ends without an answer
 */
export function answerBeside(extensionPath: string, file: string, given: unknown): Promise<unknown> {
  const thread = start(extensionPath, file, given);
  return new Promise((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
    // After a message this rejects a promise that is settled.
    thread.once('exit', () => {
      reject(new Error(file));
    });
  });
}

function start(extensionPath: string, file: string, workerData: unknown): Worker {
  const thread = new Worker(path.join(extensionPath, 'dist', file), { workerData });
  thread.unref();
  return thread;
}
