/** Cuts one machine of a team off, in several ways, while all of them work. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { askGate } from '../../../../src/app/hold/gate.ts';
import { freshnessOf } from '../../../../src/app/workspace/freshness.ts';
import { defaultLease } from '../../../../src/core/state/state.ts';
import type { Proxy } from '../../proxy.ts';
import { until } from '../../until.ts';
import { aside, count, goesOn, newRandom, newRow, once, scaled, type Budget, type Row } from '../row.ts';
import { hold, progress, startWork, write } from './acts.ts';
import { checkTeam, settle } from './checks.ts';
import type { Machine, Team } from './team.ts';

interface Way {
  readonly what: string;
  readonly usual: number;
  readonly begin: (proxy: Proxy) => void;
  /** How long it lasts at least. Milliseconds. */
  readonly lasts?: number;
}

const ways: readonly Way[] = [
  {
    what: 'one machine cut off: nothing passes in either direction',
    usual: 12,
    begin(proxy) {
      proxy.hold('toServer', 'toClient');
    },
  },
  {
    what: 'one machine cut off: nothing reaches the server',
    usual: 12,
    begin(proxy) {
      proxy.hold('toServer');
    },
  },
  {
    what: 'one machine cut off: no reply reaches it',
    usual: 12,
    begin(proxy) {
      proxy.hold('toClient');
    },
  },
  {
    what: 'one machine cut off: its connections end, and new ones are refused',
    usual: 12,
    begin(proxy) {
      proxy.cut();
    },
  },
  {
    what: 'one machine cut off: its connections end, and the server does not notice',
    usual: 12,
    begin(proxy) {
      proxy.halfOpen();
    },
  },
  {
    what: 'one machine behind a network that takes 160 ms there and back',
    usual: 6,
    begin(proxy) {
      proxy.delay(160);
    },
  },
];

const must =
  'one order; what was acknowledged is there once, what was refused is not; the first answer counts; copies equal the server; not CLEAR later than the lease after a hold';

export async function partitions(team: Team, budget: Budget): Promise<Row[]> {
  const rows: Row[] = [];
  for (const way of ways) rows.push(await partition(team, budget, way));
  return rows;
}

/** Longer than a program waits for a reply, so that it gives up with an unknown outcome. */
export async function silences(team: Team, budget: Budget): Promise<Row[]> {
  const silent: Way = {
    what: 'one machine without any reply for 22 s, longer than its programs wait',
    usual: 1,
    begin(proxy) {
      proxy.hold('toClient');
    },
    lasts: 22_000,
  };
  return [await partition(team, budget, silent)];
}

async function partition(team: Team, budget: Budget, way: Way): Promise<Row> {
  const wanted = scaled(budget, way.usual);
  const row = newRow(way.what, wanted, must);
  const random = newRandom(way.what.length);
  const before = sizes(team);
  while (row.times < wanted && goesOn(budget) && row.wrong.length === 0) {
    const at = row.times;
    const work = `held-${String(sizes(team).said)}`;
    const victim = team.machines[at % 4]!;
    await once(row, `${way.what}, ${String(at)}`, () => cutOff(team, { row, way, victim, work, wait: random(300) }));
  }
  await aside(row, 'at the end', () => checkTeam(team));
  const after = sizes(team);
  count(row, 'acknowledged', after.acknowledged - before.acknowledged);
  count(row, 'refused', after.refused - before.refused);
  count(row, 'unknown', after.unknown - before.unknown);
  return row;
}

export function sizes({ log }: Team) {
  const [acknowledged, refused, unknown] = [log.acknowledged.size, log.refused.size, log.unknown.size];
  return { acknowledged, refused, unknown, said: acknowledged + refused + unknown };
}

interface Case {
  readonly row: Row;
  readonly way: Way;
  readonly victim: Machine;
  /** New work. */
  readonly work: string;
  /** Milliseconds. */
  readonly wait: number;
}

/** Another machine holds the work meanwhile, and the lease passes. */
async function cutOff(team: Team, { row, way, victim, work, wait }: Case): Promise<void> {
  const other = team.machines.find((machine) => machine !== victim)!;
  await settle(team);
  assert.equal(await write(team, other, work), 'acknowledged');
  await victim.workspace.confirm(20_000);
  assert.equal(askGate(victim.workspace, { work }).state, 'CLEAR');
  const working = startWork(team);
  try {
    await progress(working);
    way.begin(victim.proxy);
    await pause(wait);
    // The one cut off may have the turn, which it loses after five seconds.
    await until('another machine can hold the work', async () => {
      const text = `Hold ${work} ${String(sizes(team).said)}?`;
      return (await hold(team, other, text, work)) === 'acknowledged';
    });
    count(row, `${askGate(victim.workspace, { work }).state} within the lease`);
    team.time.ahead += defaultLease.seconds * 1_000 + 1;
    const later = askGate(victim.workspace, { work }).state;
    assert.notEqual(later, 'CLEAR', 'after the lease');
    count(row, `${later} after it`);
    await pause(way.lasts ?? 0);
    victim.proxy.restore();
    await progress(working);
  } finally {
    victim.proxy.restore();
    await working.stop();
  }
  await until('the hold is known', async () => {
    await victim.workspace.confirm(20_000);
    return freshnessOf(victim.workspace).state === 'current' && askGate(victim.workspace, { work }).state === 'BLOCKED';
  });
}
