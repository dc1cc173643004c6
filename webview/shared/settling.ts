/**
 * What was just put under the pointer is not decided on: a click begun on something else must not land on it.
 */

export const settleMs = 350;

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
