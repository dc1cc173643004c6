/** What can be picked: the choices, and before them what the agent assumes, which a Yes confirms. Pure. */
import type { Choice, QuestionForm } from '../../src/protocol/question/question.ts';
import type { Draft } from './saved.ts';

export function offered(view: QuestionForm): readonly Choice[] {
  const assumed = assumedAnswer(view);
  return assumed === undefined ? view.choices : [{ label: assumed, recommended: false }, ...view.choices];
}

/** The labels that are picked, as the form shows them; one that is no longer offered does not count. */
export function pickedLabels(view: QuestionForm, draft: Draft): string[] {
  return offered(view)
    .map(({ label }) => label)
    .filter((label) => draft.choices.includes(label));
}

/** The text of an answer: a confirmed assumption is said in words, for it is none of the agent's choices. */
export function answerText(view: QuestionForm, draft: Draft): string {
  const assumed = assumedAnswer(view);
  const parts = [assumed !== undefined && draft.choices.includes(assumed) ? assumed : '', draft.text.answer.trim()];
  return parts.filter((part) => part !== '').join('\n');
}

/** The host says it, because the form of several assumptions signs the same words. */
function assumedAnswer({ assumption, resolution }: QuestionForm): string | undefined {
  return resolution.type === 'pending' ? assumption?.answer : undefined;
}
