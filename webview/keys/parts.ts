/** Parts that the forms about keys share. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button } from '../shared/buttons.ts';
import { icon } from '../shared/icons.ts';
import { t } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import type { KeysPage as Page } from './acts.ts';

/** The whole fingerprint in groups, because a partial match can be forged. */
export function fingerprint(text: string): TemplateResult {
  return html`<code class="fingerprint" dir="ltr">${visible(text)}</code>`;
}

/** Information that is not an error. */
export function remoteNote(remote: string | undefined): TemplateResult | typeof nothing {
  return remote === undefined
    ? nothing
    : html`<p class="notice notice-info" data-note="remote">${icon('pin')}<span>${visible(remote)}</span></p>`;
}

export function copyKey(page: Page, label: string, line: string | undefined): TemplateResult {
  return html`${line === undefined ? nothing : html`<p><code class="fingerprint" dir="ltr">${visible(line)}</code></p>`}
    <div class="actions">
      ${button(page.copied() === 'key' ? t('Copied') : label, () => page.copyKey(), { act: 'copy-key' })}
    </div>`;
}
