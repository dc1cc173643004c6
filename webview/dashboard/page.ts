/** The state of the dashboard, its header, and parts that its tabs share. Decides nothing. */
import { html, nothing, type TemplateResult } from 'lit';
import type { DashboardMessage, DashboardTab } from '../../src/ui/dashboard/messages.ts';
import type { DashboardSnapshot, DashboardView } from '../../src/ui/dashboard/view.ts';
import { folderPicker, link, visible, visibleText } from '../shared/elements.ts';
import { formatValue, t } from '../shared/strings.ts';
import type { Host } from '../shared/surface.ts';
import { duration } from '../shared/time.ts';

/** In display order. */
const dashboardTabs = ['agents', 'impact', 'steward', 'humans'] as const satisfies readonly DashboardTab[];

/** Kept over reloads: the reader's position. */
export interface Saved {
  readonly tab: DashboardTab;
  /** Long lists that are shown whole. */
  readonly unfolded: readonly string[];
}

export function parseSaved(value: unknown): Saved | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { tab, unfolded } = value as Readonly<Record<string, unknown>>;
  const known = dashboardTabs.find((one) => one === tab);
  if (known === undefined || !Array.isArray(unfolded)) return undefined;
  return { tab: known, unfolded: unfolded.filter((one) => typeof one === 'string') };
}

export type Page = ReturnType<typeof createPage>;

export function createPage({ host, changed }: { host: Host<DashboardMessage, Saved>; changed: () => void }) {
  let snapshot: DashboardSnapshot | undefined;
  const restored = host.restore();
  let saved: Saved = restored ?? { tab: 'agents', unfolded: [] };
  let focus: string | undefined;

  function save(next: Partial<Saved>): void {
    saved = { ...saved, ...next };
    host.save(saved);
  }

  return {
    begin: (): void => {
      host.post({ type: 'ready', ...(restored ? { tab: restored.tab } : {}) });
    },
    receive: (next: DashboardSnapshot): void => {
      snapshot = next;
      if (next.view.type === 'dashboard' && next.view.data.tab !== saved.tab) save({ tab: next.view.data.tab });
      changed();
    },
    snapshot: () => snapshot,
    dispatch: (message: DashboardMessage): void => {
      host.post(message);
    },
    showTab: (tab: DashboardTab): void => {
      focus = `#tab-${tab}`;
      host.post({ type: 'tab', tab });
    },
    takeFocus: (): string | undefined => {
      const place = focus;
      focus = undefined;
      return place;
    },
    isUnfolded: (name: string): boolean => saved.unfolded.includes(name),
    unfold: (name: string, open: boolean): void => {
      const others = saved.unfolded.filter((one) => one !== name);
      save({ unfolded: open ? [...others, name] : others });
      changed();
    },
  };
}

// Parts of the four views: big numbers, tables and links.

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

// The title, the folder and the four tabs.

const tabWords = {
  agents: t('Who waits'),
  impact: t('Held work'),
  steward: t('Requests'),
  humans: t('Humans'),
};

export function header(page: Page, view: DashboardView): TemplateResult {
  return html`<header class="tab-head sticky">
    <h1>${t('Overview')}</h1>
    ${folderPicker(page, view, t('Folder'))}
    <div class="tabs" role="tablist" aria-label=${t('Overview')} @keydown=${onKey(page, view.data.tab)}>
      ${dashboardTabs.map((tab) => tabButton(page, tab, tab === view.data.tab))}
    </div>
  </header>`;
}

function tabButton(page: Page, tab: DashboardTab, selected: boolean): TemplateResult {
  return html`<button
    type="button"
    role="tab"
    class="tab"
    id=${`tab-${tab}`}
    aria-selected=${selected ? 'true' : 'false'}
    aria-controls="panel"
    tabindex=${selected ? '0' : '-1'}
    @click=${() => {
      page.showTab(tab);
    }}
  >
    ${tabWords[tab]}
  </button>`;
}

/** The usual keys of tab lists: arrows move, Home and End jump. */
function onKey(page: Page, tab: DashboardTab): (event: KeyboardEvent) => void {
  return (event) => {
    const at = dashboardTabs.indexOf(tab);
    const last = dashboardTabs.length - 1;
    const to = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    const next = to === undefined ? undefined : dashboardTabs[to];
    if (next === undefined) return;
    event.preventDefault();
    page.showTab(next);
  };
}
