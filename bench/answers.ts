/** From a human's decision to the return of the tool call that waits for it, within one program and across two. */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { raiseQuestion } from '../src/tools/question/asking.ts';
import { runOperation } from '../src/tools/kit/operation.ts';
import { agent, decide, enrolledHuman } from '../test/support/store/people.ts';
import { table } from './document.ts';
import { met } from './part.ts';
import type { Part } from './part.ts';
import { copySeed, openPlace } from './seed.ts';
import type { Seed } from './seed.ts';
import { median, quantile, sharedNow, short } from './stats.ts';
import { dismiss, message } from './writers.ts';

const goals = { here: 100, across: 500 };

export const answers: Part = {
  name: 'answers',
  what: 'from the signature under an answer to the return of the tool call that waits for it, here and in another program',
  minutes: 2,
  async run({ folder, quick, seed }) {
    const figures = await measureAnswers(folder, await seed(1_000), quick ? 40 : 200);
    const row = (what: string, all: readonly number[], goal: number) => [
      what,
      ...[`${short(median(all))} ms`, `${short(quantile(all, 0.95))} ms`],
      `${short(median(all) / median(figures.commit))} times`,
      ...[`p95 at most ${String(goal)} ms`, met(quantile(all, 0.95), goal)],
    ];
    return [
      '### From an answer to the waiting tool call',
      'The limit is the commit of the answer itself, signature included.',
      table(
        ['where the call waits', 'p50', 'p95', 'against the limit', 'goal', 'met'],
        [
          [
            'the limit: signed and committed',
            `${short(median(figures.commit))} ms`,
            `${short(quantile(figures.commit, 0.95))} ms`,
            '1',
            'none',
            '',
          ],
          row('in the program in which a human answers', figures.inProcess, goals.here),
          row('in another program', figures.across, goals.across),
        ],
      ),
    ].join('\n\n');
  },
};

interface AnswerFigures {
  /** Duration of the decision itself. Milliseconds. */
  readonly commit: readonly number[];
  /** Milliseconds per question. */
  readonly inProcess: readonly number[];
  readonly across: readonly number[];
}

async function measureAnswers(parent: string, seed: Seed, rounds: number): Promise<AnswerFigures> {
  const place = copySeed(parent, seed);
  const workspace = openPlace(place);
  const waiter = fork(path.join(import.meta.dirname, 'waiter.ts'), [place.folder, place.home]);
  const commit: number[] = [];
  const inProcess: number[] = [];
  const across: number[] = [];
  try {
    await message(waiter);
    const human = enrolledHuman(workspace);
    const store = await workspace.store();
    const { signal } = new AbortController();

    /** The id of the question, once it is in the store. */
    const asked = async (text: string): Promise<string> => {
      for (;;) {
        for (const question of [...store.read().state.questions.values()].slice(-1))
          if (question.raised.text === text) return question.id;
        await sleep(2);
      }
    };
    const answer = async (text: string, returned: Promise<unknown>) => {
      const id = await asked(text);
      await sleep(5); // the call is waiting by now
      const began = sharedNow();
      await decide(workspace, human, id);
      const committed = sharedNow() - began;
      workspace.changed();
      const back = await returned;
      return { began, committed, back };
    };

    for (let round = -3; round < rounds; round++) {
      const here = `Go on here (${String(round)})?`;
      const context = { workspace, session: agent('bench-002'), signal, waitMs: Infinity };
      let at = 0;
      const call = runOperation(raiseQuestion, context, { text: here, work_id: 'free' }).then((result) => {
        at = sharedNow();
        requireAnswered(result.data);
      });
      const near = await answer(here, call);
      const there = `Go on there (${String(round)})?`;
      const returned = message(waiter);
      waiter.send(there);
      const far = await answer(there, returned);
      const received = far.back as { at: number; data: Readonly<Record<string, unknown>> };
      requireAnswered(received.data);
      if (round < 0) continue;
      commit.push(near.committed, far.committed);
      inProcess.push(at - near.began);
      across.push(received.at - far.began);
    }
    return { commit, inProcess, across };
  } finally {
    await dismiss(waiter);
    workspace.close();
    fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
  }
}

function requireAnswered(data: Readonly<Record<string, unknown>>): void {
  if (data['outcome'] !== 'answered') throw new Error(`not answered: ${JSON.stringify(data)}`);
}
