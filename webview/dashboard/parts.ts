/** Parts of the four views: big numbers, tables, collapsed tables, empty states and links. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link } from '../shared/buttons.ts';
import { shownNumber, t } from '../shared/strings.ts';
import { duration } from '../shared/time.ts';
import { visible, visibleText } from '../shared/visible.ts';
import type { Page } from './page.ts';

export interface Column {
  readonly head: string;
  readonly numeric?: boolean;
}

/** A table that scrolls by itself where the tab is narrow. */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
): TemplateResult {
  const side = ({ numeric }: Column) => (numeric ? 'number' : '');
  return html`<div class="table scroll-x" tabindex="0" role="region" aria-label=${caption}>
    <table>
      <caption class="sr-only">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" class=${side(column)}>${column.head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((column, index) =>
                index === 0
                  ? html`<th scope="row">${shown(row[index])}</th>`
                  : html`<td class=${side(column)}>${shown(row[index])}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function shown(value: unknown): unknown {
  return typeof value === 'number' ? shownNumber(value) : value;
}

/** A chart's data as a collapsed table. */
export function asTable(page: Page, name: string, content: () => TemplateResult): TemplateResult {
  const open = page.isUnfolded(name);
  return html`<details
    class="as-table"
    ?open=${open}
    @toggle=${(event: Event) => {
      const now = (event.target as HTMLDetailsElement).open;
      if (now !== page.isUnfolded(name)) page.unfold(name, now);
    }}
  >
    <summary>${t('As a table')}</summary>
    ${open ? content() : nothing}
  </details>`;
}

export function part(title: string, ...content: readonly unknown[]): TemplateResult {
  return html`<section class="part">
    <h2>${title}</h2>
    ${content}
  </section>`;
}

/** The start of a long list, and a link that shows the rest. */
export function firstOf<T>(
  page: Page,
  name: string,
  all: readonly T[],
  first: number,
): { readonly shown: readonly T[]; readonly more: TemplateResult | typeof nothing } {
  if (all.length <= first) return { shown: all, more: nothing };
  const open = page.isUnfolded(name);
  const more = html`<p>
    ${link(open ? t('Show less') : t('Show all {n}', { n: all.length }), () => page.unfold(name, !open), { expanded: open })}
  </p>`;
  return { shown: open ? all : all.slice(0, first), more };
}

/** A question or RFC by name, its id second; it opens. */
export function opens(page: Page, { id, name }: { readonly id: string; readonly name: string }): TemplateResult {
  return html`${link(html`<bdi>${visible(name)}</bdi>`, () => page.dispatch({ type: 'open', id }), { act: 'open', title: visibleText(name) })}
    <span class="quiet">${visible(id)}</span>`;
}

export function emptyState(title: string, more: string): TemplateResult {
  return html`<div class="empty">
    <p class="empty-title">${title}</p>
    <p class="quiet">${more}</p>
  </div>`;
}

/** A label and a value in a row of such pairs. */
export function figure(label: string, value: unknown, more: unknown = nothing): TemplateResult {
  return html`<div class="figure">
    <dt>${label}</dt>
    <dd>${shown(value)}${more === nothing ? nothing : html`<span class="quiet">${more}</span>`}</dd>
  </div>`;
}

export function time(ms: number | null): string {
  return ms === null ? t('none yet') : duration(ms);
}
