/** Notices what other programs write: watches a folder, and polls as well, because watching can fail. */
import nodeFs from 'node:fs';
import path from 'node:path';
import { journalPath, errorCode, type FileSystem } from './files.ts';

/** How often a watch that failed is tried again: the folder may not exist yet. Milliseconds. */
const tickMs = 1_000;

/** Calls `look` whenever the journal of a root may have changed. Returns a function that stops it. */
export function watchJournal(root: string, look: () => void): () => void {
  return watchFolder(path.dirname(journalPath(root)), look, tickMs);
}

/**
 * Calls `look` whenever something in a folder may have changed, and each `everyMs`. Does not keep the program alive.
 * Returns a function that stops it.
 */
export function watchFolder(folder: string, look: () => void, everyMs: number): () => void {
  let watcher: nodeFs.FSWatcher | null = null;
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
      watcher = null; // the folder does not exist yet: try again
    }
  };
  let since = 0;
  const timer = setInterval(() => {
    const watched = watcher !== null;
    tryWatch();
    since += tickMs;
    // What was written before the watch began is found here.
    if (since < everyMs && (watched || watcher === null)) return;
    since = 0;
    look();
  }, tickMs);
  timer.unref();
  tryWatch();
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}

/** Changes whenever the journal of a root, or one of the further files, does. */
export function markOfFiles(fs: FileSystem, root: string, ...further: readonly string[]): string {
  return [journalPath(root), ...further].map((file) => markOf(fs, file)).join(' / ');
}

function markOf(fs: FileSystem, file: string): string {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    return stat ? `${String(stat.ino)} ${String(stat.size)} ${String(stat.mtimeMs)}` : 'none';
  } catch (error) {
    return errorCode(error) ?? 'error';
  }
}
