/** A program that works with a store of the sizes that Holdpoint is built for: opening it, reading its journal, briefing, search. */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { table } from './document.ts';
import { met, type Part } from './part.ts';
import { copySeed, type Place } from './seed.ts';
import { makeFullSeed } from './sizes.ts';
import { median, quantile, short } from './stats.ts';
import type { Job, Worked } from './worker.ts';
import { message } from './writers.ts';

/** By the name of the figure: what it is, and its goal in milliseconds. */
const figures: readonly (readonly [name: string, what: string, goal: number])[] = [
  ['opening', 'opening the store, SQLite loaded within that time', 400],
  ['pause', 'the longest pause of that program while it does', 50],
  ['briefing', 'a briefing', 30],
  ['search', 'a search', 100],
  ['thousand', 'reading the first 1,000 lines of the journal, without any file', 150],
  ['replay', 'reading all of its lines', 6_000],
];

export const atSizes: Part = {
  name: 'sizes',
  what: 'opening a store of those sizes, the pause, briefing and search, and reading its journal without any file',
  minutes: 10,
  async run({ folder, quick }) {
    const made = await makeFullSeed(folder);
    const [saved, bare] = [copySeed(folder, made, true), copySeed(folder, made, false)];
    const all: Worked[] = [];
    try {
      for (let round = 0; round < (quick ? 2 : 6); round++)
        all.push(await work(saved, 'open'), await work(bare, 'thousand'), await work(bare, 'replay'));
    } finally {
      for (const { folder: place } of [saved, bare]) fs.rmSync(path.dirname(place), { recursive: true, force: true });
    }
    const rows = figures.map(([name, what, goal]) => {
      const took = all.flatMap((one) => one[name] ?? []);
      const own = took.map((one) => one.own);
      const cells = [took.map(({ ms }) => ms), own].map((ms) => `${short(median(ms))} (${short(quantile(ms, 0.95))})`);
      return [what, ...cells, `at most ${String(goal)}`, met(median(own), goal)];
    });
    const lines = all.flatMap((one) => ('replay' in one ? (one['lines'] ?? []) : []))[0]?.ms ?? 0;
    return [
      '### A store with 500 open and 20,000 closed questions, 3,000 work items and 20,000 events',
      `Milliseconds: the median and, in brackets, the 95th percentile. The goal is for processor time of the thread, which a busy machine changes little. The journal has ${String(lines)} lines; for 20,000 of them the goal is 3,000.`,
      table(['what', 'by the clock', 'processor time', 'goal', 'met'], rows),
    ].join('\n\n');
  },
};

async function work({ folder, home }: Place, job: Job): Promise<Worked> {
  return (await message(fork(path.join(import.meta.dirname, 'worker.ts'), [job, folder, home]))) as Worked;
}
