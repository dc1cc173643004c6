/** The form itself: choices, text, the button; and in place of it the panels that let go or cancel. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { QuestionView } from '../../src/protocol/question.ts';
import { icon } from '../shared/icons.ts';
import { t, th } from '../shared/strings.ts';
import type { Key } from '../shared/strings.ts';
import { byHuman } from '../shared/trusted.ts';
import { visible } from '../shared/visible.ts';
import { choiceThatNeedsReason, limitOf, picked, takesText } from './acts.ts';
import { choices } from './choices.ts';
import { hintFor, nameField, textBox } from './fields.ts';
import type { Page } from './page.ts';
import type { Draft, Panel } from './saved.ts';

/** How the keys that answer are called here. */
export const answerKeys = navigator.platform.startsWith('Mac') ? '⌘⏎' : 'Ctrl+Enter';

const sendLabel: Record<Panel, Key> = { answer: 'answer.send', release: 'release.send', cancel: 'cancel.send' };
const confirmText: Record<Panel, Key> = {
  answer: 'confirm.answer',
  release: 'confirm.release',
  cancel: 'confirm.cancel',
};
const confirmYes: Record<Panel, Key> = {
  answer: 'confirm.answerYes',
  release: 'confirm.releaseYes',
  cancel: 'confirm.cancelYes',
};

/** For a question that waits; and for one that expired and still holds, where only letting go is left. */
export function answerForm(page: Page, view: QuestionView): TemplateResult {
  const draft = page.draftOf(view);
  const busy = page.flight() !== undefined;
  const confirming = page.step() === 'confirm';
  const frozen = busy || confirming;
  const stale = draft.shown !== view.shown && view.resolution.type === 'pending';
  return html`<form
    class="form"
    data-focus="form"
    aria-busy=${busy ? 'true' : 'false'}
    @submit=${(event: Event) => {
      event.preventDefault();
    }}
    @keydown=${byHuman<KeyboardEvent>((event) => {
      onKey(page, event);
    })}
  >
    ${stale ? html`<p class="notice notice-info">${icon('history')}<span>${t('answer.changed')}</span></p>` : nothing}
    ${draft.panel === 'answer' ? answerFields(page, view, draft, frozen) : panelFields(page, view, draft, frozen)}
    ${view.answersAs.editable ? nameField(page, view.answersAs.name, frozen) : nothing}
    ${
      page.refusal() === undefined
        ? nothing
        : html`<p class="notice notice-error" role="alert">${icon('error')}<span>${page.refusal()}</span></p>`
    }
    ${confirming && !busy ? secondStep(page, view, draft) : actions(page, view, draft, busy)}
  </form>`;
}

function onKey(page: Page, event: KeyboardEvent): void {
  if (event.isComposing || event.repeat) return;
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    event.preventDefault();
    // The second step wants its own button.
    if (page.step() === 'form') page.decide();
  } else if (event.key === 'Escape' && page.back()) {
    event.preventDefault();
    event.stopPropagation();
  }
}

function answerFields(page: Page, view: QuestionView, draft: Draft, frozen: boolean): TemplateResult {
  const reason = choiceThatNeedsReason(view, draft) !== undefined || view.freeText === 'required';
  const label = view.choices.length === 0 ? 'answer.text' : reason ? 'answer.reasonNeeded' : 'answer.reason';
  return html`
    ${choices(page, view, draft, frozen)} ${hintFor(page, 'choices')}
    ${
      takesText(view)
        ? textBox(page, {
            label: t(label),
            value: draft.text.answer,
            max: limitOf(draft, limits(page)),
            disabled: frozen,
            placeholder: t('answer.placeholder', { label: t(label), key: answerKeys }),
          })
        : nothing
    }
  `;
}

