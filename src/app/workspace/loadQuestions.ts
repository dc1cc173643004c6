/** Loads the questions of a saved state in steps, as they were raised too: all at once, thousands would block an editor. */
import { holderOf, isRfc } from '../../core/hold/holds.ts';
import type { State } from '../../core/state/state.ts';

/** Each question is made once: a later caller that needs all of them only collects them. */
export function* loadQuestions(state: State): Generator<unknown, void> {
  if (!state.unread) return;
  // Question numbers have no gaps.
  for (let number = 1; ; number++) {
    const question = holderOf(state, `Q-${String(number)}`);
    if (!question || isRfc(question)) return;
    yield question.raised; // read on first use
  }
}
