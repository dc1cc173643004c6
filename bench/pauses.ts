/** The longest pause of a program with a store, during which an editor would freeze. */
import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { table } from './document.ts';
import { met } from './part.ts';
import type { Part } from './part.ts';
import type { Pauses } from './pauser.ts';
import { copySeed, environmentOf } from './seed.ts';
import type { Seed } from './seed.ts';
import { median, short, thousands } from './stats.ts';
import { dismiss, message, startWriters } from './writers.ts';

const goal = 50;

export const pauses: Part = {
  name: 'pauses',
  what: 'the longest pause of a program with 1,000 and 10,000 questions: committing, following, saving, closing',
  minutes: 4,
  async run({ folder, quick, say, seed }) {
    const rows: string[][] = [];
    for (const records of [1_000, 10_000]) {
      const made = await seed(records);
      say(`  ${thousands(records)} records`);
      const rounds = quick ? 1 : 2;
      const all: Pauses[] = [];
      for (let round = 0; round < rounds; round++) all.push(await measurePauses(folder, made));
      const longest = (of: keyof Pauses) => median(all.map((each) => each[of]));
      const working = Math.max(...(['commits', 'following', 'saving'] as const).map(longest));
      const cells = (['idle', 'commits', 'following', 'saving'] as const).map((of) => `${short(longest(of))} ms`);
      rows.push([
        ...[thousands(records), ...cells, `at most ${String(goal)} ms`, met(working, goal)],
        `${short(longest('closing'))} ms`,
      ]);
    }
    return [
      '### The longest pause',
      'The longest time for which a program with an open store is blocked: while it commits 300 times, while another program commits as often, and while its other thread writes a snapshot. The limit is an idle program. Closing writes a snapshot in one go if 500 lines were added since the last; nothing waits for the program by then.',
      table(['records', 'the limit: idle', 'own commits', 'following', 'saving', 'goal', 'met', 'closing'], rows),
    ].join('\n\n');
  },
};

async function measurePauses(parent: string, seed: Seed): Promise<Pauses> {
  const place = copySeed(parent, seed);
  const program = fork(path.join(import.meta.dirname, 'pauser.ts'), [place.folder, place.home], {
    env: environmentOf(place),
  });
  try {
    await message(program);
    const other = await startWriters('holdpoint', 1, place.folder, place.home);
    try {
      await other.round(300, 10_000);
    } finally {
      await other.close();
    }
    program.send('written');
    return (await message(program)) as Pauses;
  } finally {
    await dismiss(program);
    fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
  }
}
