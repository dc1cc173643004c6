/** Answers an open question in place: with the author's choices, with text, or by waiving it. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { OfferedChoice, OpenQuestion } from '../../src/ui/rfc/sections.ts';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import { button, link } from '../shared/buttons.ts';
import { formOf, refusal, waiting } from '../shared/deciding.ts';
import { nameField, textBox } from '../shared/fields.ts';
import { t } from '../shared/strings.ts';
import { byHuman } from '../shared/trusted.ts';
import { visible, visibleText } from '../shared/visible.ts';
import type { Page } from './page.ts';
import { questionPlace } from './places.ts';

export function answerBox(page: Page, view: RfcView, one: OpenQuestion): TemplateResult {
  const place = questionPlace(one.key);
  const at = page.at(place);
  const busy = at.flight() !== undefined;
  const { text } = page.answer(one.key);
  const send = () => {
    page.sendAnswer(one.key);
  };
  const label = t('Answer “{question}”', { question: visibleText(one.text).slice(0, 120) });
  const content = html`${choices(page, one, busy)}
  ${textBox(at, {
    name: `${place}.text`,
    label,
    placeholder: one.choices.length === 0 ? t('Your answer') : t('Reason, or another answer'),
    value: text,
    max: page.snapshot()?.limits.answer ?? 0,
    disabled: busy,
    edit: (written) => page.setAnswer(one.key, { text: written }),
  })}
  ${view.answersAs.editable ? nameField(at, view.answersAs, busy) : nothing} ${refusal(at)}
  ${
    busy
      ? waiting(at)
      : html`<div class="actions">
          ${button(t('Answer'), send, { act: 'answer', label, once: true })} ${waive(page, view, one)}
        </div>`
  }`;
  return formOf(at, content, { act: send, kind: 'answer-box' });
}

function choices(page: Page, { key, text, choices: all }: OpenQuestion, disabled: boolean): unknown {
  if (all.length === 0) return nothing;
  const picked = page.answer(key).choices;
  return html`<fieldset class="choices" ?disabled=${disabled}>
    <legend class="sr-only">${visible(text)}</legend>
    ${all.map((one) => row(page, key, one, picked.includes(one.label)))}
  </fieldset>`;
}

/** A second click clears the choice, since text alone may answer. */
function row(page: Page, key: string, { label, description, recommended }: OfferedChoice, picked: boolean) {
  const pick = byHuman(() => page.setAnswer(key, { choices: picked ? [] : [label] }));
  return html`<label class="choice ${picked ? 'picked' : ''}">
    <input type="radio" name="choice-${key}" .checked=${live(picked)} @click=${pick} />
    <span class="choice-body" dir="auto">
      <span class="choice-label"
        >${visible(label)}${recommended ? html` <span class="recommended">${t('recommended')}</span>` : nothing}</span
      >
      ${description === undefined ? nothing : html`<span class="choice-more">${visible(description)}</span>`}
    </span>
  </label>`;
}

/** Takes effect with the approval, which waives each question by name. */
function waive(page: Page, { may }: RfcView, { key, text, standing }: OpenQuestion): TemplateResult | typeof nothing {
  if (standing.type !== 'open' || !may.approve) return nothing;
  const waived = page.draft().waived.includes(key);
  const question = visibleText(text).slice(0, 120);
  const label = waived
    ? t('“{question}” needs an answer after all', { question })
    : t('“{question}” needs no answer', { question });
  return link(waived ? t('Require an answer') : t('No answer needed'), () => page.setWaived(key, !waived), {
    act: 'waive',
    label,
  });
}
