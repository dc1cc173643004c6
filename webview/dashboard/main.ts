/** The dashboard: connects the host, the state and the drawing. */
import { html, render } from 'lit';
import type { TemplateResult } from 'lit';
import type { DashboardMessage } from '../../src/ui/dashboard/messages.ts';
import type { DashboardSnapshot } from '../../src/ui/dashboard/view.ts';
import '../shared/base.css';
import '../shared/codicons.css';
import '../shared/folderTab.css';
import { onceFocused } from '../shared/focusing.ts';
import { t } from '../shared/strings.ts';
import { startSurface } from '../shared/surface.ts';
import { unavailable } from '../shared/unavailable.ts';
import { connect } from '../shared/vscode.ts';
import { agents } from './agents.ts';
import './dashboard.css';
import { humans } from './humans.ts';
import { impact } from './impact.ts';
import { createPage, parseSaved } from './page.ts';
import type { Page, Saved } from './page.ts';
import { steward } from './steward.ts';
import { header } from './tabs.ts';

function viewOf(page: Page, { view }: DashboardSnapshot): TemplateResult {
  if (view.type === 'unavailable') return unavailable(page, view);
  return html`<div class="dash">
    ${header(page, view)}
    <section class="panel" role="tabpanel" id="panel" aria-labelledby=${`tab-${view.data.tab}`} tabindex="-1">
      ${contentOf(page, view.data)}
    </section>
  </div>`;
}

type Data = Extract<DashboardSnapshot['view'], { type: 'dashboard' }>['data'];

function contentOf(page: Page, data: Data): TemplateResult {
  switch (data.tab) {
    case 'impact':
      return impact(page, data);
    case 'agents':
      return agents(page, data);
    case 'steward':
      return steward(page, data);
    case 'humans':
      return humans(page, data);
  }
}

const page = startSurface<DashboardSnapshot, Page>({
  open: (changed) => createPage({ host: connect<DashboardMessage, Saved>(parseSaved), changed }),
  receive: (opened, snapshot) => opened.receive(snapshot),
  draw: (opened, root) => {
    const snapshot = opened.snapshot();
    if (!snapshot) return;
    const { view } = snapshot;
    render(
      html`<main
        aria-label=${t('Dashboard')}
        data-view=${view.type}
        data-tab=${view.type === 'dashboard' ? view.data.tab : ''}
        data-ready="true"
      >
        ${viewOf(opened, snapshot)}
      </main>`,
      root,
    );
    const place = opened.takeFocus();
    if (place !== undefined)
      onceFocused(() => {
        root.querySelector<HTMLElement>(place)?.focus();
      });
  },
});
page.begin();
