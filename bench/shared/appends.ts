/** Acknowledged commits by 1 to 64 clients, local beside shared, with several delays of the network. */
import { fork } from 'node:child_process';
import path from 'node:path';
import { table } from '../document.ts';
import { met } from '../part.ts';
import { copySeed } from '../seed.ts';
import type { Place, Seed } from '../seed.ts';
import { median, quantile, short, thousands } from '../stats.ts';
import { writersOf } from '../writers.ts';
import type { Round, Writers } from '../writers.ts';
import type { SharedSeed, Team } from './team.ts';

export interface AppendPlan {
  readonly clients: readonly number[];
  /** Milliseconds added to each round trip. */
  readonly delays: readonly number[];
  readonly rounds: number;
  /** Of one round. Milliseconds. */
  readonly forMs: number;
}

export interface Appends {
  readonly clients: number;
  readonly delay: number;
  /** Of a query that does nothing, on the same way. Milliseconds. */
  readonly roundTrip: number;
  readonly local: readonly Round[];
  readonly shared: readonly Round[];
}

/** More would measure how Node starts. */
const mostPrograms = 8;

export interface Stores {
  readonly folder: string;
  readonly team: Team;
  readonly seed: Seed;
  readonly shared: SharedSeed;
}

export async function measureAppends(stores: Stores, plan: AppendPlan): Promise<Appends[]> {
  const { folder, team, seed, shared } = stores;
  const all: Appends[] = [];
  for (const clients of plan.clients) {
    const one = copySeed(folder, seed);
    const local = await startClients('', Array<Place>(clients).fill(one));
    const apart = Array.from({ length: clients }, () => shared.machine());
    const sharing = await startClients(team.url('ada_agent'), apart);
    try {
      for (const writers of [local, sharing]) await writers.round(clients * 4, plan.forMs);
      for (const delay of plan.delays) {
        team.proxy.delay(delay);
        const taken = { local: [] as Round[], shared: [] as Round[] };
        for (let round = 0; round < plan.rounds; round++)
          for (const way of round % 2 === 0 ? (['local', 'shared'] as const) : (['shared', 'local'] as const))
            taken[way].push(await (way === 'local' ? local : sharing).round(100_000, plan.forMs));
        all.push({ clients, delay, roundTrip: await roundTripOf(team), ...taken });
      }
    } finally {
      team.proxy.delay(0);
      await Promise.all([local.close(), sharing.close()]);
    }
  }
  return all;
}

function startClients(url: string, places: readonly Place[]): Promise<Writers> {
  const programs = Math.min(places.length, mostPrograms);
  const script = path.join(import.meta.dirname, 'client.ts');
  return writersOf(
    Array.from({ length: programs }, (_, index) => {
      const mine = places.filter((_place, place) => place % programs === index);
      return fork(script, [url, ...mine.flatMap(({ folder, home }) => [folder, home])], { stdio: 'inherit' });
    }),
  );
}

async function roundTripOf({ url }: Team): Promise<number> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url('ada_agent') });
  await client.connect();
  const took: number[] = [];
  for (let round = 0; round < 10; round++) {
    const began = performance.now();
    await client.query('select 1');
    took.push(performance.now() - began);
  }
  await client.end();
  return median(took);
}

const tookOf = (rounds: readonly Round[]) => rounds.flatMap(({ took }) => took);
/** Commits per second of all clients together. */
const rateOf = (rounds: readonly Round[]) => 1_000 / median(rounds.map(({ perCommit }) => perCommit));

/** Goal: milliseconds beyond the round trip. */
const goal = 5;

export function appendTable(all: readonly Appends[]): string {
  return table(
    [
      ...['clients', 'network', 'local p50', 'local p95', 'shared p50', 'shared p95', 'shared / local, p50'],
      ...['round trip', 'p50 beyond it', 'goal', 'met', 'commits/s, local and shared', 'gave up'],
    ],
    all.map(({ clients, delay, roundTrip, local, shared }) => {
      const [here, there] = [tookOf(local), tookOf(shared)];
      const beyond = median(there) - roundTrip;
      return [
        ...[String(clients), `${String(delay)} ms`],
        ...[here, there].flatMap((took) => [`${short(median(took))} ms`, `${short(quantile(took, 0.95))} ms`]),
        `${short(median(there) / median(here))} times`,
        ...[`${short(roundTrip)} ms`, `${short(beyond)} ms`],
        ...(clients === 1 ? [`at most ${String(goal)} ms`, met(beyond, goal)] : ['none', '']),
        `${short(rateOf(local))} and ${short(rateOf(shared))}`,
        gaveUp(shared, there.length),
      ];
    }),
  );
}

function gaveUp(rounds: readonly Round[], acknowledged: number): string {
  const failed = rounds.flatMap((round) => round.failed).length;
  return failed === 0 ? '0' : `${String(failed)} of ${thousands(failed + acknowledged)}`;
}
