/**
 * Which copy of a workspace this is. A team shares the journal, not the files: each machine has a checkout of its own,
 * with baselines and changes of its own. Its name is random and kept next to the anchor.
 */
import path from 'node:path';
import { noHeldFiles, ofCopy, type HeldFiles } from '../../core/state/heldChanges.ts';
import type { CurrentState } from '../../core/state/state.ts';
import { putFile, readOrNull } from '../../store/journal/files.ts';
import { findStore } from '../../store/journal/findStore.ts';
import { besideStateFile } from '../../store/journal/stateFile.ts';
import type { Answering } from '../workspace/atGate.ts';

/** Undefined where the journal is this machine's own; null where this copy has no name yet. */
export function copyOf({ options, stateFile }: Answering, state: CurrentState): string | null | undefined {
  if (state.shared === null) return undefined;
  const text = readOrNull(options.fs, fileOf(stateFile.path))?.toString('utf8') ?? '';
  return /^[0-9a-f]{16}$/.test(text) ? text : null;
}

/** Gives this copy a name if it needs one and has none. Returns whether it did. */
export function nameCopy(workspace: Answering, state: CurrentState): boolean {
  if (copyOf(workspace, state) !== null) return false;
  const { options, stateFile } = workspace;
  putFile(options, fileOf(stateFile.path), options.newId().replaceAll('-', '').slice(0, 16));
  return true;
}

export function ownFiles(state: CurrentState, id: string, copy: ReturnType<typeof copyOf>): HeldFiles | undefined {
  const known = state.heldFiles.get(id);
  return known && (copy === null ? noHeldFiles : ofCopy(known, copy));
}

/** Whether something may have been noted in this copy: anything, where that is not known. */
export function mayBeOwn(workspace: Answering, state: CurrentState): (noted: { readonly copy?: string }) => boolean {
  const copy = copyOf(workspace, state);
  return (noted) => copy == null || noted.copy === undefined || noted.copy === copy;
}

/** Whether a worktree is one of this copy: a teammate's may be another folder here, or none. */
export function isHere({ options, location, userFolder }: Answering, worktree: string): boolean {
  if (worktree === '.') return true;
  const folder = path.join(location.root, worktree);
  return options.fs.existsSync(folder) && findStore(options.fs, userFolder, folder).root === location.root;
}

function fileOf(stateFile: string): string {
  return besideStateFile(stateFile, 'copy', 'txt');
}
