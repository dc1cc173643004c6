/**
 * The longest pause of an event loop. Both functions are self-contained, because they are sent to extension hosts too.
 */

export interface LongestPause {
  /** Milliseconds without a turn for a timer. */
  readonly ms: number;
  /** Milliseconds of processor time in one such pause: what a machine without other work would take. */
  readonly own: number;
}

interface Watched {
  readonly timer: NodeJS.Timeout;
  longest: LongestPause;
}

/** Replaces an earlier watch. */
export function watchPauses(): void {
  const scope = globalThis as { watchedPauses?: Watched };
  clearInterval(scope.watchedPauses?.timer);
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let last = { now: performance.now(), used: used() };
  const timer = setInterval(() => {
    const now = { now: performance.now(), used: used() };
    const { ms, own } = watched.longest;
    watched.longest = { ms: Math.max(ms, now.now - last.now), own: Math.max(own, now.used - last.used) };
    last = now;
  }, 2);
  const watched: Watched = { timer, longest: { ms: 0, own: 0 } };
  scope.watchedPauses = watched;
}

/** Ends the watch. */
export function longestPause(): LongestPause {
  const { watchedPauses } = globalThis as { watchedPauses?: Watched };
  clearInterval(watchedPauses?.timer);
  return watchedPauses?.longest ?? { ms: NaN, own: NaN };
}
