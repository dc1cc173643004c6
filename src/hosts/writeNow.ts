/** Writes output immediately. Node's `process.stdout` loads its streams, which takes up to 4 ms of each gate. */
import fs from 'node:fs';

const pauseMs = 5;

/**
 * For programs that end with the next statement. Ignores a reader that is gone.
 * @param triesAtMost where writing does not wait for a reader that reads nothing: after so many pauses, the rest is lost
 */
export function writeNow(descriptor: 1 | 2, text: string, triesAtMost = Infinity): void {
  const bytes = Buffer.from(text);
  for (let at = 0, tries = 0; at < bytes.length && tries < triesAtMost;) {
    try {
      at += fs.writeSync(descriptor, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
      tries++;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}
