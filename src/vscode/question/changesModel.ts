/** Held files that have changed, for the form of the question that holds them. */
import { isAsBefore } from '../../app/hold/lookAtHeld.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { isChanged } from '../../core/state/heldChanges.ts';
import type { State } from '../../core/state/state.ts';
import type { QuestionForm } from '../../protocol/question/question.ts';

/** At most so many can be accepted at once. */
const shownAtMost = 100;

export function changesModel(
  workspace: Workspace,
  state: State,
  id: string,
  here: boolean,
): Pick<QuestionForm, 'changes'> {
  const known = state.heldFiles.get(id);
  const question = state.questions.get(id);
  if (!known || !question || !isChanged(known)) return {};
  const files = known.changes.slice(0, shownAtMost).map((change) => ({
    path: change.path,
    how: change.was === null ? ('added' as const) : change.is === null ? ('removed' as const) : ('changed' as const),
    at: change.at,
    ...(change.call === null ? {} : { call: change.call }),
    same: isAsBefore(workspace, question, change),
  }));
  return { changes: { files, lost: known.lost !== null, here } };
}
