/** Rejected records: decisions without a valid signature. Visible, but not alarming. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link } from '../shared/buttons.ts';
import type { Forgery } from '../../src/protocol/question/question.ts';
import { icon } from '../shared/icons.ts';
import { t, tn } from '../shared/strings.ts';
import type { Key } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { byHuman } from '../shared/trusted.ts';
import { visible, visibleText } from '../shared/visible.ts';
import type { Page } from './page.ts';

/** Further ones collapse into a number, so that a flood cannot push the form away. */
const shown = 3;

const claims: Record<Forgery['claim'], Key> = {
  answer: 'forgery.answer',
  cancel: 'forgery.cancel',
  release: 'forgery.release',
  widen: 'forgery.widen',
  narrow: 'forgery.narrow',
  other: 'forgery.other',
};

export function forgeries(page: Page, all: readonly Forgery[], showing: string): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const rest = all.length - shown;
  return html`<section class="forgeries" aria-label=${t('forgery.title')}>
    ${all.slice(0, shown).map((one) => forgery(page, one, showing))}
    ${rest > 0 ? html`<p class="quiet small">${tn('forgery.more', rest)}</p>` : nothing}
  </section>`;
}

function forgery(page: Page, one: Forgery, showing: string): TemplateResult {
  const id = visibleText(one.id);
  const rest = t(one.stillWaits ? 'forgery.waits' : 'forgery.settled', { id });
  const { question } = one;
  return html`<div class="notice notice-warning">
    ${icon('shield')}
    <div class="notice-body">
      <p>${visible(t(claims[one.claim], { id, rest }))}</p>
      <p class="small">
        ${timeTag(one.at, ago(one.at))}
        ${
          question !== undefined && question !== showing
            ? html`· ${link(t('forgery.show', { id }), () => page.dispatch({ type: 'select', key: question }))}`
            : nothing
        }
      </p>
    </div>
    <button
      type="button"
      class="icon-button"
      title=${t('forgery.dismiss')}
      aria-label="${t('forgery.dismiss')}: ${id}"
      data-act="dismiss"
      @click=${byHuman(() => page.dispatch({ type: 'dismissForgery', key: one.key }))}
    >
      ${icon('close')}
    </button>
  </div>`;
}
