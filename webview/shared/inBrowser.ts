/** Decisions that only a passkey signs: why, and the button that opens the page of the browser. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, link, notice } from './buttons.ts';
import { icon } from './icons.ts';
import { t } from './strings.ts';
import { visible, visibleText } from './visible.ts';

interface Page {
  readonly dispatch: (message: { readonly type: 'openInBrowser'; readonly key: string }) => void;
}

function browserButton(page: Page, key: string, wide: boolean): TemplateResult {
  return button(t('Answer in the Browser…'), () => page.dispatch({ type: 'openInBrowser', key }), {
    ...{ wide, primary: true, act: 'open-in-browser' },
  });
}

/** In place of the button that decides. */
export function browserFirst(page: Page, key: string, why: string, more?: unknown): TemplateResult {
  return html`<div class="acts" data-focus="form" tabindex="-1" data-part="browser">
    ${whyThere(why)}
    <div class="actions">${browserButton(page, key, true)}${more ?? nothing}</div>
  </div>`;
}

/** The same in a bar. */
export function browserInBar(page: Page, key: string, why: string): TemplateResult {
  return html`<div data-part="browser">
    ${whyThere(why)}
    <div class="actions">${browserButton(page, key, false)}</div>
  </div>`;
}

function whyThere(why: string): TemplateResult {
  return html`<p class="delivery">${icon('shield')}<span>${visible(why)}</span></p>`;
}

/** Where only some acts need the browser. */
export function browserNote(page: Page, key: string, why: string): TemplateResult {
  const open = () => {
    page.dispatch({ type: 'openInBrowser', key });
  };
  return notice(
    'info',
    'shield',
    html`${visible(why)} ${link(t('Open in the browser'), open, { act: 'open-in-browser' })}`,
  );
}

/** Under a decision: which passkey signed it. */
export function passkeyLine(passkey: string | undefined): TemplateResult | typeof nothing {
  if (passkey === undefined) return nothing;
  return html`<p class="delivery" data-part="passkey">
    ${icon('shield')}<span
      >${t('Signed in a browser with the passkey “{label}”, verified by PIN or fingerprint', { label: visibleText(passkey) })}</span
    >
  </p>`;
}
