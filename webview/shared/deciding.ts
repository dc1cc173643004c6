/** Shared by all forms that decide: keys, confirmation, going back, and the state while the host works. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, notice } from './buttons.ts';
import type { FormPage } from './formPage.ts';
import { icon } from './icons.ts';
import { t } from './strings.ts';
import { byHuman } from './trusted.ts';

/** The name of the shortcut that sends, on this system. */
export const answerKeys = isMac() ? '⌘⏎' : 'Ctrl+Enter';
export const undoKeys = isMac() ? '⌘Z' : 'Ctrl+Z';

function isMac(): boolean {
  return navigator.platform.startsWith('Mac');
}

/** Ctrl/Cmd+Enter acts; Escape goes one step back. */
export function onFormKey(page: FormPage, act: () => void): (event: KeyboardEvent) => void {
  return byHuman<KeyboardEvent>((event) => {
    if (event.isComposing || event.repeat) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      // The confirmation requires its own button.
      if (page.step() === 'form') act();
    } else if (event.key === 'Escape' && page.back()) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

/**
 * The form element: never submits by itself, and can take focus if no field does.
 * @param act called by the keys that send
 * @param kind an additional class
 */
export function formOf(
  page: FormPage,
  content: TemplateResult,
  { act, kind }: { readonly act?: () => void; readonly kind?: string } = {},
): TemplateResult {
  return html`<form
    class=${kind === undefined ? 'form' : `form ${kind}`}
    data-focus="form"
    tabindex="-1"
    aria-busy=${page.flight() === undefined ? 'false' : 'true'}
    @submit=${(event: Event) => {
      event.preventDefault();
    }}
    @keydown=${act === undefined ? nothing : onFormKey(page, act)}
  >
    ${content}
  </form>`;
}

/**
 * The button that decides, and the keys that do the same.
 * @param asksFirst whether a confirmation follows
 */
export function decideButton(label: string, act: () => void, asksFirst = false): TemplateResult {
  return button(asksFirst ? t('{label}…', { label }) : label, () => act(), {
    wide: true,
    primary: true,
    title: `${label} (${answerKeys})`,
    act: 'decide',
  });
}

/** In its place, until all that decides has been on the screen. */
export function readFirst(inTab: boolean, act: () => void): TemplateResult {
  return button(inTab ? t('Read on to answer') : t('Open to answer'), () => act(), {
    ...{ wide: true, primary: true },
    title: inTab
      ? t('Not all that decides has been on the screen yet.')
      : t('Not all that decides has been on the screen. Opens it in a tab; or scroll to its end here.'),
    act: inTab ? 'read-on' : 'open-to-answer',
  });
}

export function backButton(page: FormPage, back: () => void = page.back): TemplateResult {
  return button(t('Back'), back, { act: 'back' });
}

export interface SecondStep {
  /** The question of the confirmation. */
  readonly ask: string;
  /** What will be sent. */
  readonly content: unknown;
  readonly yes: string;
  readonly act: () => void;
}

/** The confirmation inside the form, with its own button. Nothing in it gets focus automatically. */
export function secondStep(page: FormPage, { ask, content, yes, act }: SecondStep): TemplateResult {
  return html`<section class="second-step" tabindex="-1" data-focus="confirm" aria-labelledby="second-step">
    <p id="second-step">${icon('warning', 'warning')}<strong>${ask}</strong></p>
    ${content}
    <div class="actions">
      ${button(yes, () => act(), { wide: true, primary: true, act: 'confirm', once: true })} ${backButton(page)}
    </div>
  </section>`;
}

/** Why the last act was refused. */
export function refusal(page: FormPage): TemplateResult | typeof nothing {
  const text = page.refusal();
  if (text === undefined) return nothing;
  return html`<div data-focus="refusal" tabindex="-1">${notice('error', 'error', text, 'alert')}</div>`;
}

/** While the host works. */
export function waiting(page: FormPage): TemplateResult {
  if (page.flight()?.slow === true) {
    return html`${notice('info', 'watch', t('This is taking longer than usual. Nothing is lost.'))}
      <div class="actions">${button(t('Try again'), () => page.again(), { wide: true, act: 'again' })}</div>`;
  }
  return html`<div class="sending">
    <span class="ring" aria-hidden="true"><vscode-progress-ring></vscode-progress-ring></span>${t('Sending…')}
  </div>`;
}
