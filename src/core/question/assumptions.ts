/** Assumptions that agents continue with, and which of them a human can confirm with a plain yes. */
import { tickedUpTo } from '../kit/words.ts';
import { isUnruled } from '../state/quorum.ts';
import { isWaiting, type Question, type State, undecidedQuestions } from '../state/state.ts';

/** Whether a yes to what the agent assumes is an answer to the question, and still would be one. */
export function isConfirmable(question: Question): boolean {
  const { mode, status, facts } = question;
  return mode === 'async' && status === 'pending' && isWaiting(question) && facts.isConfirmable;
}

/** Whether the form of several assumptions ticks one before the human has looked at it: never a critical one. */
export function isTickedAtFirst({ policy }: State, { urgency }: Pick<Question, 'urgency'>): boolean {
  const upTo = policy.assumptions?.tickedUpTo ?? 'high';
  return urgency !== 'critical' && tickedUpTo.options.indexOf(urgency) <= tickedUpTo.options.indexOf(upTo);
}

/** The questions of one agent, or of all, whose assumptions can be confirmed, in the order they were asked. */
export function confirmableQuestions(state: State, agent?: string): Question[] {
  return undecidedQuestions(state).filter(
    (question) =>
      isConfirmable(question) && isUnruled(state, question) && (agent === undefined || question.asker.id === agent),
  );
}
