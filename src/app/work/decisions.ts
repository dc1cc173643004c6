/** A human's signed deletion of a work item. Only the editor and `serve` import this. */
import { shownDeletion, type Deletion } from '../../core/work/fold.ts';
import { hashOf } from '../../trust/canonical.ts';
import { requireDecided, type Signing } from '../decision/decisions.ts';

/** Hash of the items as a form shows them before a deletion. */
export function shownDeletionHash(deletion: Deletion): string {
  return hashOf(shownDeletion(deletion));
}

/**
 * Deletes an item and everything in it, also while it is held or needed.
 * @param shown the hash the form was rendered with
 * @throws AppError as `requireDecided`
 */
export async function deleteWork(signing: Signing, id: string, shown: string): Promise<void> {
  await requireDecided(signing, { kind: 'work.deleted', v: 1, id }, shown);
}
