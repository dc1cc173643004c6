/** What can be picked: the choices, and before them what the agent assumes, which a Yes confirms. Pure. */
import type { Choice, QuestionForm } from '../../src/protocol/question/question.ts';
import { t } from '../shared/strings.ts';
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

/** A longer assumption is in the details only. */
const labelAtMost = 200;

function assumedAnswer(view: QuestionForm): string | undefined {
  const { mode, kind, assumption, resolution, choices, freeText } = view;
  if (mode !== 'async' || kind === 'approval' || assumption === undefined || resolution.type !== 'pending')
    return undefined;
  if (choices.length > 0 && freeText === 'none') return undefined;
  const text = assumption.text.trim();
  const isShort = text !== '' && text.length <= labelAtMost && !text.includes('\n');
  return isShort ? t('choices.assumed', { text }) : t('choices.asAssumed');
}
