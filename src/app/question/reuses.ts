/** Answers that were reused without asking a human, for review and revocation. */
import type { View } from '../../store/store.ts';

/** A question that was answered with an earlier answer. */
export interface Reuse {
  readonly agent_id: string;
  readonly reused_at: string;
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
