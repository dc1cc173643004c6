/** A human's signed deletion of a work item. Only the editor and `serve` import this. */
import { decidedFirst, deletionOf, shownDeletion } from '../../core/work/deletion.ts';
import type { Deletion } from '../../core/work/deletion.ts';
import { hashOf } from '../../trust/canonical.ts';
import { humanActor, signRecord } from '../decision/decisions.ts';
import type { Signing } from '../decision/decisions.ts';
import { AppError, notRegistered } from '../workspace/errors.ts';

/** Hash of what a form shows before a deletion. */
export function shownDeletionHash(deletion: Deletion): string {
  return hashOf(shownDeletion(deletion));
}

/**
 * Deletes an item and everything in it, also while it is held or needed.
 * @param shown the hash the form was rendered with
 * @throws AppError `not_found`; `conflict` when it differs from what was shown, or what holds it must be decided first
 */
export async function deleteWork({ store, signer, newId }: Signing, id: string, shown: string): Promise<void> {
  const nonce = newId();
  await store.transact(humanActor(signer), ({ state, now }) => {
    const deletion = deletionOf(state, id);
    if (deletion === null) throw notRegistered(id);
    if (shown !== shownDeletionHash(deletion))
      throw new AppError('conflict', `${id} has changed since it was shown: check it again`);
    const first = decidedFirst(state, deletion);
    if (first !== null) throw new AppError('conflict', `${first.id} holds it: decide that first`);
    const record = { kind: 'work.deleted', v: 1, id } as const;
    return { records: [signRecord(store, signer, record, { shown, nonce, at: now })], result: null };
  });
}
