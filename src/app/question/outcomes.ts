/** What has become of outcomes, which only rows know: whether their agents received them, and how often they were reused. */
import { recipientOf } from '../../core/state/askBack.ts';
import type { Question } from '../../core/state/state.ts';
import { listed } from '../../store/rows/read.ts';
import type { View } from '../../store/store.ts';

export interface Outcome {
  /** When the receiving agent was first offered it, and when it continued with it. */
  readonly offered_at: string | null;
  readonly acknowledged_at: string | null;
  readonly reuse_count: number;
}

export const noOutcome: Outcome = { offered_at: null, acknowledged_at: null, reuse_count: 0 };

export function outcomesOf({ rows, state }: View, questions: readonly Question[]): (question: Question) => Outcome {
  const ids = listed(questions.map(({ id }) => id));
  const deliveries = rows.all<Omit<Outcome, 'reuse_count'> & { subject: string; agent: string }>(
    `SELECT subject, agent, offered_at, acknowledged_at FROM deliveries
      WHERE subject IN (SELECT value FROM json_each(?)) AND what = 'outcome'`,
    ids,
  );
  const times = new Map(deliveries.map(({ subject, agent, ...one }) => [keyOf(subject, agent), one]));
  const reuses = rows.all<{ subject: string; count: number }>(
    `SELECT subject, count(*) AS count FROM records
      WHERE subject IN (SELECT value FROM json_each(?)) AND kind = 'answer.reused' GROUP BY subject`,
    ids,
  );
  const counts = new Map(reuses.map(({ subject, count }) => [subject, count]));
  return (question) => {
    const { offered_at, acknowledged_at } = times.get(keyOf(question.id, recipientOf(state, question))) ?? noOutcome;
    return { offered_at, acknowledged_at, reuse_count: counts.get(question.id) ?? 0 };
  };
}

function keyOf(question: string, agent: string): string {
  return `${question} ${agent}`;
}
