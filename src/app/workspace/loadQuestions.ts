/** Loads the questions of a saved state in steps: all at once, thousands would block an editor. */
import { holderOf, isRfc } from '../../core/hold/holds.ts';
import type { State } from '../../core/state/state.ts';

/** Each question is made once: a later caller that needs all of them only collects them. */
export function* loadQuestions(state: State): Generator<unknown, void> {
  if (!state.unread) return;
  const { quorum, passkeys } = state.policy;
  // For these rules, the count of what one person can decide needs the files that each is about.
  const needsFiles = [...(quorum?.rules ?? []), ...(passkeys?.rules ?? [])].some(({ globs }) => globs !== undefined);
  // Question numbers have no gaps.
  for (let number = 1; ; number++) {
    const question = holderOf(state, `Q-${String(number)}`);
    if (!question || isRfc(question)) return;
    yield needsFiles && question.raised; // read on first use
  }
}
