/** Turns drafts into decision messages, or reports missing input: of one question, and of several at once. */
import type { AnswerEffect } from '../../src/core/kit/words.ts';
import type { Decision } from '../../src/ui/answer/messages.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import type { Choice } from '../../src/ui/answer/together.ts';
import type { Snapshot } from '../../src/ui/answer/view.ts';
import { overBy } from '../shared/fields.ts';
import { isHoldPanel, type HoldPanel } from '../shared/parts.ts';
import { mark, type Missing } from '../shared/signing.ts';
import { t } from '../shared/strings.ts';
import { effects, type Draft, type Panel, type TextPanel } from './saved.ts';

// The options, and the answer that each stands for. Pure.

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
  return [...own.map(({ label }) => label), draft.text.answer.trim()].filter((part) => part !== '').join('\n');
}

/** The text comes from the host, because the form of several assumptions signs the same text. */
function assumedAnswer({ assumption, resolution }: QuestionForm): string | undefined {
  return resolution.type === 'pending' ? assumption?.answer : undefined;
}

type Limits = Snapshot['limits'];

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

export function limitOf(draft: Draft, limits: Limits): number {
  return draft.panel === 'answer' || draft.panel === 'refuse' ? limits.answer : limits.reason;
}

/** Whether the question can still be decided here. */
export function isOpen({ resolution, locked, inBrowser }: QuestionForm): boolean {
  if (locked !== undefined || inBrowser !== undefined) return false;
  return resolution.type === 'pending' || (resolution.type === 'expired' && resolution.held);
}

/** Acts on an existing answer: stop reusing it, or lift a refusal. */
export type AfterPanel = Extract<TextPanel, 'revoke' | 'lift'>;

export function isAfterPanel(panel: string): panel is AfterPanel {
  return panel === 'revoke' || panel === 'lift';
}

/** Whether this act applies to the existing answer. */
export function isOffered({ resolution, locked, inBrowser }: QuestionForm, panel: AfterPanel): boolean {
  if (locked !== undefined || resolution.type !== 'answered') return false;
  if (panel === 'revoke') return resolution.revocable;
  return inBrowser === undefined && resolution.effect !== 'proceed' && resolution.lifted === undefined;
}

/** Whether the displayed act is possible now. */
export function isPossible(view: QuestionForm, panel: Panel): boolean {
  if (panel === 'askBack') return canAskBack(view);
  return isAfterPanel(panel) ? isOffered(view, panel) : isOpen(view);
}

/** Whether the agent can be asked back here and now. */
export function canAskBack({ askBack, locked }: QuestionForm): boolean {
  return askBack && locked === undefined;
}

/** Whether the act needs a confirmation: settling something critical, Yes and No alike, or lifting a refusal. */
export function hasSecondStep(view: QuestionForm, { panel }: Draft): boolean {
  if (isHoldPanel(panel) || panel === 'askBack') return false;
  return panel === 'lift' || view.secondStep;
}

/** Whether the act settles the question, so that what decides it must have been seen. */
export function settles({ resolution }: QuestionForm, panel: Panel): boolean {
  const isSettling = !isHoldPanel(panel) && !isAfterPanel(panel) && panel !== 'askBack';
  return isSettling && (resolution.type === 'pending' || resolution.type === 'expired');
}

/** The act that can change the file scope now; undefined if the question holds nothing. */
export function holdPanelOf(view: QuestionForm): HoldPanel | undefined {
  if (!isOpen(view) || view.mode !== 'sync') return undefined;
  return view.blocks.all ? 'holdNamed' : 'holdAll';
}

/** The input that is missing before the displayed act can be sent. */
export function missingPart({ view, draft, limits }: Asked & { limits: Limits }): Missing | undefined {
  if (isHoldPanel(draft.panel)) return undefined;
  const text = textOf(view, draft, draft.panel);
  const found = draft.panel === 'answer' ? missingAnswer(view, draft, text) : missingReason(draft.panel, text);
  if (found) return found;
  const max = limitOf(draft, limits);
  if (text.length > max) {
    return { field: 'text', text: overBy(text.length, max) };
  }
  return undefined;
}

function textOf(view: QuestionForm, draft: Draft, panel: TextPanel): string {
  return panel === 'answer' ? answerText(view, draft) : draft.text[panel].trim();
}

