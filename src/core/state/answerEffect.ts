/**
 * The effect of an answer. A human chooses it with the answer and signs it; a refusal lasts until a human lifts it,
 * whatever is asked, answered or done in between.
 */
import type { QuestionRaised } from '../records/plain.ts';
import type { Answer } from '../records/question.ts';
import { isHolding, type Question } from './state.ts';
import { firstLine, answerLine } from '../kit/text.ts';
import type { AnswerEffect, RefusingEffect } from '../kit/words.ts';

const refusing = /^(?:no|never|reject|deny)\b/i;

function isRefusingLabel(label: string): boolean {
  return refusing.test(label);
}

/** Whether an answer says no in its choices or at the start of its text. */
export function saysNo({ choices, text }: Pick<Answer, 'choices' | 'text'>): boolean {
  return choices.some(isRefusingLabel) || (text !== undefined && refusing.test(text.trim()));
}

type Asked = Pick<QuestionRaised, 'type' | 'choices'>;

/**
 * The effect of an answer that does not state one, as before effects existed: the "No" of an approval refuses, and so
 * does an approval's answer without a choice. All others let the agent continue.
 */
export function impliedEffect({ type }: Pick<Asked, 'type'>, { choices }: Pick<Answer, 'choices'>): AnswerEffect {
  if (type !== 'approval') return 'proceed';
  return choices.length === 0 || choices.some(isRefusingLabel) ? 'do_not' : 'proceed';
}

/**
 * The form's initial effect: the strictest among the picked choices.
 * @returns null where the human must choose: an approval answered in free text
 */
export function defaultEffect({ type, choices }: Asked, picked: readonly string[]): AnswerEffect | null {
  if (type === 'approval' && picked.length === 0) return null;
  return strictestEffect(
    picked.map((label): AnswerEffect => {
      const marked = choices.find((choice) => choice.label === label)?.effect;
      return marked ?? (type !== 'clarification' && isRefusingLabel(label) ? 'do_not' : 'proceed');
    }),
  );
}

function strictestEffect(effects: readonly AnswerEffect[]): AnswerEffect {
  return (['stop', 'do_not'] as const).find((effect) => effects.includes(effect)) ?? 'proceed';
}

export function effectProblem({ type }: Pick<Asked, 'type'>, { choices, effect }: Answer): string | null {
  if (type === 'approval' && effect === 'proceed' && choices.some(isRefusingLabel))
    return 'an approval that is answered with No cannot mean that it may be done';
  return null;
}

/**
 * Whether the effect equals the implied one, so that programs from before effects read the answer the same way. The
 * effect of an answer that says no is always stated: readers of a lone attestation take such words for a refusal.
 */
export function goesWithoutSaying({ type, choices }: Asked, answer: Answer, effect: AnswerEffect): boolean {
  const marked = choices.some((choice) => choice.effect !== undefined && answer.choices.includes(choice.label));
  return effect === 'proceed' && !marked && !saysNo(answer) && impliedEffect({ type }, answer) === 'proceed';
}

/** The effect of a question's answer; null while unanswered. */
export function effectOf({ facts, resolution }: Pick<Question, 'facts' | 'resolution'>): AnswerEffect | null {
  if (resolution?.how !== 'answered' || resolution.answer === null) return null;
  // A no of too few people holds what the question held, as a stop does.
  if (resolution.unmet) return 'stop';
  return resolution.answer.effect ?? impliedEffect(facts, resolution.answer);
}

/** The current refusal; null if nothing is refused, or a human lifted it. */
export function refusalOf(question: Pick<Question, 'facts' | 'resolution' | 'lifted'>): RefusingEffect | null {
  const effect = effectOf(question);
  return effect === null || effect === 'proceed' || question.lifted !== null ? null : effect;
}

/** Whether it stops nothing and cannot be decided any more: only what was answered may still be revoked. */
export function isClosed(question: Question): boolean {
  return question.resolution !== null && !isHolding(question) && refusalOf(question) === null;
}

/** Whether a human dismissed an approval: nothing holds it, but it was not approved. */
export function isUnapproved({ facts, resolution }: Pick<Question, 'facts' | 'resolution'>): boolean {
  return facts.type === 'approval' && (resolution?.how === 'cancelled' || resolution?.how === 'released');
}

/** What the agent must comply with, in one sentence. */
export function refusalWords({ id, raised, resolution }: Pick<Question, 'id' | 'raised' | 'resolution'>): string {
  const said = resolution?.answer ? answerLine(resolution.answer) : '';
  return `Do not do what ${id} asked, "${firstLine(raised?.text ?? '', 200)}": ${said}`;
}
