/** Advice for the agent that asked: what its question lacks. It is asked, and holds, all the same. */
import { missingIn, sameOpen } from '../../core/question/weak.ts';
import type { Missing } from '../../core/question/weak.ts';
import type { Guide } from '../../core/kit/guide.ts';
import type { State } from '../../core/state/state.ts';

export interface Advice {
  readonly text: string;
  readonly missing: readonly Missing[];
}

const words: Readonly<Record<Missing, (same: string) => string>> = {
  background: () => 'why you ask and what you found (background, context, impact or files)',
  choices: () => 'the choices that its text names (choices)',
  recommendation: () => 'the choice that you recommend (recommended)',
  assumption: () => 'what you assume until the answer comes (assumption)',
  same_question: (same) => `how it differs from ${same}, which asks the same and is still open`,
};

/** Null for an undecided question that lacks nothing, and for one that is over. */
export function adviceFor({ state }: { readonly state: State }, id: string, guide: Guide): Advice | null {
  const question = state.questions.get(id);
  if (question?.resolution !== null) return null;
  const missing = missingIn(state, question);
  if (missing.length === 0) return null;
  const lacks = missing.map((one) => words[one](sameOpen(state, question) ?? '')).join('; ');
  const next =
    question.mode === 'sync'
      ? 'It stays as it is and holds its work. Have this ready in case the human asks for it, and give it with your next question.'
      : `You can withdraw it with ${guide.name('withdraw_question', { id, reason: '…' })} and ask again with these.`;
  return { text: `A human could answer ${id} faster if it said: ${lacks}. ${next}`, missing };
}
