/** Drafts of a question: its options, what is missing, and the message of the decision. Pure. */
import type { AnswerEffect } from '../../src/core/kit/words.ts';
import type { Decision } from '../../src/ui/answer/messages.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import type { Choice } from '../../src/ui/answer/together.ts';
import type { Snapshot } from '../../src/ui/answer/form.ts';
import type { Entered } from '../forms/page.ts';
import { overBy, type Values } from '../shared/fields.ts';
import { isHoldPanel } from '../shared/parts.ts';
import { mark, type Missing } from '../shared/signing.ts';
import { t } from '../shared/strings.ts';
import { isAboutDecision, isPanel, isPossible, panels, type Panel } from './panels.ts';

// The options, and the answer that each stands for.

const effects: readonly AnswerEffect[] = ['proceed', 'do_not', 'stop'];

export interface Option extends Choice {
  /** It is picked alone, and signed with its effect and these labels. */
  readonly with?: readonly string[];
  /** Its label is not a choice of the agent's, so the answer's text has it. */
  readonly inText?: true;
}

/** First the agent's assumption, which the human can confirm, then the choices; the last ones say no. */
export function offeredOptions(view: QuestionForm): readonly Option[] {
  const { kind, choices, freeText } = view;
  const assumed = assumedAnswer(view);
  const refusing = choices.findLast(({ refuses }) => refuses);
  return [
    ...(assumed === undefined ? [] : [{ label: assumed, recommended: false, inText: true as const }]),
    ...choices,
    ...(kind === 'approval' && refusing
      ? [{ ...refusing, label: t('No, and stop this work'), effect: 'stop' as const, with: [refusing.label] }]
      : []),
    ...(kind !== 'approval' && choices.length > 0 && freeText !== 'none' ? [{ ...none, inText: true as const }] : []),
  ];
}

const none = { label: t('None of these'), recommended: false, effect: 'do_not', with: [] } as const;

export function isPicked({ label, effect, ...option }: Option, draft: Draft): boolean {
  const { with: labels = [label] } = option;
  return draft.effect === (option.with && effect) && labels.every((one) => draft.choices.includes(one));
}

export function pickedOptions(view: QuestionForm, draft: Draft): readonly Option[] {
  return offeredOptions(view).filter((option) => isPicked(option, draft));
}

export function toggleOption(
  { multiple }: QuestionForm,
  option: Option,
  draft: Draft,
): Pick<Draft, 'choices' | 'effect'> {
  const others = draft.effect === undefined ? draft.choices.filter((one) => one !== option.label) : [];
  if (option.with)
    return isPicked(option, draft)
      ? { choices: [], effect: undefined }
      : { choices: option.with, effect: option.effect };
  if (isPicked(option, draft)) return { choices: others, effect: undefined };
  return { choices: multiple ? [...others, option.label] : [option.label], effect: undefined };
}

/** An answer that somebody gave, as the form's options say it. One that they cannot say picks none. */
export function inOptions(
  view: QuestionForm,
  { choices, effect }: Pick<Draft, 'choices' | 'effect'>,
): Pick<Draft, 'choices' | 'effect'> {
  const plain = view.choices.filter(({ label }) => choices.includes(label));
  if (effect === undefined || effect === strictestOf(plain)) return { choices, effect: undefined };
  const option = offeredOptions(view).find((one) => one.with && one.effect === effect);
  return { choices: option?.with ?? [], effect: option?.effect };
}

export function effectOf(view: QuestionForm, draft: Draft): AnswerEffect {
  return strictestOf(pickedOptions(view, draft));
}

export function strictestOf(picked: readonly Choice[]): AnswerEffect {
  return effects.findLast((effect) => picked.some((choice) => choice.effect === effect)) ?? 'proceed';
}

function answerText(view: QuestionForm, draft: Draft): string {
  const own = pickedOptions(view, draft).filter(({ inText }) => inText);
  const parts = [...own.map(({ label }) => label), (draft.text['answer'] ?? '').trim()];
  return parts.filter((part) => part !== '').join('\n');
}

/** The text comes from the host, because the form of several assumptions signs the same text. */
function assumedAnswer({ assumption, resolution }: QuestionForm): string | undefined {
  return resolution.type === 'pending' ? assumption?.answer : undefined;
}

interface Asked {
  readonly view: QuestionForm;
  readonly draft: Draft;
}

/** The picked choices, without labels that are no longer offered. */
function pickedTexts(view: QuestionForm, draft: Draft): string[] {
  return view.choices.map((choice) => choice.label).filter((label) => draft.choices.includes(label));
}

