/**
 * What an editor remembers of a store outside of where the user's other programs write: its last known position. The
 * state file is plain, and signing it would not help (docs/dev/journal.md); the witness detects a rollback or removal of
 * the store together with its state file. The known position is then written back to the state file, and every program
 * denies.
 */
import * as z from 'zod';
import { instant, sha256Hex } from '../../core/kit/fields.ts';
import { hasLine } from '../../store/journal/line.ts';
import type { Workspace } from './workspace.ts';

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
