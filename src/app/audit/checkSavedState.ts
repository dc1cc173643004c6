/** Reads the whole journal, to compare the saved state that programs start from with it. */
import { walkJournal } from '../../store/journal/journalWalk.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { journalBytes } from './audit.ts';
import { compareSavedState, type Comparison } from './savedState.ts';

/** Other programs can append while it reads. */
const triesAtMost = 5;

/** Null where there is nothing to compare. Takes seconds for a long journal: the editor does it in a thread. */
export function checkSavedState(workspace: Workspace): Comparison | null {
  const walk = walkJournal({ trust: createTrust(workspace.pins) });
  for (let tries = 0; tries < triesAtMost; tries++) {
    for (const lines = walk.follow(journalBytes(workspace, walk.scanned)); !lines.next().done;);
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
