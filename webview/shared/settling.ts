/**
 * Blocks decisions on content that has just appeared under the pointer: a click meant for something else must not hit
 * it, and a human needs at least half a second to see it. The host also waits (src/vscode/surface/dwell.ts).
 */

export const settleMs = 500;

export interface SettlingOptions {
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly later: (ms: number, run: () => void) => void;
  readonly changed: () => void;
}

export function createSettling({ clock, later, changed }: SettlingOptions) {
  let settledAt = 0;
  return {
    /** Restarts the delay in which clicks do not decide. */
    unsettle: (): void => {
      settledAt = clock() + settleMs;
      later(settleMs + 20, changed);
    },
    settled: (): boolean => clock() >= settledAt,
  };
}
