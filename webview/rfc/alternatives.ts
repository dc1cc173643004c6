/**
 * The alternatives: side by side if there is something to compare, otherwise as their author wrote them. In a narrow
 * view, each becomes a labelled block.
 */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { Section } from '../../src/ui/rfc/sections.ts';
import { markdown } from '../shared/markdownSlot.ts';
import { t } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import type { Page } from './page.ts';

type Alternative = Section['alternatives'][number];

/** `table`: it contains everything in the text. `text`: the text says more than a table with gaps. */
export function alternativesAs({ text = '', alternatives: all }: Section): 'text' | 'table' | 'both' {
  if (all.length === 0) return 'text';
  const written = plain(text);
  if (!all.every(({ name }) => written.includes(plain(name)))) return 'both';
  return all.every(({ pros, cons }) => pros.length > 0 && cons.length > 0) ? 'table' : 'text';
}

function plain(text: string): string {
  return text
    .replace(/[*_`~\s]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** A column that is filled for at least one alternative. */
interface Column {
  readonly head: string;
  readonly says: (one: Alternative) => boolean;
  readonly cell: (one: Alternative, index: number) => unknown;
}

export function alternatives(
  page: Page,
  key: string,
  { id, alternatives: all }: Section,
): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const place = (index: number, part: string) => `alternatives.${id}.${index}.${part}`;
  const columns = columnsOf(page, key, place).filter(({ says }) => all.some(says));
  const label = t('Alternative');
  // The roles remain when the table is displayed as blocks.
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${label}>
    <table class="alternatives" role="table">
      <thead role="rowgroup">
        <tr role="row">
          ${[label, ...columns.map(({ head }) => head)].map((head) => html`<th role="columnheader" scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${all.map(
          (one, index) =>
            html`<tr role="row">
              <th role="rowheader" scope="row" dir="auto">
                <span class="alternative-name">${visible(one.name)}</span>
                ${one.description === '' ? nothing : markdown(page, key, place(index, 'description'), one.description)}
              </th>
              ${columns.map(
                ({ head, says, cell }) =>
                  html`<td role="cell" data-label=${head} dir="auto">
                    ${says(one) ? cell(one, index) : html`<span class="quiet">${t('none given')}</span>`}
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function columnsOf(page: Page, key: string, place: (index: number, part: string) => string): Column[] {
  const points = (all: readonly string[], name: string) =>
    html`<ul class="points">
      ${all.map((text, index) => html`<li>${markdown(page, key, `${name}.${index}`, text)}</li>`)}
    </ul>`;
  return [
    {
      head: t('For'),
      says: ({ pros }) => pros.length > 0,
      cell: ({ pros }, index) => points(pros, place(index, 'pros')),
    },
    {
      head: t('Against'),
      says: ({ cons }) => cons.length > 0,
      cell: ({ cons }, index) => points(cons, place(index, 'cons')),
    },
    { head: t('Effort'), says: ({ effort }) => effort !== '', cell: ({ effort }) => visible(effort) },
  ];
}
