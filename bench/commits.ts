/** Durable commits: Holdpoint, native SQLite and other alternatives, in turns. The lower limit is one flush. */
import fs from 'node:fs';
import path from 'node:path';
import { table } from './document.ts';
import { nativeName, nativeSqlite, openNative, versionOf } from './native.ts';
import { met } from './part.ts';
import type { Part } from './part.ts';
import { copySeed, snapshotFile } from './seed.ts';
import type { Seed } from './seed.ts';
import { median, quantile, short, thousands, spread } from './stats.ts';
import { startWriters } from './writers.ts';
import type { Round, Writers } from './writers.ts';
import type { Way } from './writer.ts';

export const commits: Part = {
  name: 'commits',
  what: 'a durable commit at 1,000 and 10,000 records by 1 to 8 programs, against one flush, native SQLite, node:sqlite, node-sqlite3-wasm and sql.js',
  minutes: 8,
  async run({ folder, quick, say, seed }) {
    const programs = quick ? [1, 8] : [1, 2, 4, 8];
    const all: CommitFigures[] = [];
    for (const records of [1_000, 10_000])
      for (const writers of programs) {
        const made = await seed(records);
        say(`  ${thousands(records)} records, ${String(writers)} at once`);
        const plan = quick ? { rounds: 5, forMs: 5_000, roundMs: 300 } : { rounds: 12, forMs: 9_000, roundMs: 350 };
        all.push(await measureCommits(folder, made, records, writers, plan));
      }
    return [
      '### Durable commit',
      `Milliseconds for one acknowledged commit, whichever program made it. Native is ${nativeName()}, WAL, \`synchronous=FULL\`, the same tables and indexes. Holdpoint, native and the limit (one write and flush of 1,200 bytes) take turns through all rounds; the others through the first. node-sqlite3-wasm (${versionOf('node-sqlite3-wasm') ?? 'not installed'}) has no WAL; sql.js exports the whole file for each write. “–”: no such package here, or one of its programs gave up waiting.`,
      commitTable(all),
    ].join('\n\n');
  },
};

interface CommitFigures {
  readonly records: number;
  readonly writers: number;
  /** Milliseconds per acknowledged commit, for each round. */
  readonly perCommit: Readonly<Partial<Record<Way, readonly number[]>>>;
  /** Ratio of Holdpoint to native SQLite, for each round. */
  readonly ratios: readonly number[];
  /** 95th percentile of single commits. Milliseconds. */
  readonly p95: { readonly holdpoint: number; readonly native: number };
}

interface Plan {
  readonly rounds: number;
  /** No new round after this time, but at least three. Milliseconds. */
  readonly forMs: number;
  /** Longest round of one way. Milliseconds. */
  readonly roundMs: number;
}

/** Number of rounds for the far slower ways, and when one is enough. Milliseconds. */
const slowRounds = 2;
const slowMs = 2_000;

async function measureCommits(
  parent: string,
  seed: Seed,
  records: number,
  writers: number,
  plan: Plan,
): Promise<CommitFigures> {
  const place = copySeed(parent, seed);
  const native = nativeSqlite();
  const fileOf = (way: Way) => path.join(place.home, `${way.replace(':', '-')}.sqlite`);
  // Few enough not to change the store's size much, many enough to outweigh the start.
  const perRound = Math.min(400, Math.max(100, records / 50));
  const others = (['node:sqlite', 'node-sqlite3-wasm', 'sql.js'] as const).filter(
    (way) => way !== native && (way === 'sql.js' || versionOf(way) !== null),
  );
  const running: Writers[] = [];
  const took = new Map<Way, Round[]>();
  const start = async (way: Way) => {
    if (way !== 'holdpoint' && way !== 'flush') {
      fs.copyFileSync(snapshotFile(seed), fileOf(way));
      if (way !== 'sql.js') openNative(fileOf(way), way).close(); // sets the journal mode once
    }
    const started = await startWriters(
      way,
      writers,
      ...(way === 'holdpoint' ? [place.folder, place.home] : [fileOf(way)]),
    );
    running.push(started);
    return started;
  };
  const turn = async (way: Way, of: Writers, forMs = plan.roundMs) => {
    const round = await of.round(perRound, forMs);
    took.set(way, [...(took.get(way) ?? []), round]);
  };
  const stop = async () => {
    for (const each of running.splice(0)) await each.close();
  };
  try {
    for (const way of others) {
      try {
        const writing = await start(way);
        const until = performance.now() + slowMs;
        for (let round = 0; round < slowRounds && (round === 0 || performance.now() < until); round++)
          await turn(way, writing, plan.roundMs / 2);
      } catch {
        took.delete(way); // one of its programs failed to open; see its output
      }
      await stop();
      fs.rmSync(fileOf(way));
    }
    const turns = [
      ['holdpoint', await start('holdpoint')],
      [native, await start(native)],
      ['flush', await start('flush')],
    ] as const;
    // A warm-up round for the compiler, not counted.
    for (const [, writing] of turns) await writing.round(perRound, plan.roundMs);
    const until = performance.now() + plan.forMs;
    for (let round = 0; round < plan.rounds && (round < 3 || performance.now() < until); round++)
      for (const [way, writing] of round % 2 === 0 ? turns : [...turns].reverse()) await turn(way, writing);
  } finally {
    await stop();
    fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
  }
  const roundsOf = (way: Way) => took.get(way) ?? [];
  const [ours, theirs] = [roundsOf('holdpoint'), roundsOf(native)];
  const p95 = (all: readonly Round[]) =>
    quantile(
      all.flatMap((round) => round.took),
      0.95,
    );
  return {
    records,
    writers,
    perCommit: Object.fromEntries([...took].map(([way, all]) => [way, all.map(({ perCommit }) => perCommit)])),
    ratios: ours.map(({ perCommit }, round) => perCommit / (theirs[round]?.perCommit ?? NaN)),
    p95: { holdpoint: p95(ours), native: p95(theirs) },
  };
}

const goal = 1.5;
const atMost = 3;

function commitTable(all: readonly CommitFigures[]): string {
  const native = nativeSqlite();
  const verdict = (ratio: number) =>
    ratio > goal && ratio <= atMost ? `no, but within ${String(atMost)}` : met(ratio, goal);
  const middle = (values: readonly number[] = []) => (values.length === 0 ? '–' : short(median(values)));
  return table(
    [
      ...['records', 'programs', 'Holdpoint', 'native', 'Holdpoint / native', 'goal', 'met', 'p95, both'],
      ...['limit: one flush', 'node:sqlite', 'node-sqlite3-wasm', 'sql.js'],
    ],
    all.map(({ records, writers, perCommit, ratios, p95 }) => [
      thousands(records),
      String(writers),
      spread(perCommit.holdpoint ?? []),
      spread(perCommit[native] ?? []),
      spread(ratios),
      `at most ${String(goal)}`,
      verdict(median(ratios)),
      `${short(p95.holdpoint)} / ${short(p95.native)}`,
      ...(['flush', 'node:sqlite', 'node-sqlite3-wasm', 'sql.js'] as const).map((way) => middle(perCommit[way])),
    ]),
  );
}
