/** Time and memory for opening a store, with and without its snapshot, compared with native SQLite. */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { table } from './document.ts';
import { nativeName } from './native.ts';
import type { Opened } from './opener.ts';
import type { Part } from './part.ts';
import { copySeed, snapshotFile } from './seed.ts';
import type { Seed } from './seed.ts';
import { median, short, thousands, spread } from './stats.ts';
import { message } from './writers.ts';

export const opening: Part = {
  name: 'opening',
  what: 'opening a store of 1,000 and 10,000 questions with its snapshot and without, and its memory, against native SQLite opening the same file',
  minutes: 4,
  async run({ folder, quick, say, seed }) {
    const all: OpeningFigures[] = [];
    for (const records of [1_000, 10_000]) {
      const made = await seed(records);
      say(`  ${thousands(records)} records`);
      all.push(await measureOpening(folder, made, records, quick ? 2 : 4));
    }
    return [
      '### Opening a store, and memory',
      `In a program of its own, from nothing to a store that answers: SQLite is loaded within that time. Of a large snapshot, a program reads what it needs, and checks each block by its hash. The limit is ${nativeName()} loaded and opening the same file, with every page of it read once. Memory is the whole program’s, and in brackets how much of it came with the store.`,
      openingTable(all),
    ].join('\n\n');
  },
};

interface OpeningFigures {
  readonly records: number;
  readonly native: readonly Opened[];
  readonly withSnapshot: readonly Opened[];
  readonly without: readonly Opened[];
}

async function measureOpening(parent: string, seed: Seed, records: number, rounds: number): Promise<OpeningFigures> {
  const places = [copySeed(parent, seed, true), copySeed(parent, seed, false)] as const;
  // A copy, because opening a database changes it.
  const database = path.join(path.dirname(places[0].folder), 'native.sqlite');
  fs.copyFileSync(snapshotFile(seed), database);
  const withSnapshot: Opened[] = [];
  const without: Opened[] = [];
  const native: Opened[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      withSnapshot.push(await openOnce(places[0].folder, places[0].home));
      without.push(await openOnce(places[1].folder, places[1].home));
      native.push(await openOnce(database));
    }
  } finally {
    for (const { folder } of places) fs.rmSync(path.dirname(folder), { recursive: true, force: true });
  }
  return { records, withSnapshot, without, native };
}

async function openOnce(...where: string[]): Promise<Opened> {
  const program = fork(path.join(import.meta.dirname, 'opener.ts'), where, { execArgv: ['--expose-gc'] });
  return (await message(program)) as Opened;
}

function openingTable(all: readonly OpeningFigures[]): string {
  const megabytes = (bytes: number) => String(Math.round(bytes / 2 ** 20));
  const row = ({ records, native }: OpeningFigures, how: string, opened: readonly Opened[]) => {
    const memory = (of: 'rss' | 'heap') => {
      const after = median(opened.map((each) => each[of]));
      const before = median(opened.map((each) => each.before[of]));
      return `${megabytes(after)} MB (+${megabytes(after - before)})`;
    };
    const times = opened.map(({ ms }) => ms);
    const ratio =
      opened === native ? 'the limit' : `${short(median(times) / median(native.map(({ ms }) => ms)))} times`;
    return [thousands(records), how, `${spread(times)} ms`, ratio, memory('rss'), memory('heap')];
  };
  return table(
    ['records', 'how', 'time', 'against native', 'RSS', 'JavaScript heap'],
    all.flatMap((each) => [
      row(each, 'native SQLite', each.native),
      row(each, 'with its snapshot', each.withSnapshot),
      row(each, 'replaying its journal', each.without),
    ]),
  );
}
