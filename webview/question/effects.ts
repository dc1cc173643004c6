/** What the answer in a draft means for what was asked: as its choices say, unless the human says otherwise. Pure. */
import type { AnswerEffect, Choice, QuestionForm } from '../../src/protocol/question/question.ts';
import { effects } from './saved.ts';
import type { Draft } from './saved.ts';

/** Undefined where the human has to say: an approval without a choice picked. */
export function effectOf(view: QuestionForm, draft: Draft): AnswerEffect | undefined {
  const chosen = pickedOf(view, draft);
  if (draft.effect !== undefined && effectsOf(view, draft).includes(draft.effect)) return draft.effect;
  if (view.kind === 'approval' && chosen.length === 0) return undefined;
  return effects.findLast((effect) => chosen.some((choice) => choice.effect === effect)) ?? 'proceed';
}

/** What the answer can mean: with the No of an approval it cannot mean that it may be done. */
export function effectsOf(view: QuestionForm, draft: Draft): readonly AnswerEffect[] {
  const refuses = pickedOf(view, draft).some((choice) => choice.refuses === true);
  return refuses ? effects.filter((effect) => effect !== 'proceed') : effects;
}

/** Whether the form shows what the answer means: of approvals, of refusals, and once the human has said it. */
export function showsEffect(view: QuestionForm, draft: Draft): boolean {
  return view.kind === 'approval' || draft.effect !== undefined || effectOf(view, draft) !== 'proceed';
}

/** Whether the human can say here that an answer means no that does not look like one. */
export function mayMeanNo(view: QuestionForm): boolean {
  return view.urgency === 'critical' || view.choices.length === 0 || view.freeText !== 'none';
}

function pickedOf(view: QuestionForm, draft: Draft): readonly Choice[] {
  return view.choices.filter(({ label }) => draft.choices.includes(label));
}
