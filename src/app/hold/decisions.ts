/**
 * A human's signed acts on a hold: it holds every file of the workspace until it is decided, or the named files again, or
 * changes of its files are accepted. Only the editor imports this, like `decisions.ts`.
 */
import { limits } from '../../core/kit/limits.ts';
import { decideOne, type Outcome, type Signing } from '../decision/decisions.ts';

export type { Outcome as HoldOutcome } from '../decision/decisions.ts';

/**
 * @param files `all`: every file in every worktree of the store; `named`: only the named files
 * @param shown the hash the form was rendered with
 * @throws AppError as `decideOne`
 */
export async function setHeldFiles(
  signing: Signing,
  id: string,
  files: 'all' | 'named',
  shown: string,
): Promise<Outcome> {
  const kind = files === 'all' ? 'hold.widened' : 'hold.narrowed';
  return (await decideOne(signing, () => ({ kind, v: 1, id }), shown)).outcome;
}

/**
 * Accepts changes of held files, of all that were shown as many as fit into a record if no path is given: they are no reason any more to deny a commit.
 * @param shown the hash the form was rendered with
 * @throws AppError as `decideOne`
 */
export async function acceptChanges(
  signing: Signing,
  id: string,
  { path, shown }: { readonly path?: string | undefined; readonly shown: string },
): Promise<Outcome> {
  const { outcome } = await decideOne(
    signing,
    ({ state }) => {
      const known = state.heldFiles.get(id);
      const chosen = (known?.changes ?? []).filter((one) => path === undefined || one.path === path);
      const files = chosen
        .slice(0, limits.listItems)
        .map(({ path: of, was, is, copy }) => ({ path: of, was, is, ...(copy === undefined ? {} : { copy }) }));
      const isLost = path === undefined && known?.lost != null && files.length === chosen.length;
      const lost = isLost ? { lost: true as const, newBaseline: true as const } : {};
      return { kind: 'hold.changeAccepted', v: 1, id, files, ...lost };
    },
    shown,
  );
  return outcome;
}
