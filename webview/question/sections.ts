/** The sections of the "Holdpoint Settings" tab. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Snapshot } from '../../src/ui/answer/view.ts';
import { byHuman } from '../shared/trusted.ts';
import { t } from '../shared/strings.ts';
import type { Page } from './page.ts';

const titles = {
  policy: t('Policy'),
  keys: t('Keys'),
  appoint: t('Stewards and humans'),
  ask: t('New request'),
} as const satisfies Record<NonNullable<Snapshot['sections']>[number]['name'], string>;

export function sections(page: Page, { sections: all }: Snapshot): TemplateResult | typeof nothing {
  if (!all) return nothing;
  return html`<nav class="sections" aria-label=${t('Settings')}>
    ${all.map(
      ({ name, key, current }) =>
        html`<button
          type="button"
          class="link"
          data-act="section-${name}"
          aria-current=${current ? 'page' : nothing}
          @click=${byHuman(() => page.dispatch({ type: 'select', key }))}
        >
          ${titles[name]}
        </button>`,
    )}
  </nav>`;
}
