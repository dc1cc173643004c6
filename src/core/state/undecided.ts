/** The questions that wait for an answer. */
import { isWaiting } from './state.ts';
import type { Question, State } from './state.ts';

/** In the order of their numbers. Where most questions are closed, only these are read of a saved state. */
export function undecidedQuestions({ questions, undecided }: Pick<State, 'questions' | 'undecided'>): Question[] {
  if (2 * undecided.size > questions.size) return [...questions.values()].filter(isWaiting);
  const numbers = [...undecided].map((id) => Number(id.slice('Q-'.length)));
  // One that was reopened comes last in the set.
  return numbers.sort((a, b) => a - b).flatMap((number) => questions.get(`Q-${String(number)}`) ?? []);
}
