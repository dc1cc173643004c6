/** A page of questions, newest first, with the counts of the whole selection. */
import type { Question } from '../../core/state/state.ts';
import type { View } from '../../store/store.ts';
import { countsOf, numberOf, questionViews, type QuestionList } from './views.ts';

export interface PageOptions {
  readonly matches: (question: Question) => boolean;
  /** Id; only questions raised before it. */
  readonly before: string | undefined;
  readonly atMost: number;
}

export interface QuestionPage extends QuestionList {
  /** `before` of the next page; null on the last one. */
  readonly nextBefore: string | null;
}

export function questionPage(view: View, { matches, before, atMost }: PageOptions): QuestionPage {
  const all = [...view.state.questions.values()].filter(matches).reverse();
  const rest = before === undefined ? all : all.filter(({ id }) => numberOf(id) < numberOf(before));
  const ids = rest.slice(0, atMost).map(({ id }) => id);
  return {
    questions: questionViews(view, ids),
    ...countsOf(all),
    nextBefore: rest.length > atMost ? (ids.at(-1) ?? null) : null,
  };
}
