/**
 * A human's signed acts on a hold: it holds every file of the workspace until it is decided, or the named files again, or
 * changes of its files are accepted. Only the editor imports this, like `decisions.ts`.
 */
import { acceptProblem, shownWithChanges } from '../../core/fold/heldChanges.ts';
import { shownHolder, wideningProblem } from '../../core/fold/widening.ts';
import type { RecordInput } from '../../core/records/records.ts';
import { holderOf } from '../../core/hold/holds.ts';
import { limits } from '../../core/kit/words.ts';
import { hashOf } from '../../trust/canonical.ts';
import { humanActor, signRecord } from '../decision/decisions.ts';
import type { Signing } from '../decision/decisions.ts';
import { requirePerson } from '../decision/people.ts';
import { AppError } from '../workspace/errors.ts';

export type HoldOutcome =
  | 'decided'
  /** It is recorded, and needs more people. */
  | 'kept'
  /** It no longer holds anything, or already has this scope. */
  | 'already'
  /** It differs from what was shown: show it again and ask again. */
  | 'changed';

/**
 * @param files `all`: every file in every worktree of the store; `named`: only the named files
 * @param shown the hash the form was rendered with
 * @throws AppError `not_found`; StoreError
 */
export async function setHeldFiles(
  { store, signer, newId }: Signing,
  id: string,
  files: 'all' | 'named',
  shown: string,
): Promise<HoldOutcome> {
  const nonce = newId();
  return store.transact(humanActor(signer), ({ state, now }): { records: RecordInput[]; result: HoldOutcome } => {
    const seen = shownHolder(state, id);
    if (seen === null) throw new AppError('not_found', `there is no ${id}`);
    const record = { kind: files === 'all' ? 'hold.widened' : 'hold.narrowed', v: 1, id } as const;
    if (wideningProblem(state, record) !== null) return { records: [], result: 'already' };
    if (shown !== hashOf(seen)) return { records: [], result: 'changed' };
    const effect = requirePerson(state, record, shown, signer);
    const signed = signRecord(store, signer, record, { shown, nonce, at: now });
    return { records: [signed], result: effect === 'kept' ? 'kept' : 'decided' };
  });
}

/**
 * Accepts changes of held files, of all that were shown as many as fit into a record if no path is given: they are no reason any more to deny a commit.
 * @param shown the hash the form was rendered with
 * @throws AppError `not_found`; StoreError
 */
export async function acceptChanges(
  { store, signer, newId }: Signing,
  id: string,
  { path, shown }: { readonly path?: string | undefined; readonly shown: string },
): Promise<HoldOutcome> {
  const nonce = newId();
  return store.transact(humanActor(signer), ({ state, now }): { records: RecordInput[]; result: HoldOutcome } => {
    const holder = holderOf(state, id);
    const known = state.heldFiles.get(id);
    if (!holder) throw new AppError('not_found', `there is no ${id}`);
    if (shown !== hashOf(shownWithChanges(state, holder))) return { records: [], result: 'changed' };
    const chosen = (known?.changes ?? []).filter((one) => path === undefined || one.path === path);
    const files = chosen
      .slice(0, limits.listItems)
      .map(({ path: of, was, is, copy }) => ({ path: of, was, is, ...(copy === undefined ? {} : { copy }) }));
    const isLost = path === undefined && known?.lost != null && files.length === chosen.length;
    const record = {
      kind: 'hold.changeAccepted',
      v: 1,
      id,
      files,
      ...(isLost ? { lost: true as const, newBaseline: true as const } : {}),
    } as const;
    if (!known || acceptProblem(known, record) !== null) return { records: [], result: 'already' };
    const effect = requirePerson(state, record, shown, signer);
    const signed = signRecord(store, signer, record, { shown, nonce, at: now });
    return {
      records: [signed],
      result: effect === 'kept' ? 'kept' : 'decided',
    };
  });
}
