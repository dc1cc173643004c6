/** Held files that were changed and that a commit has: no human has accepted that. */
import { holderOf } from '../../core/hold/holds.ts';
import { seenFrom } from '../../core/kit/paths.ts';
import type { HeldChange } from '../../core/state/heldChanges.ts';
import { isChanged } from '../../core/state/heldChanges.ts';
import type { State } from '../../core/state/state.ts';
import { sha256 } from '../../trust/canonical.ts';
import { allNames } from '../workspace/paths.ts';
import type { Workspace } from '../workspace/workspace.ts';

export interface ChangedInCommit extends Pick<HeldChange, 'at' | 'call'> {
  readonly commit: string;
  readonly path: string;
  readonly held_by: string;
  /** It is not known what changed: the baseline is missing or was changed. */
  readonly lost: boolean;
}

/** What a commit changes, or one about to be created. */
export interface InCommit {
  readonly name: string;
  /** Absolute, or relative to the worktree. */
  readonly files: readonly string[];
  /** The content that a file gets by it; null if it removes the file. */
  readonly contentOf?: (file: string) => Buffer | null;
}

/** What is committed as it was when the hold began is no change. @throws AppError for a path outside the workspace */
export function changedInCommits(workspace: Workspace, state: State, commits: readonly InCommit[]): ChangedInCommit[] {
  const held = [...state.heldFiles].filter(([, files]) => isChanged(files));
  if (held.length === 0) return [];
  return commits.flatMap((commit) =>
    commit.files.flatMap((file) =>
      held.flatMap(([id, { changes, lost }]): ChangedInCommit[] => {
        const there = holderOf(state, id)?.asker.worktree ?? '.';
        const names = allNames(workspace, file, 'files').map((name) => seenFrom(there, workspace.worktree, name));
        const found = changes.find((one) => names.includes(one.path));
        const about = { commit: commit.name, held_by: id };
        if (found && !isAsBefore(commit, file, found))
          return [{ ...about, path: found.path, at: found.at, call: found.call, lost: false }];
        return lost ? [{ ...about, path: names[0] ?? file, at: lost.at, call: lost.call, lost: true }] : [];
      }),
    ),
  );
}

function isAsBefore({ contentOf }: InCommit, file: string, { was }: HeldChange): boolean {
  const bytes = contentOf?.(file);
  return bytes === undefined ? false : (bytes && sha256(bytes)) === was;
}
