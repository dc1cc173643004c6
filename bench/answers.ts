/** From a human's decision to the return of the tool call that waits for it: in one program, and across two. */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { raiseQuestion } from '../src/tools/raiseQuestion.ts';
import { runTool } from '../src/tools/tool.ts';
import { agent, decide, enrolledHuman } from '../test/support/store/people.ts';
import { copySeed, openPlace } from './seed.ts';
import type { Seed } from './seed.ts';
import { sharedNow } from './stats.ts';
import { dismiss, message } from './writers.ts';

export interface AnswerFigures {
  /** Milliseconds, question by question. */
  readonly inProcess: readonly number[];
  readonly across: readonly number[];
}

export async function measureAnswers(parent: string, seed: Seed, rounds: number): Promise<AnswerFigures> {
  const place = copySeed(parent, seed);
  const workspace = openPlace(place);
  const waiter = fork(path.join(import.meta.dirname, 'waiter.ts'), [place.folder, place.home]);
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
      await sleep(5); // the call waits by now
      const began = sharedNow();
      await decide(workspace, human, id);
      workspace.changed();
      const back = await returned;
      return { began, back };
    };

    for (let round = -3; round < rounds; round++) {
      const here = `Go on here (${String(round)})?`;
      const context = { workspace, session: agent('bench-002'), signal, waitMs: Infinity };
      let at = 0;
      const call = runTool(raiseQuestion, context, { text: here, work_id: 'free' }).then((result) => {
        at = sharedNow();
        requireAnswered(result.data);
      });
      const near = await answer(here, call);
      const there = `Go on there (${String(round)})?`;
      const returned = message(waiter);
      waiter.send(there);
      const far = await answer(there, returned);
      const told = far.back as { at: number; data: Readonly<Record<string, unknown>> };
      requireAnswered(told.data);
      if (round < 0) continue;
      inProcess.push(at - near.began);
      across.push(told.at - far.began);
    }
    return { inProcess, across };
  } finally {
    await dismiss(waiter);
    workspace.close();
    fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
  }
}

function requireAnswered(data: Readonly<Record<string, unknown>>): void {
  if (data['outcome'] !== 'answered') throw new Error(`not answered: ${JSON.stringify(data)}`);
}
