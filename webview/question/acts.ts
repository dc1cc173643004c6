/** Turns a draft into a decision message, or reports missing input. Pure. */
import type { Decision } from '../../src/ui/answer/messages.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import type { Snapshot } from '../../src/ui/answer/view.ts';
import type { Missing } from '../shared/formPage.ts';
import { isHoldPanel } from '../shared/heldFiles.ts';
import type { HoldPanel } from '../shared/heldFiles.ts';
import { mark, missingName } from '../shared/marks.ts';
import { t } from '../shared/strings.ts';
import { effectOf, showsEffect } from './effects.ts';
import { answerText } from './offered.ts';
import type { Draft, Panel, TextPanel } from './saved.ts';

type Limits = Snapshot['limits'];

interface Asked {
  readonly view: QuestionForm;
  readonly draft: Draft;
  /** The signer's name. */
  readonly name: string;
}

/** The picked choices, without labels that are no longer offered. */
export function picked(view: QuestionForm, draft: Draft): string[] {
  return view.choices.map((choice) => choice.label).filter((label) => draft.choices.includes(label));
}

/** Whether the form has a text box. */
export function takesText(view: QuestionForm): boolean {
  return view.choices.length === 0 || view.freeText !== 'none';
}

export function limitOf(draft: Draft, limits: Limits): number {
  return draft.panel === 'answer' ? limits.answer : limits.reason;
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
  const isSettling = panel === 'answer' || panel === 'release' || panel === 'cancel';
  return isSettling && (resolution.type === 'pending' || resolution.type === 'expired');
}

/** The act that can change the file scope now; undefined if the question holds nothing. */
export function holdPanelOf(view: QuestionForm): HoldPanel | undefined {
  if (!isOpen(view) || view.mode !== 'sync') return undefined;
  return view.blocks.all ? 'holdNamed' : 'holdAll';
}

/** The input that is missing before the displayed act can be sent. */
export function missing({ view, draft, limits, name }: Asked & { limits: Limits }): Missing | undefined {
  if (isHoldPanel(draft.panel)) return missingName(view.answersAs, name);
  const text = textOf(view, draft, draft.panel);
  const found = draft.panel === 'answer' ? missingAnswer(view, draft, text) : missingReason(draft.panel, text);
  if (found) return found;
  const max = limitOf(draft, limits);
  if (text.length > max) {
    return {
      field: 'text',
      text: t('{n} of {max}: shorten it by {over}.', { n: text.length, max, over: text.length - max }),
    };
  }
  return missingName(view.answersAs, name);
}

function textOf(view: QuestionForm, draft: Draft, panel: TextPanel): string {
  return panel === 'answer' ? answerText(view, draft) : draft.text[panel].trim();
}

function missingAnswer(view: QuestionForm, draft: Draft, text: string): Missing | undefined {
  const choices = picked(view, draft);
  if (view.choices.length > 0 && choices.length === 0) {
    if (view.freeText === 'none' || view.kind === 'approval') return { field: 'choices', text: t('Choose one first.') };
    if (text === '') return { field: 'choices', text: t('Choose one, or write an answer.') };
  }
  const textWanted = view.choices.length === 0 || view.freeText === 'required';
  if (textWanted && text === '') return { field: 'text', text: t('Write an answer first.') };
  return effectOf(view, draft) === undefined
    ? { field: 'effect', text: t('Select what your answer means.') }
    : undefined;
}

const reasonMissing: Record<TextPanel, string> = {
  answer: t('Write an answer first.'),
  release: t('Write a note first; it is all the agent gets.'),
  cancel: t('Enter a reason first; the agent will read it.'),
  revoke: t('Enter a reason first; it is kept with the answer.'),
  lift: t('Enter a reason first; it is kept with the answer.'),
  askBack: t('Write your question first.'),
};

function missingReason(panel: TextPanel, text: string): Missing | undefined {
  if (text !== '') return undefined;
  return { field: 'text', text: reasonMissing[panel] };
}

/** The message for the displayed act. */
export function message({ view, draft, act, name, confirmed }: Asked & { act: string; confirmed: boolean }): Decision {
  if (isHoldPanel(draft.panel)) return { type: draft.panel, ...mark(view, act, name) };
  const common = { ...mark(view, act, name), confirmed };
  const text = textOf(view, draft, draft.panel);
  switch (draft.panel) {
    case 'answer':
      return {
        type: 'answer',
        ...common,
        choices: picked(view, draft),
        text: takesText(view) ? text : '',
        ...(showsEffect(view, draft) ? { effect: effectOf(view, draft) } : {}),
      };
    case 'cancel':
      return { type: 'cancel', ...common, reason: text };
    case 'release':
      return { type: 'release', ...common, note: text };
    case 'revoke':
      return { type: 'revoke', ...common, reason: text };
    case 'lift':
      return { type: 'lift', ...common, reason: text };
    case 'askBack':
      return { type: 'askBack', ...mark(view, act, name), text };
  }
}
