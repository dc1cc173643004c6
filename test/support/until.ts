/** Waits by polling, for conditions without an event. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const everyMs = 100;
/** Long enough for two editors and an agent on a busy machine; only a failing wait takes that long. */
export const atMostMs = 60_000;

/** @param what - the message of a timeout */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + atMostMs;
  while (!(await holds())) {
    if (Date.now() > end) assert.fail(`never: ${what}`);
    await pause(everyMs);
  }
}
