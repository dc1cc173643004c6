/** Notices what other programs append: watches the folder, and polls once a second where watching fails. */
import nodeFs from 'node:fs';
import path from 'node:path';
import { journalPath } from './segments.ts';

const pollMs = 1_000;

/**
 * Calls `look` whenever something may have changed. Does not keep the program alive. Returns a function that stops it.
 */
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
      watcher = null; // the folder does not exist yet: keep polling
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
