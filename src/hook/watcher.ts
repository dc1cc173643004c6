/**
 * What ends a hook that hangs: the shell that the launcher starts beside it (hosts/setup/launcher.ts), else a thread that only
 * waits. The commands that setup writes deny for a hook that was killed.
 */
import type { Printed } from '../hosts/call.ts';

/** First argument of a hook that is watched; then come its own process id and that of the watcher. */
const option = '--watched';

export interface Watched {
  /** Process id of the watcher; null if no shell ends this program when it hangs. */
  readonly watcher: number | null;
  readonly argv: readonly string[];
}

/** Takes the watcher from the arguments, if it exists and watches this very process. */
export function watchedBy(argv: readonly string[], process: Pick<NodeJS.Process, 'pid' | 'kill'>): Watched {
  if (argv[0] !== option) return { watcher: null, argv };
  const [own, watcher] = argv.slice(1, 3).map((id) => (/^[1-9]\d{0,9}$/.test(id) ? Number(id) : null));
  return { watcher: own === process.pid && isAlive(watcher, process) ? (watcher ?? null) : null, argv: argv.slice(3) };
}

/**
 * Ends the watcher of a program that has printed its answer and ends now. Node waits for requests to files and for the
 * addresses of servers before it ends: while there are some, the watcher stays, and ends by itself after this program.
 */
export function dismiss(watcher: number, process: Pick<NodeJS.Process, 'kill' | 'getActiveResourcesInfo'>): void {
  if (hasRequests(process)) return;
  try {
    process.kill(watcher, 'SIGTERM');
  } catch {
    // It has ended.
  }
}

export function hasRequests(process: Pick<NodeJS.Process, 'getActiveResourcesInfo'>): boolean {
  return process.getActiveResourcesInfo().some((kind) => kind.includes('Req'));
}

/** A second after this program should have denied by itself, as the launcher's shell. Milliseconds. */
const endsAfter = 6_000;

const waiting = `const { out, err } = require('node:worker_threads').workerData, { writeSync } = require('node:fs');
setTimeout(() => {
  for (const [descriptor, text] of [[1, out], [2, err]])
    try { if (text !== '') writeSync(descriptor, text + '\\n'); } catch {}
  process.kill(process.pid, 'SIGKILL');
}, ${String(endsAfter)});`;

/** @param denial what is printed then */
export async function endWhenHanging({ out, err }: Printed): Promise<void> {
  // Hooks with a watcher load no threads.
  const { Worker } = await import('node:worker_threads');
  new Worker(waiting, { eval: true, workerData: { out, err } }).unref();
}

function isAlive(id: number | null | undefined, process: Pick<NodeJS.Process, 'kill'>): boolean {
  if (id === null || id === undefined) return false;
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