function panelFields(page: Page, view: QuestionView, draft: Draft, frozen: boolean): TemplateResult {
  const cancel = draft.panel === 'cancel';
  return html`
    <h2 class="panel-title">${t(cancel ? 'cancel.title' : 'release.title')}</h2>
    <p class="quiet">
      ${th(cancel ? 'cancel.effect' : 'release.effect', { agent: html`<bdi>${visible(view.agent)}</bdi>` })}
    </p>
    ${textBox(page, {
      label: t(cancel ? 'cancel.reason' : 'release.note'),
      value: draft.text[draft.panel],
      max: limitOf(draft, limits(page)),
      disabled: frozen,
    })}
  `;
}

function limits(page: Page) {
  return page.snapshot()?.limits ?? { answer: 0, reason: 0, name: 0 };
}

function actions(page: Page, view: QuestionView, draft: Draft, busy: boolean): TemplateResult {
  if (busy) return waiting(page);
  const label = t(sendLabel[draft.panel]);
  const main = html`<vscode-button
    class="wide"
    appearance="primary"
    title=${`${label} (${answerKeys})`}
    data-act="decide"
    @click=${byHuman(() => {
      page.decide();
    })}
    >${view.secondStep ? t('answer.sendFirst', { label }) : label}</vscode-button
  >`;
  if (view.resolution.type === 'expired') return html`<div class="actions">${main}</div>`;
  if (draft.panel !== 'answer') return html`<div class="actions">${main}${backButton(page)}</div>`;
  return html`<div class="actions">${main}</div>
    <p class="other-ways">
      ${panelLink(page, 'release', 'answer.release')} ${panelLink(page, 'cancel', 'answer.cancel')}
    </p>`;
}

function panelLink(page: Page, panel: Panel, label: Key): TemplateResult {
  return html`<button
    type="button"
    class="link"
    data-act=${panel}
    @click=${byHuman(() => {
      page.openPanel(panel);
    })}
  >
    ${t(label)}
  </button>`;
}

export function backButton(page: Page, back: () => void = () => page.back()): TemplateResult {
  return html`<vscode-button appearance="secondary" data-act="back" @click=${byHuman(back)}
    >${t('answer.back')}</vscode-button
  >`;
}

/** Critical ones: what will be sent, once more, and a button of its own. Nothing here has the focus by itself. */
function secondStep(page: Page, view: QuestionView, draft: Draft): TemplateResult {
  const labels = draft.panel === 'answer' ? picked(view, draft) : [];
  const text = draft.text[draft.panel].trim();
  return html`<section class="second-step" tabindex="-1" data-focus="confirm" aria-labelledby="second-step">
    <p id="second-step">${icon('warning', 'warning')}<strong>${t(confirmText[draft.panel])}</strong></p>
    ${said(labels, text)}
    <div class="actions">
      <vscode-button
        class="wide"
        appearance="primary"
        data-act="confirm"
        @click=${byHuman((event: MouseEvent) => {
          // The second half of a double click is not a second thought.
          if (event.detail < 2) page.decide();
        })}
        >${t(confirmYes[draft.panel])}</vscode-button
      >
      ${backButton(page)}
    </div>
  </section>`;
}

/** An answer as it was, or will be, given. */
export function said(labels: readonly string[], text: string): TemplateResult {
  return html`<blockquote class="said" dir="auto">
    ${labels.map((label) => html`<p class="said-choice">${visible(label)}</p>`)}
    ${text === '' ? nothing : html`<p class="said-text">${visible(text)}</p>`}
  </blockquote>`;
}

/** While the host works. */
export function waiting(page: Page): TemplateResult {
  if (page.flight()?.slow === true) {
    return html`<p class="notice notice-info">${icon('watch')}<span>${t('answer.slow')}</span></p>
      <div class="actions">
        <vscode-button
          class="wide"
          appearance="secondary"
          data-act="again"
          @click=${byHuman(() => {
            page.again();
          })}
          >${t('answer.again')}</vscode-button
        >
      </div>`;
  }
  return html`<div class="sending">
    <vscode-progress-ring aria-label=${t('answer.sending')}></vscode-progress-ring>${t('answer.sending')}
  </div>`;
}
