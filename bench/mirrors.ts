/** Mirrors of 10,000 rows: the first write, a check without changes, and an update after one more question. */
import fs from 'node:fs';
import path from 'node:path';
import { looksEveryMs, mirror } from '../src/app/mirrors/mirrors.ts';
import type { MirrorMemory } from '../src/app/mirrors/mirrors.ts';
import { expiryOf, nextQuestionId } from '../src/core/question/question.ts';
import { storeFolder } from '../src/store/journal/segments.ts';
import { table } from './document.ts';
import { met } from './part.ts';
import type { Part } from './part.ts';
import { longestPause } from './pausing.ts';
import { asker, copySeed, openPlace, questionOf } from './seed.ts';
import type { Place } from './seed.ts';
import { short, thousands } from './stats.ts';

/** Longest acceptable pause of the editor. Milliseconds. */
const goal = 50;

export const mirrors: Part = {
  name: 'mirrors',
  what: 'mirrors of 10,000 rows, against writing and reading as many files',
  minutes: 3,
  async run({ folder, quick, seed }) {
    const rows = quick ? 1_000 : 10_000;
    const place = copySeed(folder, await seed(rows));
    try {
      const { first, again, one, soon, plain, read, pauses } = await measureMirrors(place);
      const row = (what: string, ms: number, limit: number, pause: number) => [
        ...[what, `${short(ms)} ms`, `${short(limit)} ms`, `${short(ms / limit)} times`],
        ...[`${short(pause)} ms`, `pause at most ${String(goal)} ms`, met(pause, goal)],
      ];
      return [
        `### Mirrors of ${thousands(rows)} rows`,
        'In one program, as the editor keeps them. The limit of the first time is writing the same files, each flushed before it takes its name; of the others, reading them. The pause is the longest time for which the program was blocked.',
        table(
          ['what', 'time', 'limit', 'against the limit', 'longest pause', 'goal', 'met'],
          [
            row('all written', first, plain, pauses.first),
            row('nothing changed', again, read, pauses.again),
            row('one changed, and all files looked at', one, read, pauses.one),
            row(`one changed, within ${String(looksEveryMs / 1_000)} s of that`, soon, read, pauses.soon),
          ],
        ),
      ].join('\n\n');
    } finally {
      fs.rmSync(path.dirname(place.folder), { recursive: true, force: true });
    }
  },
};

async function measureMirrors(place: Place) {
  const workspace = openPlace(place);
  const memory: MirrorMemory = new WeakMap();
  try {
    const store = await workspace.store();
    const first = await longestPause(() => mirror(workspace, { memory }));
    const again = await longestPause(() => mirror(workspace, { memory }));
    const ask = (mark: string) =>
      store.transact(asker, ({ state, now }) => {
        const id = nextQuestionId(state);
        return { records: [questionOf(Number(id.slice(2)), mark, expiryOf(state, 'high', now))], result: id };
      });
    await ask('one more');
    const one = await longestPause(() => mirror(workspace, { memory }));
    await ask('and one');
    const soon = await longestPause(() => mirror(workspace, { memory, everyMs: looksEveryMs }));
    const written = [first, again, one, soon].map(({ result }) => result.written.length);
    if (written[1] !== 0 || written[2] !== 1 || written[3] !== 1) throw new Error(`written: ${written.join(', ')}`);
    return {
      ...{ first: first.ms, again: again.ms, one: one.ms, soon: soon.ms },
      pauses: { first: first.pause, again: again.pause, one: one.pause, soon: soon.pause },
      ...plainly(path.join(place.folder, storeFolder, 'questions'), path.join(place.home, 'plain')),
    };
  } finally {
    workspace.close();
  }
}

/** The same files with plain system calls. Milliseconds. */
function plainly(from: string, to: string): { plain: number; read: number } {
  const began = performance.now();
  const files = fs.readdirSync(from).map((name) => [name, fs.readFileSync(path.join(from, name))] as const);
  const read = performance.now() - began;
  fs.mkdirSync(to);
  const writing = performance.now();
  for (const [name, bytes] of files) {
    const temporary = path.join(to, `${name}.tmp`);
    const descriptor = fs.openSync(temporary, 'wx');
    fs.writeSync(descriptor, bytes);
    fs.fsyncSync(descriptor);
    fs.closeSync(descriptor);
    fs.renameSync(temporary, path.join(to, name));
  }
  return { plain: performance.now() - writing, read };
}
