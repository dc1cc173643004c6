/**
 * What was just put under the pointer is not decided on: a click begun on something else must not land on it, and half a
 * second is the least in which a human can have seen what it is. The host waits too (src/vscode/surface/dwell.ts).
 */

export const settleMs = 500;

export interface SettlingOptions {
  /** Milliseconds, from anywhere, never back. */
  readonly clock: () => number;
  readonly later: (ms: number, run: () => void) => void;
  readonly changed: () => void;
}

export function createSettling({ clock, later, changed }: SettlingOptions) {
  let settledAt = 0;
  return {
    /** Restarts the moment in which clicks do not decide. */
    unsettle: (): void => {
      settledAt = clock() + settleMs;
      later(settleMs + 20, changed);
    },
    settled: (): boolean => clock() >= settledAt,
  };
}
