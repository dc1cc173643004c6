/** Notices when the server of a shared workspace stops or begins to answer, which no change of a file announces. */
import { freshnessOf } from '../../app/workspace/freshness.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';

const lookEveryMs = 1_000;

export function keepFreshness(folders: Folders): Closable {
  const all = collect();
  const known = new Map<Workspace, string>();
  let clock: NodeJS.Timeout | undefined;

  function look(): void {
    for (const [{ workspace }] of folders.stores) {
      const now = JSON.stringify(freshnessOf(workspace));
      const before = known.get(workspace);
      known.set(workspace, now);
      if (before !== undefined && before !== now) workspace.changed();
    }
  }

  /** Local journals cost no timer. */
  function plan(): void {
    const isShared = folders.stores.some(([{ workspace }]) => freshnessOf(workspace).state !== 'local');
    if (isShared) clock ??= setInterval(look, lookEveryMs);
    else {
      clearInterval(clock);
      clock = undefined;
    }
  }

  all.add(folders.onDidChange(plan));
  all.add({
    dispose() {
      clearInterval(clock);
    },
  });
  return all;
}
