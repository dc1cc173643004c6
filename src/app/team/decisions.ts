/** Human acts that move a journal to a shared server and back. Only the editor imports this. */
import { shownSharing } from '../../core/fold/sharing.ts';
import { sharingFormat } from '../../core/records/sharing.ts';
import type { Shared } from '../../core/records/sharing.ts';
import { askForFormat } from '../../core/state/askForFormat.ts';
import type { State } from '../../core/state/state.ts';
import { hashOf } from '../../trust/canonical.ts';
import { humanActor, signRecord } from '../decision/decisions.ts';
import type { Signing, Unsigned } from '../decision/decisions.ts';
import { AppError } from '../workspace/errors.ts';

/** Hash of what a form shows of the present sharing. */
export function shownSharingHash(state: State): string {
  return hashOf(shownSharing(state));
}

/**
 * Records that the journal moves to a shared server.
 * @param shown the hash the form was rendered with
 * @throws AppError `conflict` when that changed meanwhile, `bad_input` for a malformed name or key
 */
export async function shareStore(
  signing: Signing,
  { name, roots }: Pick<Shared, 'name' | 'roots'>,
  shown: string,
): Promise<void> {
  await recordSharing(signing, { kind: 'store.shared', v: 1, name, roots: [...roots] }, shown);
}

/** Records that the journal moves back to this machine. @throws AppError as `shareStore` */
export async function unshareStore(signing: Signing, shown: string): Promise<void> {
  await recordSharing(signing, { kind: 'store.unshared', v: 1 }, shown);
}

async function recordSharing({ store, signer, newId }: Signing, record: Unsigned, shown: string): Promise<void> {
  const nonce = newId();
  await store.transact(humanActor(signer), ({ state, now }) => {
    if (shown !== shownSharingHash(state) || (state.shared === null) !== (record.kind === 'store.shared'))
      throw new AppError('conflict', 'where the journal is kept has changed since it was shown: check it again');
    return {
      records: [...askForFormat(state, sharingFormat), signRecord(store, signer, record, { shown, nonce, at: now })],
      result: null,
    };
  });
}
