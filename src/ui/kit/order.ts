/** What the tree, the forms and the status bar show of the waiting questions, each computed once per change. */
import { waitingCount, waitingOrder } from '../../app/question/views.ts';
import { isOpenHolder } from '../../core/hold/holds.ts';
import { confirmableQuestions, sameShapes, type SameShape } from '../../core/question/shape.ts';
import { type Question, type State, undecidedQuestions } from '../../core/state/state.ts';
import { perChange, type HasPosition } from './timing.ts';

export const orderOf = perChange(waitingOrder);
export const countOf = perChange(waitingCount);
const confirmableIn = perChange((state) => confirmableQuestions(state));

export const criticalIn = perChange((state) =>
  undecidedQuestions(state).filter(({ urgency }) => urgency === 'critical'),
);

/** Groups of open questions that one act can answer together, by the id of each question. */
export const sameShapesIn = perChange((state): ReadonlyMap<string, SameShape> => {
  const groups = sameShapes(state, undecidedQuestions(state));
  return new Map(groups.flatMap((group) => group.questions.map(({ id }): [string, SameShape] => [id, group])));
});

/** Holds that a human widened to every file. */
export const widenedIn = perChange((state) =>
  [...undecidedQuestions(state), ...state.rfcs.values()].filter((one) => one.widened !== null && isOpenHolder(one)),
);

/** Number of assumptions to confirm: of an agent, or of all. */
export function confirmableCount(workspace: HasPosition, state: State, agent?: string): number {
  return countedOf(confirmableIn(workspace, state), agent);
}

function countedOf(questions: readonly Question[], agent: string | undefined): number {
  return agent === undefined ? questions.length : questions.filter(({ asker }) => asker.id === agent).length;
}
