/** Writes snapshots in a separate thread, because exporting a large database is one long step. */
import path from 'node:path';
import { Worker } from 'node:worker_threads';

/** Resolves when the thread has ended. A failure loses nothing: a snapshot is a cache. */
export function saveBeside(extensionPath: string): (folder: string) => Promise<void> {
  return (folder) =>
    new Promise((resolve, reject) => {
      const thread = new Worker(path.join(extensionPath, 'dist', 'savingThread.cjs'), { workerData: folder });
      thread.unref();
      thread
        .once('error', (error) => {
          reject(error instanceof Error ? error : new Error(String(error)));
        })
        .once('exit', () => {
          resolve();
        });
    });
}
