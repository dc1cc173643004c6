/** Selects the effect of the answer. It starts with the effect of the choice. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { AnswerEffect } from '../../src/core/kit/words.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { link } from '../shared/buttons.ts';
import { hintFor } from '../shared/fields.ts';
import { t } from '../shared/strings.ts';
import { byHuman } from '../shared/trusted.ts';
import { effectOf, effectsOf, mayMeanNo, showsEffect } from './effects.ts';
import type { Page } from './page.ts';
import type { Draft } from './saved.ts';

export const effectWords = {
  proceed: { label: t('Proceed'), more: t('It may be done.') },
  do_not: {
    label: t('Do not do this'),
    more: t('The agent must not do this until you lift it. It may finish the task in another way.'),
  },
  stop: {
    label: t('Stop this work'),
    more: t('The work is cancelled. It stays held, with its files, until you lift this.'),
  },
} as const satisfies Record<AnswerEffect, Record<'label' | 'more', string>>;

export function effectPicker(page: Page, view: QuestionForm, draft: Draft, disabled: boolean): unknown {
  if (showsEffect(view, draft)) return picker(page, view, draft, disabled);
  if (!mayMeanNo(view) || disabled) return '';
  return html`<p class="means-no">
    ${link(t('Mark as a refusal…'), () => page.setEffect('do_not'), { act: 'means-no', expanded: false })}
  </p>`;
}

function picker(page: Page, view: QuestionForm, draft: Draft, disabled: boolean): TemplateResult {
  const picked = effectOf(view, draft);
  return html`<fieldset class="effects" ?disabled=${disabled} data-focus="effect" tabindex="-1">
      <legend class="field-label">${t('Effect')}</legend>
      <div class="effect-options">
        ${effectsOf(view, draft).map(
          (effect) =>
            html`<label class="effect">
              <input
                type="radio"
                name="effect"
                value=${effect}
                .checked=${live(picked === effect)}
                aria-describedby="effect-more"
                @click=${byHuman(() => page.setEffect(effect))}
              /><span>${effectWords[effect].label}</span>
            </label>`,
        )}
      </div>
      <p class="quiet small" id="effect-more">
        ${picked === undefined ? t('Choose an answer first.') : effectWords[picked].more}
      </p>
    </fieldset>
    ${hintFor(page, 'effect')}`;
}
