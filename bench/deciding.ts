/** Decisions of a human on questions of a seed. */
import type { Verdict } from '../src/app/decision/decisions.ts';
import { decide, enrolledHuman, yes } from '../test/support/store/people.ts';
import { openPlace } from './seed.ts';
import type { Place } from './seed.ts';

/**
 * Decides the first questions.
 * @param verdictOf by the number of the question
 */
export async function decideMany(place: Place, count: number, verdictOf: (number: number) => Verdict = () => yes) {
  const workspace = openPlace(place);
  const human = enrolledHuman(workspace);
  for (let number = 1; number <= count; number++) {
    const { outcome } = await decide(workspace, human, `Q-${String(number)}`, verdictOf(number));
    if (outcome !== 'decided') throw new Error(`Q-${String(number)}: ${outcome}`);
  }
  workspace.close();
}
