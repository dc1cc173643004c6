/** Durable commits: Holdpoint, native SQLite and other alternatives, in turns. The lower limit is one flush. */
import fs from 'node:fs';
import path from 'node:path';
import { table } from './document.ts';
import { nativeName, openNative } from './native.ts';
import { met, type Part } from './part.ts';
import { copySeed, snapshotFile, type Seed } from './seed.ts';
import { median, quantile, short, thousands, spread } from './stats.ts';
import { startWriters, type Round, type Writers } from './writers.ts';
import type { Way } from './writer.ts';

export const commits: Part = {
  name: 'commits',
  what: 'a durable commit at 1,000 and 10,000 records by 1 and 8 programs, against one flush and native SQLite',
  minutes: 8,
  async run({ folder, quick, say, seed }) {
    const programs = [1, 8];
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
      `Milliseconds for one acknowledged commit, whichever program made it. Native is ${nativeName()}, WAL, \`synchronous=FULL\`, the same tables and indexes. Holdpoint, native and the limit (one write and flush of 1,200 bytes) take turns.`,
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

async function measureCommits(
  parent: string,
  seed: Seed,
  records: number,
  writers: number,
  plan: Plan,
): Promise<CommitFigures> {
  const place = copySeed(parent, seed);
  const fileOf = (way: Way) => path.join(place.home, `${way}.sqlite`);
  // Few enough not to change the store's size much, many enough to outweigh the start.
  const perRound = Math.min(400, Math.max(100, records / 50));
  const running: Writers[] = [];
  const took = new Map<Way, Round[]>();
  const start = async (way: Way) => {
    if (way === 'native') {
      fs.copyFileSync(snapshotFile(seed), fileOf(way));
      openNative(fileOf(way)).close(); // sets the journal mode once
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
    const turns = [
      ['holdpoint', await start('holdpoint')],
      ['native', await start('native')],
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
  const [ours, theirs] = [roundsOf('holdpoint'), roundsOf('native')];
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

const goals = { ratio: 2, p95: 100 };

function commitTable(all: readonly CommitFigures[]): string {
  return table(
    [
      'records',
      'programs',
      'Holdpoint',
      'native',
      'Holdpoint / native',
      'p95, both',
      'limit: one flush',
      'goal',
      'met',
    ],
    all.map(({ records, writers, perCommit, ratios, p95 }) => [
      thousands(records),
      String(writers),
      ...[perCommit.holdpoint, perCommit.native, ratios].map((values = []) => spread(values)),
      `${short(p95.holdpoint)} / ${short(p95.native)}`,
      short(median(perCommit.flush ?? [])),
      ...(writers === 1
        ? [`at most ${String(goals.ratio)} times native`, met(median(ratios), goals.ratio)]
        : [`p95 under ${String(goals.p95)} ms`, met(p95.holdpoint, goals.p95)]),
    ]),
  );
}
