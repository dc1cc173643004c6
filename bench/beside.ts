/**
 * `node bench/beside.ts CHECKOUT`: durable commits of this checkout beside those of another one (an earlier commit, with
 * its packages installed), in turns. Each makes its own store of the same questions: a snapshot of another version would not
 * count, and a store that was replayed differs from one that was loaded.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../test/support/temporary.ts';
import { machineLine, table } from './document.ts';
import { copySeed, makeSeed } from './seed.ts';
import { quantile, short, spread, thousands } from './stats.ts';
import { startWriters } from './writers.ts';
import type { Round, Writers } from './writers.ts';

const rounds = 16;
const perRound = 200;

const [, , other] = process.argv;
if (other === undefined) throw new Error('usage: node bench/beside.ts CHECKOUT');
const script = path.resolve(other, 'bench', 'writer.ts');
const theirs = (await import(pathToFileURL(path.resolve(other, 'bench', 'seed.ts')).href)) as {
  makeSeed: typeof makeSeed;
};

const temporary = await temporaryFolder();
const rows: string[][] = [];
try {
  for (const records of [1_000, 10_000]) {
    const seeds = [
      await makeSeed(temporary.folder, records),
      await theirs.makeSeed(temporary.folder, records),
    ] as const;
    for (const programs of [1, 4, 8]) {
      const places = [copySeed(temporary.folder, seeds[0]), copySeed(temporary.folder, seeds[1])] as const;
      const [now, before] = await Promise.all([
        startWriters('holdpoint', programs, places[0].folder, places[0].home),
        startWriters({ way: 'holdpoint', script }, programs, places[1].folder, places[1].home),
      ]);
      rows.push([thousands(records), String(programs), ...cells(await inTurns(now, before))]);
      await Promise.all([now.close(), before.close()]);
    }
  }
} finally {
  await temporary.remove();
}
console.log(machineLine());
console.log(table(['records', 'programs', 'this checkout', 'the other', 'ratio of pairs', 'p95, both'], rows));

async function inTurns(now: Writers, before: Writers): Promise<[Round, Round][]> {
  const pairs: [Round, Round][] = [];
  for (let round = -2; round < rounds; round++) {
    const first = round % 2 === 0 ? now : before;
    const second = first === now ? before : now;
    const taken = [await first.round(perRound, 5_000), await second.round(perRound, 5_000)] as [Round, Round];
    // The first rounds are for the compiler.
    if (round >= 0) pairs.push(first === now ? taken : [taken[1], taken[0]]);
  }
  return pairs;
}

function cells(pairs: readonly [Round, Round][]): string[] {
  const [now, before] = [pairs.map(([round]) => round), pairs.map(([, round]) => round)];
  const p95 = (all: readonly Round[]) =>
    short(
      quantile(
        all.flatMap(({ took }) => took),
        0.95,
      ),
    );
  return [
    ...[now, before].map((all) => `${spread(all.map(({ perCommit }) => perCommit))} ms`),
    spread(pairs.map(([one, two]) => one.perCommit / two.perCommit)),
    `${p95(now)} / ${p95(before)} ms`,
  ];
}
