/** What the machines of a team do while faults happen; each outcome is logged as its program says it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Verdict } from '../../../../src/app/decision/decisions.ts';
import { AppError } from '../../../../src/app/workspace/errors.ts';
import { StoreError } from '../../../../src/store/journal/problem.ts';
import { adasAgent, decide } from '../../store/people.ts';
import { ask, register } from '../stage.ts';
import type { Machine, Team } from './team.ts';

export type Said = 'acknowledged' | 'refused' | 'unknown';

/** Registers a work item. */
export function write(team: Team, { workspace }: Machine, id: string): Promise<Said> {
  return logged(team, id, async () => register(await workspace.store(), id, { holds: [`src/${id}/**`] }, adasAgent()));
}

/** Asks a question, which holds the work item. */
export function hold(team: Team, { workspace }: Machine, text: string, work: string | null): Promise<Said> {
  return logged(team, text, async () => ask(await workspace.store(), text, work, {}, adasAgent()));
}

/** Answers a question unless it is answered already. */
export async function answer(team: Team, { workspace, human, name }: Machine, id: string): Promise<void> {
  const text = `${name} says so.`;
  const verdict = { kind: 'answer', answer: { text, choices: [] } } satisfies Verdict;
  const said = await outcomeOf(async () => {
    const { outcome } = await decide(workspace, human, id, verdict);
    if (outcome === 'decided') team.log.decided.set(id, [...(team.log.decided.get(id) ?? []), text]);
  });
  if (said === 'unknown') team.log.unknown.add(id);
}

async function logged(team: Team, name: string, act: () => Promise<unknown>): Promise<Said> {
  const said = await outcomeOf(act);
  team.log[said].add(name);
  return said;
}

/** @throws what is no answer to a program */
async function outcomeOf(act: () => Promise<unknown>): Promise<Said> {
  try {
    await act();
    return 'acknowledged';
  } catch (error) {
    if (error instanceof StoreError) return error.code === 'unknown-outcome' ? 'unknown' : 'refused';
    if (error instanceof AppError) return 'refused';
    throw error;
  }
}

export interface Work {
  /** How many acts have ended. */
  readonly acts: number;
  /** Ends after the acts under way. */
  stop(): Promise<void>;
}

let begun = 0;

/** All machines write, ask and answer, one act after another on each, until stopped. */
export function startWork(team: Team): Work {
  const run = `r${String(begun++)}`;
  let acts = 0;
  let over = false;

  async function lane(machine: Machine): Promise<void> {
    for (let number = 0; !over; number++) {
      const id = `${run}-${machine.name}-${String(number)}`;
      if (number % 3 === 0) await write(team, machine, id);
      else if (number % 3 === 1) await hold(team, machine, `Question ${id}?`, null);
      else await answerAny(machine);
      acts++;
      // Several in one process: each gets its turn.
      await pause(1);
    }
  }

  /** Two humans often choose the same one. */
  async function answerAny(machine: Machine): Promise<void> {
    const { state } = machine.workspace.standing();
    const open = [...(state?.questions.values() ?? [])].find(
      ({ resolution, raised }) => resolution === null && raised?.text.startsWith('Question'),
    );
    if (open) await answer(team, machine, open.id);
  }

  const lanes = team.machines.map(lane);
  // Awaited in `stop`, where its failure counts.
  for (const each of lanes) each.catch(() => undefined);
  return {
    get acts() {
      return acts;
    },
    async stop() {
      over = true;
      await Promise.all(lanes);
    },
  };
}

/** Waits until the machines have done that many acts more. */
export async function progress(work: Work, acts = 4): Promise<void> {
  const enough = work.acts + acts;
  for (let waited = 0; work.acts < enough; waited += 5) {
    if (waited > 60_000) throw new Error('the machines make no progress');
    await pause(5);
  }
}
