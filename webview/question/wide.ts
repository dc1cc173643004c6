/** What forms beside that of a question share: their heading, what was done, and the way back to the questions. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, notice } from '../shared/buttons.ts';
import { icon } from '../shared/icons.ts';
import type { IconName } from '../shared/icons.ts';
import { t } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import type { Page } from './page.ts';

export function wideTitle(name: IconName, title: unknown, folder: string | undefined): TemplateResult {
  return html`<h1 class="plain-title">
    ${icon(name)}<span
      >${title}${
        folder === undefined ? nothing : html` <span class="quiet wide-folder"><bdi>${visible(folder)}</bdi></span>`
      }</span
    >
  </h1>`;
}

/** Leaves the form as it is. */
export function leave(page: Page): TemplateResult {
  return button(t('answer.back'), () => page.wish({ type: 'back' }), { act: 'leave' });
}

/** What was done by the form that is still there. */
export function done(page: Page): TemplateResult | typeof nothing {
  const text = page.done();
  return text === undefined
    ? nothing
    : html`<p class="notice notice-info" tabindex="-1" data-focus="result">
        ${icon('pass')}<span>${visible(text)}</span>
      </p>`;
}

/** Why nothing can be decided here now. */
export function locked(why: string): TemplateResult {
  return notice('info', 'lock', html`<strong>${t('answer.locked')}.</strong> ${visible(why)}`);
}
