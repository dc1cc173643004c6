/** The sections of the "Holdpoint Settings" tab. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Snapshot } from '../../src/protocol/question/question.ts';
import { byHuman } from '../shared/trusted.ts';
import { t } from '../shared/strings.ts';
import type { Key } from '../shared/strings.ts';
import type { Page } from './page.ts';

const titles = {
  policy: 'sections.policy',
  keys: 'sections.keys',
  appoint: 'sections.appoint',
  ask: 'sections.ask',
} as const satisfies Record<NonNullable<Snapshot['sections']>[number]['name'], Key>;

export function sections(page: Page, { sections: all }: Snapshot): TemplateResult | typeof nothing {
  if (!all) return nothing;
  return html`<nav class="sections" aria-label=${t('sections.label')}>
    ${all.map(
      ({ name, key, current }) =>
        html`<button
          type="button"
          class="link"
          data-act="section-${name}"
          aria-current=${current ? 'page' : nothing}
          @click=${byHuman(() => page.dispatch({ type: 'select', key }))}
        >
          ${t(titles[name])}
        </button>`,
    )}
  </nav>`;
}
