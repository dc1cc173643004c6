/** The answer form: choices, text and button. The panels for releasing and cancelling replace it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { AnswerEffect } from '../../src/core/kit/words.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import type { Choice } from '../../src/ui/answer/together.ts';
import type { Drawn } from '../forms/kit.ts';
import {
  answerKeys,
  backButton,
  decideButton,
  formOf,
  readFirst,
  refusal,
  secondStep,
  waitingNote,
} from '../shared/deciding.ts';
import {
  button,
  link,
  menu,
  notice,
  labelledText,
  visible,
  visibleText,
  isTouchScreen,
  bdi,
} from '../shared/elements.ts';
import { hintFor, textBox, choices } from '../shared/fields.ts';
import { markdown } from '../shared/markdown.ts';
import { clampedContent, holdEffect, isHoldPanel, type HoldPanel } from '../shared/parts.ts';
import { fill, t, th } from '../shared/strings.ts';
import {
  effectOf,
  isPicked,
  limitOf,
  offeredOptions,
  pickedOptions,
  takesText,
  type Draft,
  type Option,
  hasSecondStep,
  isOpen,
  isPossible,
  panelNames,
  panels,
  type PanelName,
} from './acts.ts';
import { consequences } from './context.ts';
import type { Page } from './page.ts';

/** A second click clears a choice: text alone may answer. */
export function answerChoices(page: Page, view: QuestionForm, draft: Draft, disabled: boolean): Drawn {
  const all = offeredOptions(view);
  if (all.length === 0) return nothing;
  return choices({
    ...{ name: 'choice', multiple: view.multiple, focus: 'choices', labelledBy: 'question', disabled },
    ...{ decides: true, hasKeys: true },
    legend: view.multiple ? html`<legend class="quiet small">${t('Select all that apply')}</legend>` : nothing,
    rows: all.map((option) => ({
      ...choiceWords(option),
      picked: isPicked(option, draft),
      pick: () => page.toggle(option),
    })),
  });
}

/** Its label, and what it leads to. */
export function choiceWords(choice: Choice) {
  const { label, recommended } = choice;
  const more = moreOf(choice);
  return { label: visible(label), recommended, ...(more.length === 0 ? {} : { more: visible(more.join(' ')) }) };
}

/** Its description, and what it does if it says no. */
export function moreOf({ description, effect = 'proceed', inText }: Option): string[] {
  return [description, inText ? undefined : effectWords[effect]].filter((one) => one !== undefined);
}

/** Whether an answer is being written. */
function isAnswering(page: Page, view: QuestionForm): boolean {
  if (view.resolution.type !== 'pending' || !isOpen(view)) return false;
  return page.draftOf(view).panel === 'answer' && page.step() === 'form' && !page.flight() && !page.heldHere();
}

/** Keys that act wherever the focus is, except while typing. */
export function onKey(page: Page, event: KeyboardEvent): void {
  if (event.defaultPrevented || page.flight() || isTyping(event)) return;
  if (!event.isTrusted || event.repeat || event.isComposing || event.altKey) return;
  const isChord = event.ctrlKey || event.metaKey;
  const inQueue = event.shiftKey ? undefined : isChord ? chordOf(page, event.key) : queueKeyOf(page, event.key);
  const act = inQueue ?? (isChord ? undefined : choiceKeyOf(page, event.key));
  if (!act) return;
  event.preventDefault();
  act();
}

/** 1 to 9 pick a choice. */
function choiceKeyOf(page: Page, key: string): (() => void) | undefined {
  const view = page.snapshot()?.view;
  if (view?.type !== 'question' || !isAnswering(page, view) || page.mustOpen()) return undefined;
  const index = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
  const option = offeredOptions(view)[index];
  return (
    option &&
    (() => {
      page.toggle(option);
      document.getElementById(`choice-${index}`)?.focus();
    })
  );
}

/** Undoing is no letter, because what it takes back is not on the screen. The form handles Ctrl+Enter while it has focus. */
function chordOf(page: Page, key: string): (() => void) | undefined {
  const latest = page.held().at(-1);
  if (key.toLowerCase() === 'z' && latest)
    return () => {
      page.dispatch({ type: 'undo', held: latest.act });
    };
  return key === 'Enter' && page.run() && page.step() === 'form' ? page.decide : undefined;
}

