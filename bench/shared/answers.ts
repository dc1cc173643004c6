/** From an answer on one machine to the return of the call that waits for it on another, beside two programs of one machine. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { decide, enrolledHuman } from '../../test/support/store/people.ts';
import type { Human } from '../../test/support/store/people.ts';
import { table } from '../document.ts';
import { met } from '../part.ts';
import { copySeed, openPlace } from '../seed.ts';
import { median, quantile, sharedNow, short } from '../stats.ts';
import { dismiss, message } from '../writers.ts';
import type { Stores } from './appends.ts';
import { openShared } from './open.ts';

/** p95 in milliseconds, by the network's delay. */
const goals: Readonly<Record<number, number>> = { 0: 150, 80: 500 };

export interface Answers {
  readonly delay: number;
  readonly local: readonly number[];
  readonly shared: readonly number[];
}

interface Side {
  readonly workspace: Workspace;
  readonly human: Human;
  readonly waiter: ChildProcess;
}

export async function measureAnswers(stores: Stores, delays: readonly number[], rounds: number): Promise<Answers[]> {
  const { team } = stores;
  const sides = { local: localSide(stores), shared: sharedSide(stores) };
  const all: Answers[] = [];
  try {
    for (const { waiter, workspace } of Object.values(sides)) {
      await message(waiter);
      await workspace.store();
      workspace.onChange(() => undefined);
    }
    for (const side of [sides.local, sides.shared]) await answered(side, 'Warm up?');
    for (const delay of delays) {
      team.proxy.delay(delay);
      const taken = { local: [] as number[], shared: [] as number[] };
      for (let round = 0; round < rounds; round++)
        for (const way of ['local', 'shared'] as const)
          taken[way].push(await answered(sides[way], `Go on (${String(delay)}, ${String(round)})?`));
      all.push({ delay, ...taken });
    }
    return all;
  } finally {
    team.proxy.delay(0);
    for (const { waiter, workspace } of Object.values(sides)) {
      await dismiss(waiter);
      workspace.close();
    }
  }
}

function localSide({ folder, seed }: Stores): Side {
  const place = copySeed(folder, seed);
  const workspace = openPlace(place);
  return { workspace, human: enrolledHuman(workspace), waiter: startWaiter(place.folder, place.home) };
}

function sharedSide({ team, shared }: Stores): Side {
  const [here, there] = [shared.machine(), shared.machine()];
  const workspace = openShared(here, team.url('ada_agent'), team.url('ada'));
  return { workspace, human: shared.human, waiter: startWaiter(there.folder, there.home, team.url('ada_agent')) };
}

function startWaiter(...where: string[]): ChildProcess {
  return fork(path.join(import.meta.dirname, '..', 'waiter.ts'), where);
}

/** Milliseconds from the answer to the return of the call, the answer's own commit included. */
async function answered({ workspace, human, waiter }: Side, text: string): Promise<number> {
  const store = await workspace.store();
  const returned = message(waiter);
  waiter.send(text);
  const asked = () => [...store.read().state.questions.values()].findLast((one) => one.raised.text === text);
  while (asked() === undefined) await sleep(2);
  await sleep(20); // the call is waiting by now
  const began = sharedNow();
  const { outcome } = await decide(workspace, human, asked()?.id ?? '');
  if (outcome !== 'decided') throw new Error(`the answer was not taken: ${outcome}`);
  workspace.changed();
  const { at, data } = (await returned) as { at: number; data: Readonly<Record<string, unknown>> };
  if (data['outcome'] !== 'answered') throw new Error(`not answered: ${JSON.stringify(data)}`);
  return at - began;
}

export function answerTable(all: readonly Answers[]): string {
  return table(
    ['network', 'one machine, p50', 'p95', 'two machines, p50', 'p95', 'two / one, p50', 'goal', 'met'],
    all.map(({ delay, local, shared }) => {
      const goal = goals[delay];
      const late = quantile(shared, 0.95);
      return [
        `${String(delay)} ms`,
        ...[local, shared].flatMap((took) => [`${short(median(took))} ms`, `${short(quantile(took, 0.95))} ms`]),
        `${short(median(shared) / median(local))} times`,
        ...(goal === undefined ? ['none', ''] : [`p95 at most ${String(goal)} ms`, met(late, goal)]),
      ];
    }),
  );
}
