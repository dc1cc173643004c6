/** Notices what other programs append: the folder is watched, and polled once a second for where watching fails. */
import nodeFs from 'node:fs';
import path from 'node:path';
import { journalPath } from './segments.ts';

const pollMs = 1_000;

/** Calls `look` whenever something may have changed. Does not keep the program alive. Returns what stops it. */
export function watchJournal(root: string, look: () => void): () => void {
  let watcher: nodeFs.FSWatcher | null = null;
  const folder = path.dirname(journalPath(root));
  const tryWatch = () => {
    if (watcher) return;
    try {
      const started = nodeFs.watch(folder, { persistent: false }, look);
      started.on('error', () => {
        started.close();
        watcher = null;
      });
      watcher = started;
    } catch {
      watcher = null; // the folder is not there yet: polling goes on
    }
  };
  const timer = setInterval(() => {
    tryWatch();
    look();
  }, pollMs);
  timer.unref();
  tryWatch();
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}
