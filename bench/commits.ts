/** Durable commits: Holdpoint, native SQLite and sql.js with an export per write, in turns. */
import fs from 'node:fs';
import path from 'node:path';
import { openNative } from './native.ts';
import { copySeed, snapshotFile } from './seed.ts';
import type { Seed } from './seed.ts';
import { median, quantile } from './stats.ts';
import { startWriters } from './writers.ts';
import type { Round, Writers } from './writers.ts';

export interface CommitFigures {
  readonly records: number;
  readonly writers: number;
  /** Milliseconds for one acknowledged commit, round by round. */
  readonly holdpoint: readonly number[];
  readonly native: readonly number[];
  readonly exporting: readonly number[];
  /** Holdpoint against native, round by round. */
  readonly ratios: readonly number[];
  /** 95 % of single commits took less. Milliseconds. */
  readonly p95: { readonly holdpoint: number; readonly native: number };
}

export interface CommitOptions {
  readonly rounds: number;
  /** Rounds in which sql.js takes part. */
  readonly exportingRounds: number;
  /** Longest round, milliseconds. */
  readonly roundMs: number;
}

export async function measureCommits(
  parent: string,
  seed: Seed,
  records: number,
  writers: number,
  options: CommitOptions,
): Promise<CommitFigures> {
  const place = copySeed(parent, seed);
  const native = path.join(place.home, 'native.sqlite');
  const exported = path.join(place.home, 'exported.sqlite');
  for (const file of [native, exported]) fs.copyFileSync(snapshotFile(seed), file);
  // Few enough that the store does not become another size, enough that one round is more than its start.
  const perRound = Math.min(400, Math.max(100, records / 50));
  const running: Writers[] = [];
  const start = async (...of: Parameters<typeof startWriters>) => {
    const started = await startWriters(...of);
    running.push(started);
    return started;
  };
  try {
    openNative(native).close(); // makes it a WAL database, once
    const ours = await start('holdpoint', writers, place.folder, place.home);
    const theirs = await start('native', writers, native);
    const sqlJs = await start('sql.js', writers, exported);
    const rounds: { ours: Round; theirs: Round; sqlJs: Round | null }[] = [];
    // One round that does not count, for the compiler.
    for (const each of [ours, theirs]) await each.round(perRound, options.roundMs);
    for (let round = 0; round < options.rounds; round++) {
      const first = round % 2 === 0;
      const before = first ? null : await theirs.round(perRound, options.roundMs);
      const mine = await ours.round(perRound, options.roundMs);
      rounds.push({
        ours: mine,
        theirs: before ?? (await theirs.round(perRound, options.roundMs)),
        sqlJs: round < options.exportingRounds ? await sqlJs.round(perRound, options.roundMs / 2) : null,
      });
    }
    const p95 = (all: readonly Round[]) =>
      quantile(
        all.flatMap(({ took }) => took),
        0.95,
      );
    return {
      records,
      writers,
      holdpoint: rounds.map((round) => round.ours.perCommit),
      native: rounds.map((round) => round.theirs.perCommit),
      exporting: rounds.flatMap((round) => round.sqlJs?.perCommit ?? []),
      ratios: rounds.map((round) => round.ours.perCommit / round.theirs.perCommit),
      p95: { holdpoint: p95(rounds.map(({ ours }) => ours)), native: p95(rounds.map(({ theirs }) => theirs)) },
    };
  } finally {
    for (const each of running) await each.close();
    fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
  }
}

/** How much a commit costs more with many records than with few. */
export function growth(few: CommitFigures, many: CommitFigures): number {
  return median(many.holdpoint) / median(few.holdpoint);
}
