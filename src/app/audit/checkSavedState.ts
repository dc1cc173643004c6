/** Reads the whole journal beside other work, to compare the saved state that programs start from with it. */
import { walkJournal } from '../../store/journal/journalWalk.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { journalBytes } from './audit.ts';
import { compareSavedState } from './savedState.ts';
import type { Comparison } from './savedState.ts';

/** Other programs can append while it reads. */
const triesAtMost = 5;

/**
 * @param pause called after each line; lets other work run
 * @returns null where there is nothing to compare
 */
export async function checkSavedState(workspace: Workspace, pause: () => Promise<void>): Promise<Comparison | null> {
  const walk = walkJournal({ trust: createTrust(workspace.pins) });
  for (let tries = 0; tries < triesAtMost; tries++) {
    const lines = walk.follow(journalBytes(workspace, walk.scanned));
    while (lines.next().done !== true) await pause();
    const found = compareSavedState(workspace, walk);
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * All programs that start from now on read the journal from its first line.
 * @throws Error when the disk refuses
 */
export function discardSavedState(workspace: Workspace): void {
  workspace.stateFile.forgetSnapshot();
  workspace.reopen();
}