export function takesText(view: QuestionForm): boolean {
  return view.choices.length === 0 || view.freeText !== 'none';
}

export function limitOf(panel: Panel, limits: Snapshot['limits']): number {
  return panel === 'answer' || panel === 'refuse' ? limits.answer : limits.reason;
}

/** The input that is missing before the displayed act can be sent. */
export function missingPart({ view, draft, limits }: Asked & Pick<Snapshot, 'limits'>): Missing | undefined {
  const { panel } = draft;
  const text = textOf(view, draft);
  if (panel === 'answer') {
    const found = missingAnswer(view, draft, text);
    if (found) return found;
  } else {
    const words = panels[panel].text;
    if (words && text === '') return { field: 'text', text: words.missing };
  }
  const max = limitOf(panel, limits);
  return text.length > max ? { field: 'text', text: overBy(text.length, max) } : undefined;
}

function textOf(view: QuestionForm, draft: Draft): string {
  return draft.panel === 'answer' ? answerText(view, draft) : (draft.text[draft.panel] ?? '').trim();
}

function missingAnswer(view: QuestionForm, draft: Draft, text: string): Missing | undefined {
  if (view.choices.length > 0 && pickedOptions(view, draft).length === 0) {
    if (view.freeText === 'none' || view.kind === 'approval') return { field: 'choices', text: t('Choose one first.') };
    if (text === '') return { field: 'choices', text: t('Choose one, or write an answer.') };
  }
  const textWanted = view.choices.length === 0 || view.freeText === 'required';
  return textWanted && text === '' ? { field: 'text', text: t('Write an answer first.') } : undefined;
}

export function message({ view, draft, act, confirmed }: Asked & { act: string; confirmed: boolean }): Decision {
  const { panel } = draft;
  const marks = mark(view, act);
  if (isHoldPanel(panel)) return { type: panel, ...marks };
  const text = textOf(view, draft);
  if (panel === 'refuse') return { type: 'answer', ...marks, confirmed, choices: [], text, effect: 'do_not' };
  if (panel !== 'answer') return { type: panel, ...marks, confirmed, text };
  const effect = effectOf(view, draft);
  return {
    ...{ type: panel, ...marks, confirmed, choices: pickedTexts(view, draft), text: takesText(view) ? text : '' },
    ...(view.kind === 'approval' || effect !== 'proceed' ? { effect } : {}),
  };
}

// Drafts, as the fields of a form.

export interface Draft {
  readonly panel: Panel;
  readonly choices: readonly string[];
  /** Of an option that says no by its effect; without one, the choices determine it. */
  readonly effect?: AnswerEffect | undefined;
  /** By panel. */
  readonly text: Values;
  /** The `shown` when the draft was started: a different one means that the question has changed since. */
  readonly shown: string;
}

export const choiceField = (label: string): string => `choice ${label}`;
const isChoice = (name: string) => name.startsWith(choiceField(''));

/** What was entered, with a panel and an answer that the question still offers. */
export function draftOf(view: QuestionForm, { fields, shown }: Entered = { fields: {}, shown: view.shown }): Draft {
  const { panel = '', effect: said, ...rest } = fields;
  const text = Object.fromEntries(Object.entries(rest).filter(([name]) => !isChoice(name)));
  const choices = Object.keys(rest).filter(isChoice);
  const effect = effects.find((one) => one === said);
  return {
    panel: isPanel(panel) && isPossible(view, panel) ? panel : 'answer',
    ...inOptions(view, { choices: choices.map((name) => name.slice(choiceField('').length)), effect }),
    ...{ text, shown },
  };
}

/** Undefined for nothing. */
export function enteredOf({ panel, choices, effect, text, shown }: Draft): Entered | undefined {
  const isBlank = Object.values(text).every((one) => one.trim() === '');
  if (isBlank && panel === 'answer' && choices.length === 0 && effect === undefined) return undefined;
  const picked = Object.fromEntries(choices.map((label) => [choiceField(label), 'yes']));
  return { fields: { ...text, ...picked, panel, ...(effect === undefined ? {} : { effect }) }, shown };
}

/** All that was written, unless it is about a decision. */
export function draftText({ text }: Draft): string {
  const written = Object.entries(text).filter(([name]) => !isAboutDecision(name));
  return written.flatMap(([, one]) => (one.trim() === '' ? [] : [one.trim()])).join('\n\n');
}

export const kindWords = {
  clarification: t('clarification'),
  decision: t('decision'),
  approval: t('approval'),
  rfc: t('RFC'),
};
