/** For programs that answer once, such as a gate: most answers need a small part of the saved state. */
import { SavedStateGone } from '../../store/journal/problem.ts';

/**
 * Answers again, from files that are read and checked as a whole, where the part that an answer needs is not as it was
 * written.
 * @param answer opens the workspace with this option, and has printed nothing when it throws
 */
export async function withSavedParts<T>(answer: (lazyFrom: number) => Promise<T>): Promise<T> {
  try {
    return await answer(0);
  } catch (error) {
    if (!(error instanceof SavedStateGone)) throw error;
    return answer(Infinity);
  }
}
