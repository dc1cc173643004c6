/** A program with a store that reports its longest pauses: `pauser.ts <folder> <home>`. Controlled by messages. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { expiryOf, nextQuestionId } from '../src/core/question/question.ts';
import { saveBeside } from '../src/ui/kit/threads.ts';
import { idlePause, longestPause } from './pausing.ts';
import { asker, openPlace, questionOf } from './seed.ts';

export interface Pauses {
  /** Milliseconds: idle, own commits, another program's, the background snapshot, closing. */
  readonly idle: number;
  readonly commits: number;
  readonly following: number;
  readonly saving: number;
  readonly closing: number;
}

const commits = 300;
/** The snapshot starts after three to six seconds of quiet. */
const quietAtMostMs = 15_000;

const [, , folder = '', home = ''] = process.argv;
// As the editor does.
const root = path.join(import.meta.dirname, '..');
const workspace = openPlace({ folder, home }, { saveBeside: () => saveBeside(root, folder) });
const store = await workspace.store();
workspace.onChange(() => undefined);
process.on('disconnect', () => process.exit());

const idle = await idlePause(1_000);
const { pause: own } = await longestPause(async () => {
  for (let count = 0; count < commits; count++) {
    await store.transact(asker, ({ state, now }) => {
      const id = nextQuestionId(state);
      return { records: [questionOf(Number(id.slice(2)), `pause ${id}`, expiryOf(state, 'high', now))], result: id };
    });
    workspace.changed();
    await nextTurn();
  }
});
process.send?.('write now');
const { pause: following } = await longestPause(() => new Promise((resolve) => process.once('message', resolve)));
const before = workspace.stateFile.read()?.snapshot?.position ?? 0;
const { pause: saving } = await longestPause(async () => {
  for (let waited = 0; (workspace.stateFile.read()?.snapshot?.position ?? 0) === before; waited += 20) {
    if (waited > quietAtMostMs) throw new Error('no snapshot was written');
    await sleep(20);
  }
});
for (let count = 0; count < 600; count++)
  await store.transact(asker, ({ state, now }) => {
    const id = nextQuestionId(state);
    return { records: [questionOf(Number(id.slice(2)), `end ${id}`, expiryOf(state, 'high', now))], result: id };
  });
const { pause: closing } = await longestPause(() => {
  workspace.close();
});
const pauses: Pauses = { idle, commits: own, following, saving, closing };
process.send?.(pauses);
