/** The form itself: choices, text, the button; and in place of it the panels that let go or cancel. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link, notice } from '../shared/buttons.ts';
import type { AnswerEffect, QuestionForm } from '../../src/protocol/question/question.ts';
import { t, th, tn } from '../shared/strings.ts';
import type { Key } from '../shared/strings.ts';
import { holdEffect, holdWords, isHoldPanel } from '../shared/heldFiles.ts';
import { said } from '../shared/said.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { choiceThatNeedsReason, hasSecondStep, limitOf, picked, takesText } from './acts.ts';
import { choices } from './choices.ts';
import { effectPicker, effectWords } from './effectPicker.ts';
import { effectOf, showsEffect } from './effects.ts';
import { answerKeys, backButton, decideButton, onFormKey, refusal, secondStep, waiting } from '../shared/deciding.ts';
import { hintFor, nameField, textBox } from '../shared/fields.ts';
import type { Page } from './page.ts';
import type { Draft, Panel, TextPanel } from './saved.ts';

const sendLabel: Record<TextPanel, Key> = {
  answer: 'answer.send',
  release: 'release.send',
  cancel: 'cancel.send',
  revoke: 'revoke.send',
  lift: 'lift.send',
};
/** The same for an answer, by what it means. */
const answerLabel: Record<AnswerEffect, Key> = {
  proceed: 'answer.send',
  do_not: 'answer.refuse',
  stop: 'answer.stop',
};
/** What a panel says above its text box. */
const panelWords: Record<Exclude<TextPanel, 'answer'>, { title: Key; effect: Key; text: Key }> = {
  release: { title: 'release.title', effect: 'release.effect', text: 'release.note' },
  cancel: { title: 'cancel.title', effect: 'cancel.effect', text: 'cancel.reason' },
  revoke: { title: 'revoke.title', effect: 'revoke.effect', text: 'revoke.reason' },
  lift: { title: 'lift.title', effect: 'lift.effect', text: 'lift.reason' },
};
/** An answer that can be revoked is never a critical one: there is no second step for it. */
type Confirmed = Exclude<TextPanel, 'revoke'>;
const confirmText: Record<Confirmed, Key> = {
  answer: 'confirm.answer',
  release: 'confirm.release',
  cancel: 'confirm.cancel',
  lift: 'lift.confirm',
};
const confirmYes: Record<Exclude<Confirmed, 'answer'>, Key> = {
  release: 'confirm.releaseYes',
  cancel: 'confirm.cancelYes',
  lift: 'lift.confirmYes',
};

const answerYes: Record<AnswerEffect, Key> = {
  proceed: 'confirm.answerYes',
  do_not: 'confirm.refuseYes',
  stop: 'confirm.stopYes',
};

/**
 * For a question that waits; for one that expired and still holds, where only letting go is left; and for an answer
 * that is to be revoked.
 */
