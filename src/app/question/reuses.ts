/** Answers that were reused without asking a human, for review and revocation. */
import type { View } from '../../store/store.ts';
import { questionView } from './views.ts';
import type { QuestionView } from './views.ts';

/** A question that was answered with an earlier answer. */
export interface Reuse {
  readonly agent_id: string;
  readonly reused_at: string;
}

export interface ReusedAnswer {
  readonly question: QuestionView;
  /** Latest first. */
  readonly reuses: readonly Reuse[];
}

/** Who received the answer again, latest first: part of a question's history. */
export function reusesOf(view: View, id: string): Reuse[] {
  return view.rows.all(
    view.rows.query
      .selectFrom('answer_reuses')
      .select(['agent_id', 'reused_at'])
      .where('question_id', '=', id)
      .orderBy('position', 'desc'),
  );
}

/** All reused answers, latest reuse first. */
export function reusedAnswers(view: View): ReusedAnswer[] {
  const ids = view.rows.all(
    view.rows.query
      .selectFrom('answer_reuses')
      .select('question_id')
      .groupBy('question_id')
      .orderBy((eb) => eb.fn.max('position'), 'desc'),
  );
  return ids.flatMap(({ question_id }) => {
    const question = questionView(view, question_id);
    return question ? [{ question, reuses: reusesOf(view, question_id) }] : [];
  });
}
