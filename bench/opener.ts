/** Opens one store and says how long that took and what it takes up: `opener.ts <folder> <home>`, with --expose-gc. */
import { openPlace } from './seed.ts';

export interface Opened {
  /** From nothing to a store that answers, loading SQLite included. */
  readonly ms: number;
  /** Of the whole program, and of its JavaScript objects. Bytes. */
  readonly rss: number;
  readonly heap: number;
  /** The program before it opened anything. */
  readonly before: { readonly rss: number; readonly heap: number };
}

function memory(): { rss: number; heap: number } {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heap: heapUsed };
}

const [, , folder = '', home = ''] = process.argv;
const before = memory();
const began = performance.now();
const store = await openPlace({ folder, home }).store();
store.read();
const ms = performance.now() - began;
const opened: Opened = { ms, ...memory(), before };
process.send?.(opened);
process.disconnect();
process.exit(); // not closed: that would write a snapshot for the next one
