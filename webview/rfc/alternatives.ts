/** The alternatives side by side. Where it is narrow each becomes a block of its own, with its labels. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Section } from '../../src/protocol/rfc/rfc.ts';
import { markdown } from '../shared/markdownSlot.ts';
import { t } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import type { Page } from './page.ts';

export function alternatives(
  page: Page,
  key: string,
  { id, alternatives: all }: Section,
): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const heads = [t('rfc.alternative'), t('rfc.pros'), t('rfc.cons'), t('rfc.effort')];
  // The roles stay when the table is drawn as blocks.
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t('rfc.alternative')}>
    <table class="alternatives" role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${heads.map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${all.map((one, index) => {
          const place = (part: string) => `alternatives.${id}.${index}.${part}`;
          return html`<tr role="row">
            <th role="rowheader" scope="row" dir="auto">
              <span class="alternative-name">${visible(one.name)}</span>
              ${one.description === '' ? nothing : markdown(page, key, place('description'), one.description)}
            </th>
            <td role="cell" data-label=${heads[1] ?? ''}>${points(page, key, place('pros'), one.pros)}</td>
            <td role="cell" data-label=${heads[2] ?? ''}>${points(page, key, place('cons'), one.cons)}</td>
            <td role="cell" data-label=${heads[3] ?? ''} dir="auto">
              ${one.effort === '' ? none() : visible(one.effort)}
            </td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

function points(page: Page, key: string, place: string, all: readonly string[]): TemplateResult {
  if (all.length === 0) return none();
  return html`<ul class="points">
    ${all.map((text, index) => html`<li>${markdown(page, key, `${place}.${index}`, text)}</li>`)}
  </ul>`;
}

function none(): TemplateResult {
  return html`<span class="quiet">${t('rfc.none')}</span>`;
}
