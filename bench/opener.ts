/**
 * Opens one store and reports the time and memory: `opener.ts <folder> <home>`, with --expose-gc. With one argument: a
 * database with native SQLite.
 */
import { openNative } from './native.ts';
import { openPlace } from './seed.ts';

export interface Opened {
  /** Time to a usable store, including loading SQLite. */
  readonly ms: number;
  /** Of the whole process, and of its JavaScript heap. Bytes. */
  readonly rss: number;
  readonly heap: number;
  /** Before opening anything. */
  readonly before: { readonly rss: number; readonly heap: number };
}

function memory(): { rss: number; heap: number } {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heap: heapUsed };
}

async function open(folder: string, home: string | undefined): Promise<unknown> {
  if (home !== undefined) return (await openPlace({ folder, home }).store()).read();
  const db = openNative(folder);
  // Reads everything, because Holdpoint reads the whole file to hash it.
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
  for (const { name } of tables) db.prepare(`SELECT count(*) FROM "${name}" NOT INDEXED`).get();
  return db;
}

const [, , folder = '', home] = process.argv;
const before = memory();
const began = performance.now();
const opened = await open(folder, home);
const ms = performance.now() - began;
const figures: Opened = { ms, ...memory(), before };
process.send?.({ ...figures, held: opened !== null });
process.disconnect();
process.exit(); // not closed: that would write a snapshot for the next program
