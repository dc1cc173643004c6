/**
 * What an answer means for what was asked. A human says so with the answer, and signs it; a refusal lasts until a human
 * lifts it, whatever is asked, answered or done in between.
 */
import type { Answer, QuestionRaised } from '../records/records.ts';
import type { Question } from './state.ts';
import { answerLine } from '../kit/answerLine.ts';
import { firstLine } from '../kit/text.ts';
import { answerEffect } from '../kit/words.ts';
import type { AnswerEffect, RefusingEffect } from '../kit/words.ts';

/** What people name a refusal. */
const refusing = /^(?:no|never|reject|deny)\b/i;

export function isRefusingLabel(label: string): boolean {
  return refusing.test(label);
}

type Asked = Pick<QuestionRaised, 'type' | 'choices'>;

/**
 * What an answer means that does not say so, as those from before there were effects: the No of an approval refuses, and
 * so does an approval's answer that picks none of its choices. All others let the agent go on.
 */
export function impliedEffect({ type }: Pick<Asked, 'type'>, { choices }: Pick<Answer, 'choices'>): AnswerEffect {
  if (type !== 'approval') return 'proceed';
  return choices.length === 0 || choices.some(isRefusingLabel) ? 'do_not' : 'proceed';
}

/**
 * What the form begins with for these picks: the strictest of what the choices say.
 * @returns null where a human has to say: an approval that is answered in free text
 */
export function defaultEffect({ type, choices }: Asked, picked: readonly string[]): AnswerEffect | null {
  if (type === 'approval' && picked.length === 0) return null;
  return strictest(
    picked.map((label): AnswerEffect => {
      const marked = choices.find((choice) => choice.label === label)?.effect;
      return marked ?? (type !== 'clarification' && isRefusingLabel(label) ? 'do_not' : 'proceed');
    }),
  );
}

function strictest(effects: readonly AnswerEffect[]): AnswerEffect {
  const rank = Math.max(0, ...effects.map((effect) => answerEffect.options.indexOf(effect)));
  return answerEffect.options[rank] ?? 'stop';
}

/** Why an answer cannot mean this; null when it can. */
export function effectProblem({ type }: Pick<Asked, 'type'>, { choices, effect }: Answer): string | null {
  if (type === 'approval' && effect === 'proceed' && choices.some(isRefusingLabel))
    return 'an approval that is answered with No cannot mean that it may be done';
  return null;
}

/** Whether the effect goes without saying, so that programs from before there were effects read the answer the same. */
export function goesWithoutSaying({ type, choices }: Asked, answer: Answer, effect: AnswerEffect): boolean {
  const marked = choices.some((choice) => choice.effect !== undefined && answer.choices.includes(choice.label));
  return effect === 'proceed' && !marked && impliedEffect({ type }, answer) === 'proceed';
}

/** What the answer of a question means; null while it has none. */
export function effectOf({ raised, resolution }: Pick<Question, 'raised' | 'resolution'>): AnswerEffect | null {
  if (resolution?.how !== 'answered' || resolution.answer === null) return null;
  return resolution.answer.effect ?? impliedEffect(raised, resolution.answer);
}

/** What is refused now; null where nothing is, or a human has lifted it. */
export function refusalOf(question: Pick<Question, 'raised' | 'resolution' | 'lifted'>): RefusingEffect | null {
  const effect = effectOf(question);
  return effect === null || effect === 'proceed' || question.lifted !== null ? null : effect;
}

/** What an agent has to keep to, in one sentence. */
export function refusalWords({ id, raised, resolution }: Pick<Question, 'id' | 'raised' | 'resolution'>): string {
  const said = resolution?.answer ? answerLine(resolution.answer) : '';
  return `Do not do what ${id} asked, "${firstLine(raised.text, 200)}": ${said}`;
}