function queueKeyOf(page: Page, pressed: string): (() => void) | undefined {
  const key = pressed.toLowerCase();
  if (!page.run()) return undefined;
  if ((key === 'j' || key === 'k') && lettersAct(page))
    return () => {
      page.dispatch({ type: 'go', to: key === 'j' ? 'next' : 'back' });
    };
  // The number of the picked choice confirms a critical answer: a separate key press, after the human has seen it.
  return page.step() === 'confirm' && key === String(confirmNumber(page)) ? page.decide : undefined;
}

/** Letters act only where they cannot be meant as text: an item without choices is answered by writing. */
function lettersAct(page: Page): boolean {
  const view = page.snapshot()?.view;
  if (view?.type === 'question') return offeredOptions(view).length > 0 && page.draftOf(view).panel === 'answer';
  return view?.type === 'nothing';
}

/** The number that confirms; undefined if only the button does. */
function confirmNumber(page: Page): number | undefined {
  const view = page.snapshot()?.view;
  if (!page.run() || view?.type !== 'question') return undefined;
  const draft = page.draftOf(view);
  const isOne = draft.panel === 'answer' && pickedOptions(view, draft).length === 1;
  const number = 1 + offeredOptions(view).findIndex((option) => isPicked(option, draft));
  return isOne && number <= 9 ? number : undefined;
}

function isTyping(event: Event): boolean {
  const target = event.composedPath()[0];
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox';
}

/** What an option that says no does. */
const effectWords = {
  proceed: undefined,
  do_not: t('The agent must find another way.'),
  stop: t('Cancels the work. It stays held until you lift this.'),
} as const satisfies Record<AnswerEffect, string | undefined>;

const answerLabel: Record<AnswerEffect, string> = {
  proceed: t('Answer'),
  do_not: t('Say no'),
  stop: t('Stop this work'),
};
/**
 * For pending questions, for expired ones that still hold work, and for revoking or lifting an answer.
 */
export function answerForm(page: Page, view: QuestionForm): TemplateResult {
  const draft = page.draftOf(view);
  const { panel } = draft;
  const busy = page.flight() !== undefined;
  const confirming = page.step() === 'confirm';
  const frozen = busy || confirming;
  const stale = draft.shown !== view.shown && view.resolution.type === 'pending';
  const isHold = isHoldPanel(panel);
  return formOf(
    page,
    html`${stale ? notice('info', 'history', t('This question has changed since you started. Read it again before you answer.')) : nothing}
      ${
        panel === 'answer'
          ? html`${answerChoices(page, view, draft, frozen)} ${hintFor(page, 'choices')}`
          : about(view, panel)
      }
      ${writing(page, view, draft)}
      <div class="acts">
        ${refusal(page)} ${notRecorded(page)}
        ${busy ? waitingNote(page) : isHold ? hold(page, view, panel) : confirming ? confirmation(page, view, draft) : actions(page, view, draft)}
      </div>`,
    { kind: 'answer-form', act: isHold ? () => undefined : page.decide },
  );
}

function notRecorded(page: Page): Drawn {
  const why = page.notRecorded();
  return why === undefined
    ? nothing
    : notice('error', 'error', th('Not recorded: {why}', { why: visible(why) }), { role: 'alert' });
}

/** What the act does. An approval that is closed without an answer is not given. */
function about(view: QuestionForm, panel: PanelName): Drawn {
  const { title, text } = panels[panel];
  if (!text) return nothing;
  const agent = bdi(view.agent);
  const closes = view.kind === 'approval' && (panel === 'release' || panel === 'cancel');
  return html`<h2 class="panel-title">${title}</h2>
    <p class="quiet">
      ${fill(text.effect, { agent })}
      ${closes ? th('It approves nothing: {agent} must not do it.', { agent }) : nothing}
    </p>`;
}

function writing(page: Page, view: QuestionForm, { panel, text }: Draft): Drawn {
  const label = panel === 'answer' ? answerTextLabel(view) : panels[panel].text?.label;
  if (label === undefined) return nothing;
  return textBox(page, {
    ...{ label, value: text[panel] ?? '', edit: page.setText, max: limitOf(panel, page.limits()) },
    disabled: page.flight() !== undefined || page.step() === 'confirm',
    ...(panel === 'answer'
      ? { placeholder: isTouchScreen ? label : t('{label} ({key} to send)', { label, key: answerKeys }) }
      : {}),
  });
}

