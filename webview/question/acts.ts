/** From a draft to the message that decides, or to what is still missing. Pure. */
import type { Confirmation, Decision, QuestionView, RecoveryWay, Snapshot } from '../../src/protocol/question.ts';
import type { Signer } from '../../src/protocol/shared.ts';
import type { PolicyView } from '../../src/protocol/workspaceForms.ts';
import { t } from '../shared/strings.ts';
import { visibleText } from '../shared/visible.ts';
import type { Draft } from './saved.ts';

/** What is missing, and the field to look at. */
export interface Missing {
  readonly field: 'choices' | 'text' | 'name' | 'confirm' | 'hours';
  readonly text: string;
}

/** The recovery form: one way at a time. */
export interface RecoveryDraft {
  readonly way: RecoveryWay;
  readonly ticked: boolean;
  readonly word: string;
}

/** The policy as it stands in the form. */
export interface PolicyDraft {
  readonly hours: string;
  readonly onExpiry: PolicyView['onExpiry'];
  readonly name: string;
}

type Limits = Snapshot['limits'];

interface Asked {
  readonly view: QuestionView;
  readonly draft: Draft;
  /** The name that would sign. */
  readonly name: string;
}

/** The choices that count: a label that is no longer offered does not. */
export function picked(view: QuestionView, draft: Draft): string[] {
  return view.choices.map((choice) => choice.label).filter((label) => draft.choices.includes(label));
}

/** A picked choice that is not taken without a reason. */
export function choiceThatNeedsReason(view: QuestionView, draft: Draft): string | undefined {
  return view.choices.find((choice) => choice.needsReason === true && draft.choices.includes(choice.label))?.label;
}

/** Is there a text box with the choices? A choice that needs a reason always brings one. */
export function takesText(view: QuestionView): boolean {
  return (
    view.choices.length === 0 || view.freeText !== 'none' || view.choices.some((choice) => choice.needsReason === true)
  );
}

export function limitOf(draft: Draft, limits: Limits): number {
  return draft.panel === 'answer' ? limits.answer : limits.reason;
}

/** What is still missing before the shown act can be sent. */
export function missing({ view, draft, limits, name }: Asked & { limits: Limits }): Missing | undefined {
  const text = draft.text[draft.panel].trim();
  const found = draft.panel === 'answer' ? missingAnswer(view, draft, text) : missingReason(draft, text);
  if (found) return found;
  const max = limitOf(draft, limits);
  if (text.length > max) {
    return { field: 'text', text: t('answer.tooLong', { n: text.length, max, over: text.length - max }) };
  }
  return missingName(view.answersAs, name);
}

export function missingName(signer: Signer, name: string): Missing | undefined {
  return signer.editable && name.trim() === '' ? { field: 'name', text: t('answer.nameMissing') } : undefined;
}

function missingAnswer(view: QuestionView, draft: Draft, text: string): Missing | undefined {
  const choices = picked(view, draft);
  const reasonFor = choiceThatNeedsReason(view, draft);
  if (reasonFor !== undefined && text === '') {
    return { field: 'text', text: t('answer.giveReason', { choice: visibleText(reasonFor) }) };
  }
  if (view.choices.length > 0 && choices.length === 0) {
    if (view.freeText === 'none') return { field: 'choices', text: t('answer.pick') };
    if (text === '') return { field: 'choices', text: t('answer.pickOrWrite') };
  }
  const textWanted = view.choices.length === 0 || view.freeText === 'required';
  return textWanted && text === '' ? { field: 'text', text: t('answer.write') } : undefined;
}

function missingReason(draft: Draft, text: string): Missing | undefined {
  if (text !== '') return undefined;
  return { field: 'text', text: t(draft.panel === 'cancel' ? 'cancel.missing' : 'release.missing') };
}

/** What every decision carries. */
export function mark(
  view: { key: string; shown: string; render: string; answersAs: Signer },
  act: string,
  name: string,
) {
  const { key, shown, render } = view;
  return { act, key, shown, render, ...(view.answersAs.editable ? { name: name.trim() } : {}) };
}

/** The message for the act that is shown. */
export function message({ view, draft, act, name, confirmed }: Asked & { act: string; confirmed: boolean }): Decision {
  const common = { ...mark(view, act, name), confirmed };
  const text = draft.text[draft.panel].trim();
  switch (draft.panel) {
    case 'answer':
      return { type: 'answer', ...common, choices: picked(view, draft), text: takesText(view) ? text : '' };
    case 'cancel':
      return { type: 'cancel', ...common, reason: text };
    case 'release':
      return { type: 'release', ...common, note: text };
  }
}

/** What was ticked or typed, if it is what was asked for. */
export function confirmationOf(confirm: Confirmation, draft: RecoveryDraft): string | Missing {
  if (confirm.type === 'tick') {
    return draft.ticked ? confirm.text : { field: 'confirm', text: t('recovery.tickFirst') };
  }
  if (draft.word.trim() === confirm.word) return confirm.word;
  return { field: 'confirm', text: t('recovery.wordFirst', { word: confirm.word }) };
}

/** The hours that were written, if they are a whole number in range. */
export function hoursOf({ hours }: PolicyDraft): number | undefined {
  const text = hours.trim();
  const value = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  return value >= 1 && value <= 8_760 ? value : undefined;
}

/** What the policy form would change, in the order it shows it. */
export function policyChanges(view: PolicyView, draft: PolicyDraft): ('life' | 'onExpiry' | 'name')[] {
  const name = draft.name.trim();
  return [
    ...(hoursOf(draft) === view.lifeHours ? [] : ['life' as const]),
    ...(draft.onExpiry === view.onExpiry ? [] : ['onExpiry' as const]),
    ...(name === view.answersAs.name && !view.answersAs.editable ? [] : ['name' as const]),
  ];
}

export function missingPolicy(view: PolicyView, draft: PolicyDraft): Missing | undefined {
  if (hoursOf(draft) === undefined) return { field: 'hours', text: t('policy.lifeWrong') };
  if (draft.name.trim() === '') return { field: 'name', text: t('answer.nameMissing') };
  return policyChanges(view, draft).length === 0 ? { field: 'confirm', text: t('policy.nothing') } : undefined;
}
