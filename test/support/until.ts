/** Waits by polling, for conditions without an event. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 100;
/** As long as the browser's own waits: only what never comes takes it all. */
const atMostMs = 30_000;

/** @param what - what is said when it does not come */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + atMostMs;
  while (!(await holds())) {
    if (Date.now() > end) assert.fail(`never: ${what}`);
    await pause(everyMs);
  }
}
