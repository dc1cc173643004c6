/** Turns drafts into decision messages, or reports missing input: of one question, and of several at once. */
import type { AnswerEffect } from '../../src/core/kit/words.ts';
import type { Assumed, AssumptionsView } from '../../src/ui/answer/assumptions.ts';
import type { AnswerTogetherMessage, ConfirmAssumptionsMessage, Decision } from '../../src/ui/answer/messages.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import type { Alike, Choice, TogetherView } from '../../src/ui/answer/together.ts';
import type { Snapshot } from '../../src/ui/answer/view.ts';
import type { FieldsDraft, FormActs, OneFormPage } from '../shared/oneForm.ts';
import { isHoldPanel, type HoldPanel } from '../shared/parts.ts';
import { mark, missingName, type Missing } from '../shared/signing.ts';
import { t } from '../shared/strings.ts';
import { effects, type Draft, type Panel, type TextPanel } from './saved.ts';

// The effect of a drafted answer: that of its choices, unless the human selects another. Pure.

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

// The options: first the agent's assumption, which the human can confirm, then the choices. Pure.

export function offered(view: QuestionForm): readonly Choice[] {
  const assumed = assumedAnswer(view);
  return assumed === undefined ? view.choices : [{ label: assumed, recommended: false }, ...view.choices];
}

/** The picked labels in the form's order, without those that are no longer offered. */
export function pickedLabels(view: QuestionForm, draft: Draft): string[] {
  return offered(view)
    .map(({ label }) => label)
    .filter((label) => draft.choices.includes(label));
}

/** The text of an answer: it includes a confirmed assumption, which is not one of the agent's choices. */
function answerText(view: QuestionForm, draft: Draft): string {
  const assumed = assumedAnswer(view);
  const parts = [assumed !== undefined && draft.choices.includes(assumed) ? assumed : '', draft.text.answer.trim()];
  return parts.filter((part) => part !== '').join('\n');
}

/** The text comes from the host, because the form of several assumptions signs the same text. */
function assumedAnswer({ assumption, resolution }: QuestionForm): string | undefined {
  return resolution.type === 'pending' ? assumption?.answer : undefined;
}

type Limits = Snapshot['limits'];

interface Asked {
  readonly view: QuestionForm;
  readonly draft: Draft;
  /** The signer's name. */
  readonly name: string;
}

/** The picked choices, without labels that are no longer offered. */
function picked(view: QuestionForm, draft: Draft): string[] {
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

// Several questions of the same shape, answered together.

interface TogetherOptions {
  readonly acts: FormActs<AnswerTogetherMessage>;
  readonly view: () => TogetherView | undefined;
  readonly nameFor: OneFormPage['nameFor'];
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

export function createTogetherActs({ acts, view, nameFor, maxText }: TogetherOptions) {
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
    return missingName(of.answersAs, nameFor(of.answersAs.name));
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

/** What the picked choices mean: the strictest of them. */
export function effectTogether(picked: readonly Choice[]): AnswerEffect {
  return effects.findLast((effect) => picked.some((choice) => choice.effect === effect)) ?? 'proceed';
}

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
