/**
 * How this editor stands to a workspace, as it was last time: asking again goes through VS Code's secret storage, for
 * which a view need not wait. Only for what is shown: every act asks again.
 */
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { Keys, SignerStanding } from '../../ui/surface/keys.ts';

/** @param changed is called when what was returned is no longer so */
export function createLastStanding(
  keys: Pick<Keys, 'standing'>,
  changed: () => void,
): (workspace: Workspace) => Promise<SignerStanding> {
  const last = new WeakMap<Workspace, SignerStanding>();
  return (workspace) => {
    const before = last.get(workspace);
    const now = keys.standing(workspace).then((found) => {
      last.set(workspace, found);
      return found;
    });
    if (before === undefined) return now;
    now.then(
      (found) => {
        if (JSON.stringify(found) !== JSON.stringify(before)) changed();
      },
      () => {
        // The next one waits, and fails as this one did.
        last.delete(workspace);
        changed();
      },
    );
    return Promise.resolve(before);
  };
}
