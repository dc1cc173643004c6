/** Writes the baselines of several holds, one in each turn of the event loop. */
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HoldToNote, WrittenBaseline } from '../workspace/beside.ts';
import type { Answering } from '../workspace/atGate.ts';
import { makeBaselineFolder, writeBaseline } from './baseline.ts';
import type { Place } from './heldOnDisk.ts';

/** Where the files are that a question or RFC holds. */
export function placeOf({ options, location, ignoreCase }: Answering, { asker }: Pick<HoldToNote, 'asker'>): Place {
  return { fs: options.fs, folder: path.join(location.root, asker.worktree ?? '.'), ignoreCase };
}

/** One for each hold, in their order. @throws Error with a code, where a file cannot be read or written */
export async function writeBaselines(
  workspace: Answering,
  holds: readonly HoldToNote[],
): Promise<readonly WrittenBaseline[]> {
  const { fs, clock, newId } = workspace.options;
  const { root } = workspace.location;
  makeBaselineFolder({ fs, root });
  const written: WrittenBaseline[] = [];
  for (const { id, asker, scopes } of holds) {
    const noted = { id, scopes, takenAt: clock(), newId, root };
    written.push(writeBaseline(placeOf(workspace, { asker }), noted));
    await nextTurn();
  }
  return written;
}
