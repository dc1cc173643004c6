/** `holdpoint gate` on a fresh copy of a shared journal beside a local one, and how soon an outage is seen. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshnessOf } from '../../src/app/workspace/freshness.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { databaseUrl } from '../../src/store/shared/login.ts';
import { root } from '../../test/support/host.ts';
import { table } from '../document.ts';
import { met } from '../part.ts';
import { inTurns, timed } from '../programs.ts';
import type { Run } from '../programs.ts';
import { copySeed, environmentOf } from '../seed.ts';
import type { Place } from '../seed.ts';
import { median, quantile, short, spread } from '../stats.ts';
import type { Stores } from './appends.ts';
import { openShared } from './open.ts';

/** Of a fresh copy's gate as a multiple of the local one. */
const goal = 1.1;

export async function gateTable({ folder, team, seed, shared }: Stores, rounds: number): Promise<string> {
  const place = copySeed(folder, seed);
  const [kept, alone] = [shared.machine(), shared.machine()];
  const run = (at: Place): Run => ({
    what: at.folder,
    args: [path.join(root, 'dist', 'cli.mjs'), '--workspace', at.folder, 'gate', '--file', 'docs/readme.md'],
    env: { ...environmentOf(at), [databaseUrl]: team.url('ada_agent') },
    ends: 0,
  });
  const keeper = await keep(kept, team.url('ada_agent'));
  try {
    const [local = [], fresh = []] = await inTurns([run(place), run(kept)], { rounds, forMs: 60_000 });
    const asking: number[] = [];
    const stale = openShared(alone, team.url('ada_agent'));
    for (let round = 0; round < rounds / 3; round++) {
      fs.rmSync(stale.confirmed.path, { force: true });
      asking.push(await timed(run(alone)));
    }
    const row = (what: string, took: readonly number[], ratio: number, ...end: string[]) => [
      ...[what, `${short(median(took))} ms`, `${short(quantile(took, 0.95))} ms`, `${short(ratio)} times`, ...end],
    ];
    const pairs = median(fresh.map((took, round) => took / (local[round] ?? NaN)));
    return table(
      ['`holdpoint gate`', 'p50', 'p95', 'against local, median of pairs', 'goal', 'met'],
      [
        row('local', local, 1, 'none', ''),
        row(
          'shared, the copy was confirmed within 5 s',
          fresh,
          pairs,
          `at most ${String(goal)} times`,
          met(pairs, goal),
        ),
        row('shared, nothing confirmed: it asks the server', asking, median(asking) / median(local), 'none', ''),
      ],
    );
  } finally {
    keeper.close();
  }
}

/** A program that follows the server, as an editor does. */
async function keep(place: Place, url: string): Promise<Workspace> {
  const workspace = openShared(place, url);
  workspace.onChange(() => undefined);
  await until(() => isCurrent(workspace));
  return workspace;
}

const isCurrent = (workspace: Workspace) => freshnessOf(workspace).state === 'current';

/** Milliseconds until it is so. */
async function until(condition: () => boolean): Promise<number> {
  const began = performance.now();
  while (!condition()) {
    if (performance.now() - began > 60_000) throw new Error('nothing changed within a minute');
    await sleep(10);
  }
  return performance.now() - began;
}

const seenGoal = 5_000;
const backGoal = 2_000;

export async function outageTable({ team, shared }: Stores, rounds: number): Promise<string> {
  const workspace = await keep(shared.machine(), team.url('ada_agent'));
  const { postgres } = team.database;
  const ways = [
    [
      'nothing passes the network',
      () => {
        team.proxy.hold('toServer', 'toClient');
      },
      () => {
        team.proxy.cut();
        team.proxy.restore();
      },
    ],
    [
      'the server crashes',
      () => {
        postgres.crash();
      },
      () => {
        postgres.start();
      },
    ],
  ] as const;
  const rows: string[][] = [];
  try {
    for (const [what, end, begin] of ways) {
      const figures = { seen: [] as number[], back: [] as number[] };
      for (let round = 0; round < rounds; round++) {
        end();
        figures.seen.push(await until(() => !isCurrent(workspace)));
        // As long as reconnecting takes its longest pauses.
        await sleep(3_000);
        begin();
        figures.back.push(await until(() => isCurrent(workspace)));
        await sleep(500);
      }
      const cells = (took: readonly number[], limit: number) => [
        ...[`${spread(took)} ms`, `${short(Math.max(...took))} ms`, `at most ${String(limit)} ms`],
        met(Math.max(...took), limit),
      ];
      rows.push([what, ...cells(figures.seen, seenGoal), ...cells(figures.back, backGoal)]);
    }
  } finally {
    workspace.close();
  }
  return table(['outage', 'seen', 'latest', 'goal', 'met', 'back', 'latest', 'goal', 'met'], rows);
}
