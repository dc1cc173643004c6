/** Hourly, as long as the editor runs: questions past their time expire. */
import { dueChange } from '../core/question.ts';
import { sweep } from '../app/sweep.ts';
import { collect } from './disposables.ts';
import type { Closable } from './disposables.ts';
import type { Folders } from './folders.ts';

const everyMs = 60 * 60 * 1000;

export function registerSweep(folders: Folders): Closable {
  const all = collect();
  const run = async () => {
    for (const { workspace } of folders.all) {
      const { state } = workspace.standing();
      const now = workspace.now();
      if (!state || ![...state.questions.values()].some((question) => dueChange(state, question, now) !== null))
        continue;
      if (sweep(await workspace.store()).length > 0) workspace.changed();
    }
  };
  const timer = setInterval(() => void run(), everyMs);
  all.add({
    dispose() {
      clearInterval(timer);
    },
  });
  void run();
  return all;
}
