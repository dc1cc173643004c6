/**
 * Delegates a snapshot to another program. Gates and hooks read the journal without the database, so they cannot write
 * one; after a long replay, they start a program that does.
 */
import type { FileSystem } from '../../store/journal/files.ts';
import { errorCode } from '../../store/journal/files.ts';

/** Replaying this much (a thousand lines or more, or a few large ones) justifies a snapshot. Bytes. */
export const longReplay = 1024 * 1024;
/** Others leave the snapshot to the claimant for this long. Milliseconds. */
const claimMs = 60_000;

interface LaterSave {
  readonly fs: FileSystem;
  /** The claim file, beside the user-level file of the store. */
  readonly claim: string;
  readonly clock: () => number;
}

interface Leaving extends Pick<LaterSave, 'fs' | 'clock'> {
  readonly folder: string;
  readonly saveLater?: ((folder: string) => void) | undefined;
}

/**
 * A ledger alone cannot write a snapshot, so the next program would replay the same lines.
 * @param stateFile the user-level file of the store
 * @param replayed bytes that this program replayed
 */
export function leaveSnapshot({ fs, clock, folder, saveLater }: Leaving, stateFile: string, replayed: number): void {
  if (!saveLater || replayed < longReplay) return;
  try {
    if (claimed({ fs, claim: `${stateFile}.saving`, clock })) saveLater(folder);
  } catch {
    return; // only a cache: the next program tries again
  }
}

/** Whether this program should start it. False on errors: if the claim cannot be written, neither can a snapshot. */
function claimed({ fs, claim, clock }: LaterSave): boolean {
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
