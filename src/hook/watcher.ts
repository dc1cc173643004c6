/**
 * The shell that the launcher of this user starts beside a hook (hosts/setup/launcher.ts): it kills a hook that hangs, which
 * denies. Only a hook that is watched does all of its work in one thread; a second one takes longer than everything else.
 */
import type { Given } from './work.ts';

/** First argument of a hook that is watched; then come its own process id and that of the watcher. */
const option = '--watched';

export interface Watched {
  /** Process id of the watcher; null if nothing ends this program when it hangs. */
  readonly watcher: number | null;
  readonly argv: readonly string[];
}

/** Takes the watcher from the arguments, if it exists and watches this very process. */
export function watchedBy(argv: readonly string[], process: Pick<NodeJS.Process, 'pid' | 'kill'>): Watched {
  if (argv[0] !== option) return { watcher: null, argv };
  const [own, watcher] = argv.slice(1, 3).map((id) => (/^[1-9]\d{0,9}$/.test(id) ? Number(id) : null));
  return { watcher: own === process.pid && isAlive(watcher, process) ? (watcher ?? null) : null, argv: argv.slice(3) };
}

/** A killed hook has no output and no exit code of its own, which only the commands that setup writes turn into a denial. */
export function isDeniedWhenKilled({ host, folder }: Given): boolean {
  return host !== 'generic' && folder !== null;
}

/**
 * Ends the watcher of a program that has printed its answer and ends now. Node waits for requests to files and for the
 * addresses of servers before it ends: while there are some, the watcher stays, and ends by itself after this program.
 */
export function dismiss(watcher: number, process: Pick<NodeJS.Process, 'kill' | 'getActiveResourcesInfo'>): void {
  if (process.getActiveResourcesInfo().some((kind) => kind.includes('Req'))) return;
  try {
    process.kill(watcher, 'SIGTERM');
  } catch {
    // It has ended.
  }
}

function isAlive(id: number | null | undefined, process: Pick<NodeJS.Process, 'kill'>): boolean {
  if (id === null || id === undefined) return false;
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
