/** Turns drafts into decision messages, or reports missing input: of one question, and of several at once. */
import type { AnswerEffect } from '../../src/core/kit/words.ts';
import type { Assumed, AssumptionsView } from '../../src/ui/answer/assumptions.ts';
import type { AnswerTogetherMessage, ConfirmAssumptionsMessage, Decision } from '../../src/ui/answer/messages.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import type { Alike, Choice, TogetherView } from '../../src/ui/answer/together.ts';
import type { Snapshot } from '../../src/ui/answer/view.ts';
import type { FieldsDraft, FormActs, OneFormPage } from '../shared/oneForm.ts';
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
export function offered(view: QuestionForm): readonly Option[] {
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
  return offered(view).filter((option) => isPicked(option, draft));
}

export function toggled({ multiple }: QuestionForm, option: Option, draft: Draft): Pick<Draft, 'choices' | 'effect'> {
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
  if (effect === undefined || effect === strictest(plain)) return { choices, effect: undefined };
  const option = offered(view).find((one) => one.with && one.effect === effect);
  return { choices: option?.with ?? [], effect: option?.effect };
}

export function effectOf(view: QuestionForm, draft: Draft): AnswerEffect {
  return strictest(pickedOptions(view, draft));
}

export function strictest(picked: readonly Choice[]): AnswerEffect {
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
function picked(view: QuestionForm, draft: Draft): string[] {
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
export function missing({ view, draft, limits }: Asked & { limits: Limits }): Missing | undefined {
  if (isHoldPanel(draft.panel)) return undefined;
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

const reasonMissing: Record<TextPanel, string> = {
  answer: t('Write an answer first.'),
  refuse: t('Enter a reason first; the agent will read it.'),
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

export function message({ view, draft, act, confirmed }: Asked & { act: string; confirmed: boolean }): Decision {
  if (isHoldPanel(draft.panel)) return { type: draft.panel, ...mark(view, act) };
  const common = { ...mark(view, act), confirmed };
  const text = textOf(view, draft, draft.panel);
  switch (draft.panel) {
    case 'answer': {
      const effect = effectOf(view, draft);
      return {
        ...{ type: 'answer', ...common, choices: picked(view, draft), text: takesText(view) ? text : '' },
        ...(view.kind === 'approval' || effect !== 'proceed' ? { effect } : {}),
      };
    }
    case 'refuse':
      return { type: 'answer', ...common, choices: [], text, effect: 'do_not' };
    case 'cancel':
      return { type: 'cancel', ...common, reason: text };
    case 'release':
      return { type: 'release', ...common, note: text };
    case 'revoke':
      return { type: 'revoke', ...common, reason: text };
    case 'lift':
      return { type: 'lift', ...common, reason: text };
    case 'askBack':
      return { type: 'askBack', ...mark(view, act), text };
  }
}

// Several questions of the same shape, answered together.

interface TogetherOptions {
  readonly acts: FormActs<AnswerTogetherMessage>;
  readonly view: () => TogetherView | undefined;
  /** The longest text of an answer. */
  readonly maxText: () => number;
}

export type TogetherPage = OneFormPage &
  ReturnType<typeof createTogetherActs> & {
    /** Whether not all of it has been on the screen. */
    readonly mustRead: () => boolean;
    readonly dispatch: (
      message:
        | { readonly type: 'back' }
        | { readonly type: 'select' | 'openInBrowser'; readonly key: string }
        | { readonly type: 'openFile'; readonly key: string; readonly path: string; readonly line?: number },
    ) => void;
  };

export function createTogetherActs({ acts, view, maxText }: TogetherOptions) {
  const draftOf = ({ key }: TogetherView): FieldsDraft | undefined => acts.fieldsOf(key);
  const fieldOf = (of: TogetherView, name: string): string => draftOf(of)?.fields[name] ?? '';

  /** All are ticked at first. One that comes or changes while the reader writes is ticked only by a click. */
  const isTicked = (of: TogetherView, { shown }: Alike): boolean => {
    const draft = draftOf(of);
    return (draft?.fields[shown] ?? (draft && draft.shown !== of.shown ? 'no' : 'yes')) === 'yes';
  };
  /** Keeps every tick as it is displayed. */
  const keep = (of: TogetherView, fields: FieldsDraft['fields']) => {
    const ticks = of.questions.map((one): [string, string] => [one.shown, isTicked(of, one) ? 'yes' : 'no']);
    acts.keepFields(of, { ...draftOf(of)?.fields, ...Object.fromEntries(ticks), ...fields });
  };
  const togetherTicked = (of: TogetherView): Alike[] => of.questions.filter((one) => isTicked(of, one));
  const togetherPicked = (of: TogetherView): Choice[] =>
    of.choices.filter(({ label }) => fieldOf(of, choiceField(label)) === 'yes');
  const togetherText = (of: TogetherView): string => fieldOf(of, 'text');

  function lacking(of: TogetherView): Missing | undefined {
    if (togetherTicked(of).length === 0) return { field: 'ticks', text: t('Select at least one.') };
    if (togetherPicked(of).length === 0) return { field: 'choices', text: t('Choose one first.') };
    const [n, max] = [togetherText(of).trim().length, maxText()];
    if (n > max) return { field: 'text', text: t('{n} of {max}: shorten it by {over}.', { n, max, over: n - max }) };
    return undefined;
  }

  return {
    togetherTicked,
    togetherPicked,
    togetherText,
    togetherDraft: draftOf,
    longestTogether: maxText,

    tickAlike(one: Alike): void {
      const of = view();
      if (of) keep(of, { [one.shown]: isTicked(of, one) ? 'no' : 'yes' });
    },

    pickTogether(label: string): void {
      const of = view();
      if (!of) return;
      const others = of.multiple ? [] : of.choices.map((one): [string, string] => [choiceField(one.label), 'no']);
      const next = fieldOf(of, choiceField(label)) === 'yes' ? 'no' : 'yes';
      keep(of, { ...Object.fromEntries(others), [choiceField(label)]: next });
    },

    writeTogether(text: string): void {
      const of = view();
      if (of) keep(of, { text });
    },

    answerTogether(): void {
      const of = view();
      if (!of || of.locked !== undefined || of.inBrowser !== undefined) return;
      acts.attempt({
        ...{ target: of, lacking: lacking(of) },
        make: (marks) => ({
          type: 'answerTogether',
          ...marks,
          ticked: togetherTicked(of).map(({ id }) => id),
          choices: togetherPicked(of).map(({ label }) => label),
          text: togetherText(of).trim(),
        }),
      });
    },
  };
}

const choiceField = (label: string): string => `choice ${label}`;

// Several assumptions, confirmed together.

interface AssumptionsOptions {
  readonly acts: FormActs<ConfirmAssumptionsMessage>;
  readonly view: () => AssumptionsView | undefined;
}

export type AssumptionsPage = OneFormPage &
  ReturnType<typeof createAssumptionsActs> & {
    readonly dispatch: (
      message:
        | { readonly type: 'back' }
        | { readonly type: 'select'; readonly key: string }
        | { readonly type: 'openFile'; readonly key: string; readonly path: string; readonly line?: number },
    ) => void;
  };

export function createAssumptionsActs({ acts, view }: AssumptionsOptions) {
  const draftOf = ({ key }: AssumptionsView): FieldsDraft | undefined => acts.fieldsOf(key);

  /** A tick applies to the displayed question; a changed question starts from its default. */
  function isTicked(of: AssumptionsView, { shown, ticked }: Assumed): boolean {
    const own = draftOf(of)?.fields[shown];
    return own === undefined ? ticked : own === 'yes';
  }

  const tickedOf = (of: AssumptionsView): Assumed[] => of.questions.filter((one) => isTicked(of, one));

  return {
    tickedOf,
    assumptionsDraft: draftOf,

    tick(one: Assumed): void {
      const of = view();
      if (of) acts.keepFields(of, { ...draftOf(of)?.fields, [one.shown]: isTicked(of, one) ? 'no' : 'yes' });
    },

    confirmAssumptions(): void {
      const of = view();
      if (!of || of.locked !== undefined) return;
      const ticked = tickedOf(of);
      const twice = ticked.some(({ urgency }) => urgency === 'critical');
      acts.attempt({
        ...{ target: of, twice },
        lacking: ticked.length === 0 ? { field: 'ticks', text: t('Select at least one.') } : undefined,
        make: (marks) => ({
          type: 'confirmAssumptions',
          ...marks,
          ticked: ticked.map(({ id }) => id),
          confirmed: twice,
        }),
      });
    },
  };
}

export const kindWords = {
  clarification: t('clarification'),
  decision: t('decision'),
  approval: t('approval'),
  rfc: t('RFC'),
};
