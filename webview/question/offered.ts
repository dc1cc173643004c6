/** The options: first the agent's assumption, which the human can confirm, then the choices. Pure. */
import type { Choice } from '../../src/ui/answer/together.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import type { Draft } from './saved.ts';

export function offered(view: QuestionForm): readonly Choice[] {
  const assumed = assumedAnswer(view);
  return assumed === undefined ? view.choices : [{ label: assumed, recommended: false }, ...view.choices];
}

/** The picked labels in the form's order, without those that are no longer offered. */
export function pickedLabels(view: QuestionForm, draft: Draft): string[] {
  return offered(view)
    .map(({ label }) => label)
    .filter((label) => draft.choices.includes(label));
}

/** The text of an answer: it includes a confirmed assumption, which is not one of the agent's choices. */
export function answerText(view: QuestionForm, draft: Draft): string {
  const assumed = assumedAnswer(view);
  const parts = [assumed !== undefined && draft.choices.includes(assumed) ? assumed : '', draft.text.answer.trim()];
  return parts.filter((part) => part !== '').join('\n');
}

/** The text comes from the host, because the form of several assumptions signs the same text. */
function assumedAnswer({ assumption, resolution }: QuestionForm): string | undefined {
  return resolution.type === 'pending' ? assumption?.answer : undefined;
}
