/** Held files that were changed and that a commit has: no human has accepted that. */
import { holderOf } from '../../core/hold/holds.ts';
import { seenFrom } from '../../core/kit/paths.ts';
import { isChanged, type HeldChange } from '../../core/state/heldChanges.ts';
import type { CurrentState } from '../../core/state/state.ts';
import { sha256 } from '../../trust/canonical.ts';
import { committedNames } from '../workspace/paths.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { mayBeOwn } from './copy.ts';

export interface ChangedInCommit extends Pick<HeldChange, 'at' | 'call'> {
  readonly commit: string;
  readonly path: string;
  readonly held_by: string;
  /** It is not known what changed: the baseline is missing or was changed. */
  readonly lost: boolean;
}

export interface InCommit {
  readonly name: string;
  /** Absolute, or relative to the worktree, with the names that git recorded. */
  readonly files: readonly string[];
  /** The content that a file gets by it; null if it removes the file. */
  readonly contentOf?: (file: string) => Buffer | null;
}

/** What is committed as it was when the hold began is not a change. */
export function changedInCommits(
  workspace: Workspace,
  state: CurrentState,
  commits: readonly InCommit[],
): ChangedInCommit[] {
  const held = [...state.heldFiles].filter(([, files]) => isChanged(files));
  if (held.length === 0) return [];
  const isOwn = mayBeOwn(workspace, state);
  return commits.flatMap((commit) =>
    commit.files.flatMap((file) =>
      held.flatMap(([id, { changes, lost }]): ChangedInCommit[] => {
        const there = holderOf(state, id)?.asker.worktree ?? '.';
        const names = (committedNames(workspace, file) ?? []).map((name) => seenFrom(there, workspace.worktree, name));
        const found = changes.find((one) => names.includes(one.path) && isIn(commit, file, one));
        const about = { commit: commit.name, held_by: id };
        if (found) return [{ ...about, path: found.path, at: found.at, call: found.call, lost: false }];
        return lost && isOwn(lost)
          ? [{ ...about, path: names[0] ?? file, at: lost.at, call: lost.call, lost: true }]
          : [];
      }),
    ),
  );

  /** What is not as before; of another copy of a team, only the very content that it got there. */
  function isIn({ contentOf }: InCommit, file: string, change: HeldChange): boolean {
    const bytes = contentOf?.(file);
    if (bytes === undefined) return isOwn(change);
    const content = bytes && sha256(bytes);
    return isOwn(change) ? content !== change.was : content === change.is;
  }
}
