/**
 * Delegates a snapshot to another program. Gates and hooks read the journal without the database, so they cannot write
 * one; before a long replay, they start a program that does.
 */
import type { FileSystem } from '../../store/journal/files.ts';
import { errorCode } from '../../store/journal/files.ts';
import { quietly } from '../../store/journal/problem.ts';
import { journalPath, seemingEnd } from '../../store/journal/segments.ts';
import type { StateFile } from '../../store/journal/stateFile.ts';

/** Replaying this much (a thousand lines or more, or a few large ones) justifies a snapshot. Bytes. */
export const longReplay = 1024 * 1024;
/** Others leave the snapshot to the claimant for this long, and longer for a long journal. Milliseconds. */
const claimMs = 60_000;
/** As a slow machine does both. Bytes in a millisecond. */
const readAndSaved = 4_000;

interface LaterSave {
  readonly fs: FileSystem;
  /** The claim file, beside the user-level file of the store. */
  readonly claim: string;
  readonly clock: () => number;
  /** Bytes of the journal that are not in a snapshot. */
  readonly unread: number;
}

interface Leaving extends Pick<LaterSave, 'fs' | 'clock'> {
  readonly folder: string;
  readonly saveLater?: ((folder: string) => void) | undefined;
}

/**
 * A ledger alone cannot write a snapshot, so the next program would replay the same lines.
 * @param position where this program is about to begin to replay the journal
 */
export function leaveSnapshot(
  { fs, clock, folder, saveLater }: Leaving,
  { root, stateFile }: { readonly root: string; readonly stateFile: Pick<StateFile, 'path'> },
  position: number,
): void {
  if (!saveLater) return;
  // Only a cache: the next program tries again. Reading finds what is wrong with a journal.
  quietly(() => {
    const unread = seemingEnd(fs, journalPath(root)) - position;
    if (unread < longReplay) return;
    if (claimed({ fs, claim: `${stateFile.path}.saving`, clock, unread })) saveLater(folder);
  });
}

/** Whether this program should start it. False on errors: if the claim cannot be written, neither can a snapshot. */
function claimed({ fs, claim, clock, unread }: LaterSave): boolean {
  for (let tries = 0; tries < 2; tries++)
    try {
      fs.closeSync(fs.openSync(claim, 'wx', 0o600));
      return true;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || !isOver({ fs, claim, clock, unread })) return false;
      fs.rmSync(claim, { force: true });
    }
  return false;
}

function isOver({ fs, claim, clock, unread }: LaterSave): boolean {
  const now = clock();
  const changedAt = fs.statSync(claim, { throwIfNoEntry: false })?.mtimeMs ?? now;
  return Math.abs(now - changedAt) > claimMs + unread / readAndSaved;
}
