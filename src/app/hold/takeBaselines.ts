/**
 * Notes how held files are when a hold begins or grows. Any program does it that sees such a hold first: the one that
 * raised the question, else the editor or a hook.
 */
import path from 'node:path';
import { fileScopes, openHolders, isRfc } from '../../core/hold/holds.ts';
import { heldChangesFormat } from '../../core/records/heldChanges.ts';
import { askForFormat } from '../../core/state/askForFormat.ts';
import type { Question, State } from '../../core/state/state.ts';
import { StoreError } from '../../store/journal/problem.ts';
import { hashOf } from '../../trust/canonical.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { removeBaselines, writeBaseline } from './baseline.ts';
import type { Place } from './heldOnDisk.ts';

const system = { kind: 'system', id: 'baseline' } as const;

/** Where the files are that a question holds. */
export function placeOf({ options, location, ignoreCase }: Workspace, { asker }: Pick<Question, 'asker'>): Place {
  return { fs: options.fs, folder: path.join(location.root, asker.worktree ?? '.'), ignoreCase };
}

/** Questions whose held files have no baseline yet. A team's journal has none: each machine has files of its own. */
function withoutBaseline(state: State): Question[] {
  if (state.shared !== null || state.holders.size === 0) return [];
  const questions = openHolders(state, (holder) => !isRfc(holder) && fileScopes(state, holder).length > 0);
  return questions.flatMap((holder) => {
    if (isRfc(holder)) return [];
    const last = state.heldFiles.get(holder.id)?.baselines.at(-1);
    return last?.scopes === hashOf(fileScopes(state, holder)) ? [] : [holder];
  });
}

/** Whether a baseline is missing, or one is there that nothing needs. */
export function isBaselineDue(workspace: Workspace): boolean {
  const { state } = workspace.standing();
  return state !== null && withoutBaseline(state).length > 0;
}

/** Never throws: a change without a baseline is not detected, and what is held stays held. */
export async function takeBaselines(workspace: Workspace): Promise<void> {
  const { state } = workspace.standing();
  if (!state) return;
  const { fs, newId, clock } = workspace.options;
  const { root } = workspace.location;
  removeBaselines({ fs, root }, (id) => state.heldFiles.has(id) || state.holders.has(id));
  try {
    for (const question of withoutBaseline(state)) {
      const store = await workspace.store();
      if (store.problem || store.readOnly) return;
      const { id } = question;
      const scopes = fileScopes(state, question);
      const part = (state.heldFiles.get(id)?.baselines.length ?? 0) + 1;
      const noted = { id, scopes, takenAt: clock(), newId, root };
      const { hash, files } = writeBaseline(placeOf(workspace, question), noted);
      await store.transact(system, (view) => ({
        records: isNeeded(view.state, id, part)
          ? [
              ...askForFormat(view.state, heldChangesFormat),
              { kind: 'hold.baselineTaken', v: 1, id, part, hash, scopes: hashOf(scopes), files },
            ]
          : [],
        result: null,
      }));
    }
  } catch (error) {
    if (!(error instanceof StoreError) && !(error instanceof Error && 'code' in error)) throw error;
  }
}

/** Another program may have been first. */
function isNeeded(state: State, id: string, part: number): boolean {
  return (
    withoutBaseline(state).some((one) => one.id === id) && (state.heldFiles.get(id)?.baselines.length ?? 0) + 1 === part
  );
}
