/**
 * Effects of sharing a workspace and of ending that. Nothing else in the state changes by them: the policy's rules on people
 * stay in force, so one signature is enough for both.
 */
import type { Shared, SharingRecord } from '../records/sharing.ts';
import type { Deciding, Effects } from '../state/effect.ts';
import { Inadmissible } from '../state/inadmissible.ts';
import type { State } from '../state/state.ts';

export const sharingEffects: Effects<SharingRecord['kind']> = {
  'store.shared': (at, { name, roots }) => {
    if (at.state.shared) throw new Inadmissible(`the workspace is already shared as ${at.state.shared.name}`);
    applySharing(at, { name, roots, at: at.payload.at, by: at.payload.by });
  },
  'store.unshared': (at) => {
    if (!at.state.shared) throw new Inadmissible('the workspace is not shared');
    applySharing(at, null);
  },
};

function applySharing({ state, change, trust, payload }: Deciding, shared: Shared | null): void {
  if (payload.shown !== trust.hash(shownSharing(state)))
    throw new Inadmissible('where the journal is kept has changed since it was shown', 'forgery');
  change.assign(state, 'shared', shared);
}

/** What a human is shown of the present sharing, and signs when changing it. */
export function shownSharing({ shared }: Pick<State, 'shared'>): object {
  return { shared };
}
