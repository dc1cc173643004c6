/** One section: its text or what changed in it, its alternatives and questions, and the threads beside it. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { RfcView, Section } from '../../src/protocol/rfc/rfc.ts';
import { part } from '../shared/folding.ts';
import { icon } from '../shared/icons.ts';
import { markdownOf } from '../shared/markdownSlot.ts';
import { t } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import { alternatives } from './alternatives.ts';
import { changeMarks } from './contents.ts';
import { difference } from './difference.ts';
import type { Page } from './page.ts';
import { questions } from './questions.ts';
import { threads } from './threads.ts';

export function section(page: Page, view: RfcView, one: Section): TemplateResult {
  return html`<section class="rfc-section" data-section=${one.id}>
    <div class="rfc-body">
      <h2 class="rfc-heading" tabindex="-1" dir="auto">
        <span>${visible(one.title)}</span> ${one.change === 'none' ? nothing : changeMark(one.change)}
      </h2>
      ${content(page, view, one)} ${questions(page, view, one)}
    </div>
    ${threads(page, view, one)}
  </section>`;
}

function changeMark(change: Exclude<Section['change'], 'none'>): TemplateResult {
  const { icon: name, mark, words } = changeMarks[change];
  return html`<span class="change" title=${t(words)}>${icon(name)}${t(mark)}</span>`;
}

function content(page: Page, view: RfcView, one: Section): TemplateResult | typeof nothing {
  if (view.compared === undefined || one.text === undefined) return whole(page, view, one);
  if (one.difference) return html`${difference(one.difference)} ${alternatives(page, view.key, one)}`;
  if (one.text === '' && one.alternatives.length === 0) return nothing;
  return part(page, `same.${one.id}`, t('rfc.noDifference'), whole(page, view, one));
}

function whole(page: Page, view: RfcView, one: Section): TemplateResult {
  const text = one.text?.trim() ?? '';
  const empty = one.text !== undefined && text === '' && one.alternatives.length === 0 && one.questions.length === 0;
  return html`${
    empty
      ? html`<p class="quiet">${t(one.change === 'gone' ? 'rfc.gone' : 'rfc.empty')}</p>`
      : text === ''
        ? nothing
        : html`<div class="rfc-text">
            ${markdownOf(page, { key: view.key, place: `section.${one.id}`, text, kind: 'document' })}
          </div>`
  }
  ${alternatives(page, view.key, one)}`;
}
