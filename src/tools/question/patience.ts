/** How long a call may wait for a human before its agent should park the question. */
import { parkingTime } from '../../core/state/parking.ts';
import type { QuestionView } from '../../app/question/views.ts';
import type { State } from '../../core/state/state.ts';

type Asked = Pick<QuestionView, 'id'>;

interface View {
  readonly state: State;
  /** ISO 8601. */
  readonly now: string;
}

/** Milliseconds until all of these are due for parking, at most `forMs`. */
export function patience(view: View, questions: readonly Asked[], agent: string, forMs: number): number {
  const last = Math.max(0, ...questions.map((one) => timeOf(view, one, agent)));
  return Math.min(forMs, Math.max(0, last - Date.parse(view.now)));
}

/** Whether the wait for this question has become too expensive for its agent. One that holds nothing does not stop it. */
export function isDue(view: View, question: QuestionView, agent: string): boolean {
  const waits = question.resolution === null && question.waiting_for === 'human' && question.holding;
  return waits && Date.parse(view.now) >= timeOf(view, question, agent);
}

function timeOf({ state }: View, { id }: Asked, agent: string): number {
  const question = state.questions.get(id);
  return question?.mode === 'sync' ? parkingTime(state, question, agent) : Infinity;
}
