/**
 * A form takes no decision in its first moment: a click or key meant for what was on the screen before, or software that
 * is faster than any eye, decides nothing. The page waits as well (webview/shared/settling.ts); this does not trust it.
 */

/** A little less than the page's half second, which begins when it gets what was sent. */
const dwellMs = 450;

export interface Dwell {
  /** Something else is on the screen from now on. */
  begin(): void;
  isOver(): boolean;
}

/** @param clock milliseconds, from anywhere, never back */
export function createDwell(clock: () => number = () => performance.now()): Dwell {
  let since = Infinity;
  return {
    begin() {
      since = clock();
    },
    isOver: () => clock() - since >= dwellMs,
  };
}