function answerTextLabel(view: QuestionForm): string | undefined {
  if (!takesText(view)) return undefined;
  if (view.choices.length === 0) return t('Your answer');
  return view.freeText === 'required' ? t('Reason') : t('Add a reason');
}

function actions(page: Page, view: QuestionForm, draft: Draft): TemplateResult {
  const { panel } = draft;
  const words = panel === 'answer' ? answerLabel[effectOf(view, draft)] : panels[panel].send;
  const mustRead = page.mustRead();
  const main = mustRead
    ? readFirst(page.inTab(), page.decide)
    : decideButton(words, page.decide, hasSecondStep(view, panel));
  if (panel !== 'answer') return html`<div class="actions">${main}${backButton(page)}</div>`;
  // Where the view has no room for what decides, it leads to the tab, and to nothing else.
  if (page.mustOpen()) return html`<div class="actions">${main}</div>`;
  const label = t('More…');
  return html`<div class="actions">
    ${main}${askBackButton(page, view, 'ask-back')}${menu({ label, words: label, kind: 'more-words' }, otherWays(page, view))}
  </div>`;
}

function otherWays(page: Page, view: QuestionForm) {
  const offered = panelNames.filter((panel) => panels[panel].how !== 'afterwards' && isPossible(view, panel));
  return offered.map((panel) => ({
    words: panels[panel].open,
    act: isHoldPanel(panel) ? `open-${panel}` : panel,
    ...(panel === 'askBack' ? { kind: 'ask-back' } : {}),
    run: () => {
      page.openPanel(panel);
    },
  }));
}

/** @param kind `ask-back`: where there is room for it (question.css); else it is an entry of the menu */
export function askBackButton(page: Page, view: QuestionForm, kind = ''): Drawn {
  if (!isPossible(view, 'askBack')) return nothing;
  return button(panels.askBack.open, () => page.openPanel('askBack'), { act: 'ask-back', kind });
}

/** Opens an act on a decision. */
export function panelLink(page: Page, panel: PanelName): TemplateResult {
  return link(panels[panel].open, () => page.openPanel(panel), { act: panel });
}

/** Changes the file scope: shows the effect and a separate button, without a keyboard shortcut. */
function hold(page: Page, view: QuestionForm, panel: HoldPanel): TemplateResult {
  return secondStep(page, {
    ask: panels[panel].title,
    content: holdEffect(panel, view.blocks.files),
    yes: panels[panel].send,
    act: page.decide,
  });
}

/** The confirmation of a critical act: repeats the message, its consequence and the question, with a separate button. */
function confirmation(page: Page, view: QuestionForm, draft: Draft): TemplateResult {
  const { panel } = draft;
  const options = panel === 'answer' ? pickedOptions(view, draft) : [];
  const number = confirmNumber(page);
  const words =
    panel === 'answer'
      ? { ask: t('This is critical. Send this answer?'), yes: answerWords(options.map(({ label }) => label)) }
      : (panels[panel].confirm ?? { ask: panels[panel].title, yes: panels[panel].send });
  return secondStep(page, {
    ...words,
    content: html`${answeredText(options, (draft.text[panel] ?? '').trim())} ${consequences(view)}
    ${clampedContent(page, 'confirm', markdown(page, view.key, 'confirm', view.text))}
    ${number === undefined ? nothing : html`<p class="small">${t('or press {n} again', { n: number })}</p>`}`,
    act: page.decide,
  });
}

function answeredText(options: readonly Option[], text: string): TemplateResult {
  return html`${labelledText(
    options.map(({ label }) => label),
    text,
  )}${options.map((option) => moreOf(option).map((one) => html`<p class="choice-more">${visible(one)}</p>`))}`;
}

const answerAtMost = 60;

function answerWords(labels: readonly string[]): string {
  const answer = visibleText(labels.join(', '));
  if (answer === '') return t('Answer');
  return t('Answer “{answer}”', {
    answer: answer.length > answerAtMost ? `${answer.slice(0, answerAtMost)}…` : answer,
  });
}
