/** The title, the folder and the four tabs. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { DashboardTab } from '../../src/ui/dashboard/messages.ts';
import type { DashboardView } from '../../src/ui/dashboard/view.ts';
import { folderPicker } from '../shared/folderPicker.ts';
import { t } from '../shared/strings.ts';
import type { Page } from './page.ts';
import { dashboardTabs } from './tabNames.ts';

const tabWords = {
  impact: t('Impact'),
  agents: t('Agents'),
  steward: t('Requests'),
  humans: t('Humans'),
};

export function header(page: Page, view: DashboardView): TemplateResult {
  return html`<header class="dash-head">
    <h1>${t('Dashboard')}</h1>
    ${folderPicker(page, view, t('Folder'))}
    <div class="tabs" role="tablist" aria-label=${t('Dashboard')} @keydown=${onKey(page, view.data.tab)}>
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
