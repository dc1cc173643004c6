import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { Choice } from '../../src/ui/answer/together.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { t } from '../shared/strings.ts';
import { byHuman } from '../shared/trusted.ts';
import { visible } from '../shared/visible.ts';
import { offered } from './offered.ts';
import type { Draft } from './saved.ts';
import type { Page } from './page.ts';

/** Native radio buttons or checkboxes, styled as rows. A second click clears a choice: text alone may answer. */
export function choices(
  page: Page,
  view: QuestionForm,
  draft: Draft,
  disabled: boolean,
): TemplateResult | typeof nothing {
  const all = offered(view);
  if (all.length === 0) return nothing;
  return html`<fieldset class="choices" ?disabled=${disabled} data-focus="choices" aria-labelledby="question">
    ${view.multiple ? html`<legend class="quiet small">${t('Select all that apply')}</legend>` : nothing}
    ${all.map((choice, index) => row({ page, view, choice, index, picked: draft.choices.includes(choice.label) }))}
  </fieldset>`;
}

interface Row {
  readonly page: Page;
  readonly view: QuestionForm;
  readonly choice: Choice;
  readonly index: number;
  readonly picked: boolean;
}

function row({ page, view, choice, index, picked }: Row): TemplateResult {
  const id = `choice-${index}`;
  // The page owns the selection: the next render updates the control.
  const click = byHuman(() => page.toggle(choice.label));
  return html`<label class="choice ${picked ? 'picked' : ''}" data-decides=${id}>
    <input
      type=${view.multiple ? 'checkbox' : 'radio'}
      name="choice"
      id=${id}
      value=${index}
      .checked=${live(picked)}
      aria-describedby=${choice.description === undefined ? nothing : `${id}-more`}
      aria-keyshortcuts=${index < 9 ? String(index + 1) : nothing}
      @click=${click}
    />
    ${choiceBody(choice, id)}
    ${index < 9 ? html`<kbd class="choice-key" aria-hidden="true">${index + 1}</kbd>` : nothing}
  </label>`;
}

/** Its label and description. @param id of its control, which the description's id begins with */
export function choiceBody(choice: Choice, id: string): TemplateResult {
  return html`<span class="choice-body" dir="auto">
    <span class="choice-label"
      >${visible(choice.label)}${
        choice.recommended ? html` <span class="recommended">${t('recommended')}</span>` : nothing
      }</span
    >
    ${
      choice.description === undefined
        ? nothing
        : html`<span class="choice-more" id="${id}-more">${visible(choice.description)}</span>`
    }
  </span>`;
}
