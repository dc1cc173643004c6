/** What an editor keeps of a store, outside of where the user's other programs write; only the editor imports this. */
import { closeQuietly, makeFolderOf, readRange, replaceFile, journalPath } from '../../store/journal/files.ts';
import { openJournal, type OpenJournal } from '../../store/journal/openJournal.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { SnapshotEntry } from '../../store/journal/stateFile.ts';
import { isVouchedFor, vouchingBytes } from '../../trust/envelope.ts';
import type { KeySigner } from '../decision/decisions.ts';
import * as z from 'zod';
import { instant, sha256Hex } from '../../core/kit/fields.ts';
import { hasLine } from '../../store/journal/line.ts';

// Its own copy of the journal. Only what is new is read and written, at its offset, so that windows which do this at once
// write the same.

export interface EditorsCopy {
  /**
   * Brings the copy up to date. Does nothing while the store is UNKNOWN. If the journal does not continue the copy (after
   * starting over or restoring), the copy is kept under another name.
   * @throws when the disk refuses; the next update tries again
   */
  update(): void;
  close(): void;
}

/** The copy when it was compared or written: while its mark stays the same, so does its content. */
interface Known {
  readonly mark: string;
  readonly size: number;
}

export function openCopy(workspace: Workspace, copyFile: string): EditorsCopy {
  const { fs, newId } = workspace.options;
  let journal: OpenJournal | null = null;
  let known: Known | null = null;

  /** The journal of the last update, if it is still the same file; else what was known is void. */
  function openedJournal(): { readonly file: OpenJournal; readonly size: number } | null {
    const size = journal?.size();
    if (journal && typeof size === 'number') return { file: journal, size };
    close();
    journal = openJournal(fs, journalPath(workspace.location.root));
    if (!journal) return null;
    const first = journal.size();
    if (typeof first !== 'number') throw new Error('the journal is missing or has changed');
    return { file: journal, size: first };
  }

  function update(): void {
    const found = workspace.standing().problem ? null : openedJournal();
    if (!found) return;
    const { file, size } = found;
    const copied = sizeOfBeginning(file, size);
    if (copied === size) return;
    makeFolderOf(fs, copyFile);
    if (copied === null) replaceFile(fs, copyFile, file.read(0, size), `${copyFile}.${newId()}.tmp`);
    else extend(file, copied, size);
    known = seen();
  }

  /** How much of the journal the copy has; null without a copy. One that is of another journal is put aside. */
  function sizeOfBeginning(file: OpenJournal, size: number): number | null {
    const now = seen();
    if (now === null) return null;
    if (now.size <= size && (now.mark === known?.mark || isSame(file, now.size))) {
      known = now;
      return now.size;
    }
    fs.renameSync(copyFile, `${copyFile}.aside-${newId()}`);
    return null;
  }

  function isSame(file: OpenJournal, size: number): boolean {
    const reader = fs.openSync(copyFile, 'r');
    try {
      return readRange(fs, reader, 0, size).equals(file.read(0, size));
    } finally {
      closeQuietly(fs, reader);
    }
  }

  /** What is there stays as it is, so a crash can at most leave an incomplete last line, which the next update completes. */
  function extend(file: OpenJournal, from: number, to: number): void {
    const writer = fs.openSync(copyFile, 'r+');
    try {
      const bytes = file.read(from, to);
      for (let done = 0; done < bytes.length;)
        done += fs.writeSync(writer, bytes, done, bytes.length - done, from + done);
      fs.fdatasyncSync(writer);
    } finally {
      closeQuietly(fs, writer);
    }
  }

  function seen(): Known | null {
    const stat = fs.lstatSync(copyFile, { throwIfNoEntry: false });
    if (!stat) return null;
    const { dev, ino, size, mtimeMs, ctimeMs } = stat;
    return { size, mark: [dev, ino, size, mtimeMs, ctimeMs].join(' ') };
  }

  function close(): void {
    journal?.close();
    journal = null;
    known = null;
  }

  return { update, close };
}

// Its signature on a saved state: if an administrator manages the keys, programs start only from signed ones.

/** Whether the newest saved state still needs an editor's signature. */
export function needsVouching(workspace: Workspace): boolean {
  if (workspace.managedPins() === null) return false;
  const { snapshot = null, vouched = null } = workspace.stateFile.read() ?? {};
  if (!snapshot) return false;
  return vouched?.stateHash !== snapshot.stateHash || !isVouchedFor(vouched, workspace.pins());
}

/** @param saved a saved state that was compared with the journal */
export function vouchFor(workspace: Workspace, saved: SnapshotEntry, { keyid, sign }: KeySigner): void {
  const sig = Buffer.from(sign(vouchingBytes(saved))).toString('base64');
  workspace.stateFile.vouch({ ...saved, vouched: { keyid, sig } });
}

// The last known position. The state file is plain, and signing it would not help (docs/dev/journal.md); the witness
// detects a rollback or removal of the store together with its state file. The known position is then written back to the
// state file, and every program denies.

export const witness = z.object({
  v: z.literal(1),
  root: z.string(),
  workspace: z.uuid(),
  epoch: z.uuid().nullable(),
  position: z.int().positive(),
  head: sha256Hex,
  at: instant,
});
export type Witness = z.infer<typeof witness>;

/** The current position to remember; null while the store is in doubt or unused. */
export function testimony(workspace: Workspace): Witness | null {
  if (workspace.standing().problem) return null;
  const anchor = anchorOf(workspace);
  if (!anchor || anchor.position === 0) return null;
  const { root, workspace: id, epoch, position, head } = anchor;
  return { v: 1, root, workspace: id, epoch, position, head, at: workspace.now() };
}

/**
 * Whether the store continues from the remembered position, or a human has replaced it since. A store already in doubt
 * is not contradicted.
 */
export function agrees(workspace: Workspace, known: Witness): boolean {
  const { state, problem } = workspace.standing();
  if (problem || known.root !== workspace.location.root) return true;
  if (state.recovered !== null && state.recovered > known.at) return true;
  const anchor = anchorOf(workspace);
  const goesOn =
    anchor?.workspace === known.workspace && anchor.epoch === known.epoch && anchor.position >= known.position;
  return goesOn && hasLine(workspace.options.fs, known);
}

/**
 * Writes the known position for all programs of this machine.
 * @throws Error when the disk refuses
 */
export function testify(workspace: Workspace, { v, root, workspace: id, epoch, position, head }: Witness): void {
  workspace.stateFile.testify({ v, root, workspace: id, epoch, position, head });
  workspace.reopen();
}

/** Whether it is newer, given the same history. */
export function isNewer(one: Witness, than: Witness | null): boolean {
  return than?.epoch !== one.epoch || than.workspace !== one.workspace || one.position > than.position;
}

function anchorOf({ stateFile }: Workspace): ReturnType<Workspace['stateFile']['read']> {
  try {
    return stateFile.read();
  } catch {
    return null;
  }
}
