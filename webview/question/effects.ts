/** The effect of a drafted answer: that of its choices, unless the human selects another. Pure. */
import type { AnswerEffect } from '../../src/core/kit/words.ts';
import type { Choice } from '../../src/ui/answer/together.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { effects } from './saved.ts';
import type { Draft } from './saved.ts';

/** Undefined if the human has to select it: an approval without a picked choice. */
export function effectOf(view: QuestionForm, draft: Draft): AnswerEffect | undefined {
  const chosen = pickedOf(view, draft);
  if (draft.effect !== undefined && effectsOf(view, draft).includes(draft.effect)) return draft.effect;
  if (view.kind === 'approval' && chosen.length === 0) return undefined;
  return effects.findLast((effect) => chosen.some((choice) => choice.effect === effect)) ?? 'proceed';
}

/** The possible effects: the "No" of an approval cannot mean "proceed". */
export function effectsOf(view: QuestionForm, draft: Draft): readonly AnswerEffect[] {
  const refuses = pickedOf(view, draft).some((choice) => choice.refuses === true);
  return refuses ? effects.filter((effect) => effect !== 'proceed') : effects;
}

/** Whether the form shows the effect: for approvals and refusals, and once the human has selected one. */
export function showsEffect(view: QuestionForm, draft: Draft): boolean {
  return view.kind === 'approval' || draft.effect !== undefined || effectOf(view, draft) !== 'proceed';
}

/** Whether the human can mark an answer as a refusal although its choice is not one. */
export function mayMeanNo(view: QuestionForm): boolean {
  return view.urgency === 'critical' || view.choices.length === 0 || view.freeText !== 'none';
}

function pickedOf(view: QuestionForm, draft: Draft): readonly Choice[] {
  return view.choices.filter(({ label }) => draft.choices.includes(label));
}
