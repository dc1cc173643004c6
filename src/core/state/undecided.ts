/** The questions that wait for an answer. */
import { isWhole, type CurrentState, type OpenQuestion } from './state.ts';

/** In the order of their numbers. */
export function undecidedQuestions({
  questions,
  undecided,
}: Pick<CurrentState, 'questions' | 'undecided'>): OpenQuestion[] {
  const numbers = [...undecided].map((id) => Number(id.slice('Q-'.length)));
  // One that was reopened comes last in the set.
  return numbers
    .sort((a, b) => a - b)
    .flatMap((number) => questions.get(`Q-${String(number)}`) ?? [])
    .filter(isWhole);
}
