/**
 * A program that has a workspace open as the editor does, and lists what is waiting after each change:
 * `follower.ts <folder> <home>`. A message begins a measurement, the next one ends it; the reply is the longest pause.
 */
import path from 'node:path';
import { questionViews, waitingOrder } from '../src/app/question/views.ts';
import { saveBeside } from '../src/vscode/kit/saving.ts';
import { longestPause } from './pausing.ts';
import { openPlace } from './seed.ts';

/** Groups bursts of records, as the editor does. */
const burstMs = 100;
/** The tree shows fifty items. */
const shown = 50;

const [, , folder = '', home = ''] = process.argv;
const save = saveBeside(path.join(import.meta.dirname, '..'));
const workspace = openPlace({ folder, home }, { saveBeside: () => save(folder) });
const store = await workspace.store();
let timer: NodeJS.Timeout | undefined;
let lists = 0;

workspace.onChange(() => {
  timer ??= setTimeout(() => {
    timer = undefined;
    const view = store.read();
    const ids = waitingOrder(view.state).slice(0, shown);
    lists +=
      questionViews(
        view,
        ids.map(({ id }) => id),
      ).length > 0
        ? 1
        : 0;
  }, burstMs);
});
process.on('disconnect', () => process.exit());

const next = () => new Promise((resolve) => process.once('message', resolve));
process.send?.('ready');
for (;;) {
  await next();
  lists = 0;
  const { pause } = await longestPause(next);
  process.send?.({ pause, lists });
}
