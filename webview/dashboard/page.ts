/** The state of the overview, and parts that it shares. Decides nothing. */
import { html, nothing, type TemplateResult } from 'lit';
import type { DashboardMessage } from '../../src/ui/dashboard/messages.ts';
import type { DashboardSnapshot } from '../../src/ui/dashboard/view.ts';
import { link, visible, visibleText, bdi } from '../shared/elements.ts';
import { formatValue, t } from '../shared/strings.ts';
import type { Host } from '../shared/surface.ts';
import { duration } from '../shared/time.ts';

/** Kept over reloads: the parts and long lists that are unfolded. */
export type Saved = readonly string[];

export function parseSaved(value: unknown): Saved | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
}

export type Page = ReturnType<typeof createPage>;

export function createPage({ host, changed }: { host: Host<DashboardMessage, Saved>; changed: () => void }) {
  let snapshot: DashboardSnapshot | undefined;
  let unfolded: Saved = host.restore() ?? [];

  return {
    begin: (): void => {
      host.post({ type: 'ready' });
    },
    receive: (next: DashboardSnapshot): void => {
      snapshot = next;
      changed();
    },
    snapshot: () => snapshot,
    dispatch: (message: DashboardMessage): void => {
      host.post(message);
    },
    isUnfolded: (name: string): boolean => unfolded.includes(name),
    unfold: (name: string, open: boolean): void => {
      unfolded = [...unfolded.filter((one) => one !== name), ...(open ? [name] : [])];
      host.save(unfolded);
      changed();
    },
  };
}

// Parts: big numbers, tables and links.

/** A column of texts by its name, or one of numbers. */
export type Column = string | { readonly head: unknown };

export function numeric(head: string, mark: unknown = nothing): Column {
  return { head: html`${mark}${head}` };
}

/** A table that scrolls by itself where the tab is narrow. */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
): TemplateResult {
  const side = (column: Column) => (typeof column === 'string' ? '' : 'number');
  return html`<div class="table scroll-x" tabindex="0" role="region" aria-label=${caption}>
    <table>
      <caption class="sr-only">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" class=${side(column)}>${typeof column === 'string' ? column : column.head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((column, index) =>
                index === 0
                  ? html`<th scope="row">${formatValue(row[index])}</th>`
                  : html`<td class=${side(column)}>${formatValue(row[index])}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export function section(title: string, ...content: readonly unknown[]): TemplateResult {
  return html`<section class="section">
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
  return html`${link(bdi(name), () => page.dispatch({ type: 'open', id }), { act: 'open', title: visibleText(name) })}
    <span class="quiet">${visible(id)}</span>`;
}

/** A label and a value in a row of such pairs. */
export function figure(label: string, value: unknown, more: unknown = nothing): TemplateResult {
  return html`<div class="figure">
    <dt>${label}</dt>
    <dd>${formatValue(value)}${more === nothing ? nothing : html`<span class="quiet">${more}</span>`}</dd>
  </div>`;
}

export function time(ms: number | null): string {
  return ms === null ? t('none yet') : duration(ms);
}