function missingAnswer(view: QuestionForm, draft: Draft, text: string): Missing | undefined {
  if (view.choices.length > 0 && pickedOptions(view, draft).length === 0) {
    if (view.freeText === 'none' || view.kind === 'approval') return { field: 'choices', text: t('Choose one first.') };
    if (text === '') return { field: 'choices', text: t('Choose one, or write an answer.') };
  }
  const textWanted = view.choices.length === 0 || view.freeText === 'required';
  return textWanted && text === '' ? { field: 'text', text: t('Write an answer first.') } : undefined;
}

function missingReason(panel: Exclude<TextPanel, 'answer'>, text: string): Missing | undefined {
  if (text !== '') return undefined;
  return { field: 'text', text: panels[panel].missing };
}

export function message({ view, draft, act, confirmed }: Asked & { act: string; confirmed: boolean }): Decision {
  const { panel } = draft;
  const marks = mark(view, act);
  if (isHoldPanel(panel)) return { type: panel, ...marks };
  const text = textOf(view, draft, panel);
  switch (panel) {
    case 'answer': {
      const effect = effectOf(view, draft);
      return {
        ...{ type: panel, ...marks, confirmed, choices: pickedTexts(view, draft), text: takesText(view) ? text : '' },
        ...(view.kind === 'approval' || effect !== 'proceed' ? { effect } : {}),
      };
    }
    case 'refuse':
      return { type: 'answer', ...marks, confirmed, choices: [], text, effect: 'do_not' };
    case 'release':
      return { type: panel, ...marks, confirmed, note: text };
    case 'askBack':
      return { type: panel, ...marks, text };
    default:
      return { type: panel, ...marks, confirmed, reason: text };
  }
}

/** Words of the other acts. `confirm`: before a critical one, or one that always asks. */
interface PanelWords {
  readonly title: string;
  readonly effect: string;
  readonly text: string;
  readonly send: string;
  readonly missing: string;
  readonly confirm?: { readonly ask: string; readonly yes: string };
}

const reason = { text: t('Reason'), missing: t('Enter a reason first; the agent will read it.') };
const keptReason = { text: t('Reason'), missing: t('Enter a reason first; it is kept with the answer.') };

export const panels: Readonly<Record<Exclude<TextPanel, 'answer'>, PanelWords>> = {
  refuse: {
    ...{ ...reason, title: t('Say no'), send: t('Say no') },
    effect: t('{agent} must not do this until you lift it. It may finish the task in another way.'),
    confirm: { ask: t('This is critical. Say no?'), yes: t('Yes, say no') },
  },
  release: {
    ...{ title: t('Dismiss without answering'), text: t('Note to the agent'), send: t('Dismiss') },
    effect: t('Ends the hold. {agent} gets your note instead of an answer.'),
    missing: t('Write a note first; it is all the agent gets.'),
    confirm: { ask: t('This is critical. Dismiss it without an answer?'), yes: t('Yes, dismiss it') },
  },
  cancel: {
    ...{ ...reason, title: t('Dismiss as no longer needed'), send: t('Dismiss') },
    effect: t('Ends the hold. {agent} learns that the question no longer matters, and why.'),
    confirm: { ask: t('This is critical. Dismiss it as no longer needed?'), yes: t('Yes, dismiss it') },
  },
  revoke: {
    ...{ ...keptReason, title: t('Stop reusing this answer'), send: t('Stop reusing it') },
    effect: t('Next time, agents ask you again. Work that already started continues.'),
  },
  lift: {
    ...{ ...keptReason, title: t('Lift this refusal'), send: t('Lift the refusal') },
    effect: t(
      'What you refused may be done, and held work is released. Cancelled work stays cancelled until an agent starts it again.',
    ),
    confirm: { ask: t('Lift this refusal?'), yes: t('Yes, lift it') },
  },
  askBack: {
    ...{ title: t('Ask the agent'), text: t('Your question to the agent'), send: t('Ask the agent') },
    effect: t('Everything stays held. The reply of {agent} comes here, and you are notified.'),
    missing: t('Write your question first.'),
  },
};

export const kindWords = {
  clarification: t('clarification'),
  decision: t('decision'),
  approval: t('approval'),
  rfc: t('RFC'),
};
