/** The complete review: contents on the left, the document in the middle, threads beside it, the bar below. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { link } from '../shared/buttons.ts';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import { part } from '../shared/folding.ts';
import { t } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible } from '../shared/visible.ts';
import { bar } from './bar.ts';
import { contents } from './contents.ts';
import { changes } from './changes.ts';
import { header } from './header.ts';
import type { Page } from './page.ts';
import { section } from './section.ts';

export function review(page: Page, view: RfcView, narrow: boolean): TemplateResult {
  return html`<article class="rfc">
    ${link(t('To the decision'), () => document.querySelector<HTMLElement>('[data-focus="bar"]')?.focus(), { kind: 'skip' })}
    <div class="rfc-layout">
      ${contents(page, view, narrow)}
      <div class="rfc-document">
        ${header(page, view)} ${changes(page, view)}
        ${repeat(
          view.sections,
          ({ id }) => id,
          (one) => section(page, view, one),
        )}
        ${references(view)} ${history(page, view)}
      </div>
    </div>
    ${bar(page, view)}
  </article>`;
}

function references({ references: all }: RfcView): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<div class="rfc-references">
    <h2>${t('Refers to')}</h2>
    <ul class="list">
      ${all.map(({ id, text }) => html`<li><span class="quiet">${visible(id)}</span> <bdi>${visible(text)}</bdi></li>`)}
    </ul>
  </div>`;
}

function history(page: Page, { history: all }: RfcView): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const entries = all.map(
    (one) => html`<li>${visible(one.text)} <span class="quiet">${timeTag(one.at, ago(one.at))}</span></li>`,
  );
  return part(
    page,
    'history',
    t('History'),
    html`<ol class="list">
      ${entries}
    </ol>`,
  );
}
