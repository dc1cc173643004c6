/** Shared by all forms except a question's: the heading, the result, and the link back to the questions. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, notice } from './buttons.ts';
import { decideButton, secondStep, waiting } from './deciding.ts';
import type { SecondStep } from './deciding.ts';
import type { FormPage } from './formPage.ts';
import { icon } from './icons.ts';
import type { IconName } from './icons.ts';
import { t } from './strings.ts';
import { visible } from './visible.ts';
import type { OneFormPage } from './oneForm.ts';

interface Leaves extends Pick<OneFormPage, 'inTab'> {
  readonly dispatch: (message: { readonly type: 'back' }) => void;
}

export function wideTitle(name: IconName, title: unknown, folder: string | undefined): TemplateResult {
  return html`<h1 class="plain-title">
    ${icon(name)}<span
      >${title}${
        folder === undefined ? nothing : html` <span class="quiet wide-folder"><bdi>${visible(folder)}</bdi></span>`
      }</span
    >
  </h1>`;
}

/** Leaves the form as it is; a tab is closed like any other. */
export function leave(page: Leaves): TemplateResult | typeof nothing {
  if (page.inTab()) return nothing;
  return button(t('Back'), () => page.dispatch({ type: 'back' }), { act: 'leave' });
}

/** The result of the last act of a form that stays open. */
export function done(page: Pick<OneFormPage, 'done'>): TemplateResult | typeof nothing {
  const text = page.done();
  return text === undefined
    ? nothing
    : html`<p class="notice notice-info" tabindex="-1" data-focus="result">
        ${icon('pass')}<span>${visible(text)}</span>
      </p>`;
}

/** Whether its fields cannot be edited now. */
export function isFrozen(page: FormPage, view: { readonly locked?: string | undefined }): boolean {
  return view.locked !== undefined || page.flight() !== undefined || page.step() === 'confirm';
}

interface TwoSteps extends SecondStep {
  /** The button that leads to the confirmation. */
  readonly send: string;
  /** Between the form and its buttons, and after them. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The end of a form whose act takes two steps. */
export function inTwoSteps(
  page: FormPage & Leaves,
  view: { readonly locked?: string | undefined },
  { send, before, after, ...second }: TwoSteps,
): TemplateResult {
  if (view.locked !== undefined) return locked(view.locked);
  if (page.flight() !== undefined) return waiting(page);
  if (page.step() === 'confirm') return secondStep(page, second);
  return html`${before}
    <div class="actions">${decideButton(send, second.act, true)} ${leave(page)} ${after}</div>`;
}

/** Why nothing can be decided here now. */
export function locked(why: string): TemplateResult {
  return notice('info', 'lock', html`<strong>${t('Read-only')}.</strong> ${visible(why)}`);
}
