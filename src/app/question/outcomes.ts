/** What has become of outcomes, which only rows know: whether their agents received them, and how often they were reused. */
import { recipientOf } from '../../core/state/askBack.ts';
import type { Question } from '../../core/state/state.ts';
import type { View } from '../../store/store.ts';

export interface Outcome {
  /** When the receiving agent was first offered it, and when it continued with it. */
  readonly offered_at: string | null;
  readonly acknowledged_at: string | null;
  readonly reuse_count: number;
}

export const noOutcome: Outcome = { offered_at: null, acknowledged_at: null, reuse_count: 0 };

/** Number of ids per query. */
const idsAtOnce = 500;

export function outcomesOf({ rows, state }: View, questions: readonly Question[]): (question: Question) => Outcome {
  const deliveries = new Map<string, Omit<Outcome, 'reuse_count'>>();
  const reuses = new Map<string, number>();
  for (let from = 0; from < questions.length; from += idsAtOnce) {
    const ids = questions.slice(from, from + idsAtOnce).map(({ id }) => id);
    const found = rows.query.selectFrom('deliveries').selectAll().where('question_id', 'in', ids);
    for (const { question_id, agent_id, ...times } of rows.all(found))
      deliveries.set(keyOf(question_id, agent_id), times);
    const counted = rows.query
      .selectFrom('answer_reuses')
      .select(['question_id', ({ fn }) => fn.countAll<number>().as('count')])
      .where('question_id', 'in', ids)
      .groupBy('question_id');
    for (const { question_id, count } of rows.all(counted)) reuses.set(question_id, count);
  }
  return (question) => {
    const { offered_at, acknowledged_at } =
      deliveries.get(keyOf(question.id, recipientOf(state, question))) ?? noOutcome;
    return { offered_at, acknowledged_at, reuse_count: reuses.get(question.id) ?? 0 };
  };
}

function keyOf(question: string, agent: string): string {
  return `${question} ${agent}`;
}
