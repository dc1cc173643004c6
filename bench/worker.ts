/** Does one thing with a store in a program of its own: `worker.ts <job> <folder> <home>`. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { briefingOf } from '../src/app/memory/briefing.ts';
import { searchEvents } from '../src/app/memory/events.ts';
import { journalPath } from '../src/store/journal/files.ts';
import { openPlace } from './seed.ts';

export type Job = 'open' | 'replay' | 'thousand';

/** Milliseconds: by the clock, and of processor time, which other programs of the machine hardly change. */
export interface Took {
  readonly ms: number;
  readonly own: number;
}

export type Worked = Readonly<Record<string, readonly Took[]>>;

const [, , job, folder = '', home = ''] = process.argv;
process.send?.(job === 'open' ? await open() : await replay(job === 'thousand' ? 1_000 : Infinity));
process.disconnect();
process.exit(); // not closed: that would save for the next program

/** From nothing to a store that answers, SQLite among it; then what agents and views ask. */
async function open(): Promise<Worked> {
  const workspace = openPlace({ folder, home });
  const pauses = watchPauses();
  await sleep(50);
  const opening = await timed(() => workspace.store());
  await sleep(50);
  const longest = pauses();
  const view = (await workspace.store()).read();
  const rounds = Array.from({ length: 40 }, (_, round) => round);
  const part = (round: number) => `lib/part-${String(round * 70)}`;
  // The first of each reads what the others use: it is the slowest, and is counted.
  const briefing = await all(rounds, (round) => briefingOf(workspace, view, { focus: part(round) }));
  const search = await all(rounds, (round) => searchEvents(view, { words: `empty key ${String(round * 100)}` }));
  return { opening: [opening], pause: [longest], briefing, search };
}

/** As a program that finds no saved file, so far. */
async function replay(lines: number): Promise<Worked> {
  let read = 0;
  const workspace = openPlace({ folder, home });
  const ledger = workspace.replay(() => read++);
  const size = fs.statSync(journalPath(folder)).size;
  const took = await timed(() => {
    while (read < lines && ledger.catchUp(lines === Infinity ? size : 32 * 1024));
  });
  if (ledger.problem) throw new Error(ledger.problem.message);
  return { [path.basename(job ?? '')]: [took], lines: [{ ms: read, own: read }] };
}

async function all(rounds: readonly number[], act: (round: number) => unknown): Promise<Took[]> {
  const took: Took[] = [];
  for (const round of rounds) took.push(await timed(() => act(round)));
  return took;
}

function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

async function timed(act: () => unknown): Promise<Took> {
  const [now, before] = [performance.now(), used()];
  await act();
  return { ms: performance.now() - now, own: used() - before };
}

/** @returns ends the watch, with the longest time that a timer had to wait */
function watchPauses(): () => Took {
  let longest: Took = { ms: 0, own: 0 };
  let last: Took = { ms: performance.now(), own: used() };
  const timer = setInterval(() => {
    const now = { ms: performance.now(), own: used() };
    longest = { ms: Math.max(longest.ms, now.ms - last.ms), own: Math.max(longest.own, now.own - last.own) };
    last = now;
  }, 2);
  return () => {
    clearInterval(timer);
    return longest;
  };
}