export function answerForm(page: Page, view: QuestionForm): TemplateResult {
  const draft = page.draftOf(view);
  const { panel } = draft;
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
    @keydown=${onFormKey(page, isHoldPanel(panel) ? () => undefined : page.decide)}
  >
    ${stale ? notice('info', 'history', t('answer.changed')) : nothing}
    ${
      panel === 'answer'
        ? answerFields(page, view, draft, frozen)
        : isHoldPanel(panel)
          ? nothing
          : panelFields(page, view, draft, panel)
    }
    ${view.answersAs.editable ? nameField(page, view.answersAs.name, frozen) : nothing} ${refusal(page)}
    ${busy ? waiting(page) : isHoldPanel(panel) ? hold(page, view, panel) : confirming ? confirmation(page, view, draft, panel) : actions(page, view, draft, panel)}
  </form>`;
}

function answerFields(page: Page, view: QuestionForm, draft: Draft, frozen: boolean): TemplateResult {
  const reason = choiceThatNeedsReason(view, draft) !== undefined || view.freeText === 'required';
  const label = view.choices.length === 0 ? 'answer.text' : reason ? 'answer.reasonNeeded' : 'answer.reason';
  return html`
    ${choices(page, view, draft, frozen)} ${hintFor(page, 'choices')}
    ${
      takesText(view)
        ? textBox(page, {
            edit: page.setText,
            label: t(label),
            value: draft.text.answer,
            max: limitOf(draft, limits(page)),
            disabled: frozen,
            placeholder: t('answer.placeholder', { label: t(label), key: answerKeys }),
          })
        : nothing
    }
    ${effectPicker(page, view, draft, frozen)}
  `;
}

function panelFields(page: Page, view: QuestionForm, draft: Draft, panel: keyof typeof panelWords): TemplateResult {
  const frozen = page.flight() !== undefined || page.step() === 'confirm';
  const words = panelWords[panel];
  return html`
    <h2 class="panel-title">${t(words.title)}</h2>
    <p class="quiet">${th(words.effect, { agent: html`<bdi>${visible(view.agent)}</bdi>` })}</p>
    ${textBox(page, {
      edit: page.setText,
      label: t(words.text),
      value: draft.text[panel],
      max: limitOf(draft, limits(page)),
      disabled: frozen,
    })}
  `;
}

function limits(page: Page) {
  return page.snapshot()?.limits ?? { answer: 0, reason: 0, name: 0 };
}

function actions(page: Page, view: QuestionForm, draft: Draft, panel: TextPanel): TemplateResult {
  const label = t(panel === 'answer' ? answerLabel[effectOf(view, draft) ?? 'proceed'] : sendLabel[panel]);
  const main = decideButton(label, page.decide, hasSecondStep(view, panel));
  if (view.resolution.type === 'expired') return html`<div class="actions">${main}</div>`;
  if (draft.panel !== 'answer') return html`<div class="actions">${main}${backButton(page)}</div>`;
  return html`<div class="actions">${main}</div>
    <p class="other-ways">
      ${panelLink(page, 'release', 'answer.release')} ${panelLink(page, 'cancel', 'answer.cancel')}
      ${view.releaseAll ? allLink(page, view.agent, view.releaseAll) : nothing}
    </p>`;
}

export function panelLink(page: Page, panel: Panel, label: Key): TemplateResult {
  return link(t(label), () => page.openPanel(panel), { act: panel });
}

/** To the form that lists what it would let go. */
function allLink(page: Page, agent: string, { key, count }: NonNullable<QuestionForm['releaseAll']>): TemplateResult {
  return link(tn('all.link', count, { agent: visibleText(agent) }), () => page.dispatch({ type: 'select', key }), {
    act: 'all',
  });
}

/** How far it holds: what will happen, and a button of its own. No keys do it. */
function hold(page: Page, view: QuestionForm, panel: keyof typeof holdWords): TemplateResult {
  return secondStep(page, {
    ask: t(holdWords[panel].title),
    content: holdEffect(panel, view.blocks.files),
    yes: t(holdWords[panel].send),
    act: page.decide,
  });
}

/** Critical ones: what will be sent, once more, and a button of its own. */
function confirmation(page: Page, view: QuestionForm, draft: Draft, shown: TextPanel): TemplateResult {
  const panel = shown === 'revoke' ? 'answer' : shown;
  const labels = panel === 'answer' ? picked(view, draft) : [];
  return secondStep(page, {
    ask: t(confirmText[panel]),
    content: html`${said(labels, draft.text[panel].trim())}${panel === 'answer' ? meaning(view, draft) : nothing}`,
    yes: t(panel === 'answer' ? answerYes[effectOf(view, draft) ?? 'proceed'] : confirmYes[panel]),
    act: page.decide,
  });
}

/** What the answer means, where the form shows that. */
function meaning(view: QuestionForm, draft: Draft): TemplateResult | typeof nothing {
  const effect = effectOf(view, draft);
  if (effect === undefined || !showsEffect(view, draft)) return nothing;
  return html`<p data-part="effect">
    <span><strong>${t(effectWords[effect].label)}.</strong> ${t(effectWords[effect].more)}</span>
  </p>`;
}
