/**
 * A snapshot that another program writes. Gates and hooks read a journal without the database, so they cannot write one
 * themselves, and nobody waits for it: where much of the journal had to be replayed, they start a program that does.
 */
import type { FileSystem } from '../../store/journal/files.ts';
import { errorCode } from '../../store/journal/files.ts';

/** So much of a journal that was replayed (about two thousand lines, or a few large ones) is worth a snapshot. */
export const worthSavingLater = 1024 * 1024;
/** Who comes meanwhile leaves it to the program that was started, or to one that is started after this time. */
const claimMs = 60_000;

export interface LaterSave {
  readonly fs: FileSystem;
  /** Says that somebody is at it; beside the user-level file of the store. */
  readonly claim: string;
  readonly clock: () => number;
}

/** Whether this program is the one to start it. What cannot be claimed cannot be saved either. */
export function claimed({ fs, claim, clock }: LaterSave): boolean {
  for (let tries = 0; tries < 2; tries++)
    try {
      fs.closeSync(fs.openSync(claim, 'wx', 0o600));
      return true;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || !isOver(fs, claim, clock())) return false;
      fs.rmSync(claim, { force: true });
    }
  return false;
}

function isOver(fs: FileSystem, claim: string, now: number): boolean {
  const changedAt = fs.statSync(claim, { throwIfNoEntry: false })?.mtimeMs ?? now;
  return Math.abs(now - changedAt) > claimMs;
}
