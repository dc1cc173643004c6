/** "Set up agents": connects the host, the state and the drawing. */
import { html, nothing, render } from 'lit';
import type { TemplateResult } from 'lit';
import { button } from '../shared/buttons.ts';
import type { SetupMessage } from '../../src/ui/setup/messages.ts';
import type { SetupSnapshot, SetupView } from '../../src/ui/setup/model.ts';
import '../shared/base.css';
import '../shared/codicons.css';
import { onceFocused } from '../shared/focusing.ts';
import { folderPicker } from '../shared/folderPicker.ts';
import '../shared/folderTab.css';
import { icon } from '../shared/icons.ts';
import { t } from '../shared/strings.ts';
import { startSurface } from '../shared/surface.ts';
import { ago } from '../shared/time.ts';
import { unavailable } from '../shared/unavailable.ts';
import { visible } from '../shared/visible.ts';
import { connect } from '../shared/vscode.ts';
import { hostPart } from './hosts.ts';
import { createPage } from './page.ts';
import type { Page } from './page.ts';
import './setup.css';

function content(page: Page, view: SetupView, notice: SetupSnapshot['notice']): TemplateResult {
  return html`<div class="setup">
    <header>
      <h1>${t('Set up agents')}</h1>
      <p class="about">
        ${t('An agent can ask and continue anyway. A hook stops it: the host asks Holdpoint before each tool call, and calls that touch held work are denied. Set up the hosts you use here. You see every change before it is written.')}
      </p>
      ${folderPicker(page, view, t('Folder'))}
      <div class="checked">
        ${button(view.checking ? t('Checking…') : t('Check now'), () => page.dispatch({ type: 'check' }), { act: 'check', disabled: view.checking })}
        ${
          view.checkedAt === undefined
            ? nothing
            : html`<span class="quiet" title=${view.checkedAt}
                >${t('checked {time}', { time: ago(view.checkedAt) })}</span
              >`
        }
      </div>
    </header>
    <div role="status">
      ${
        notice === undefined
          ? nothing
          : html`<p
              class="notice ${notice.kind === 'done' ? 'notice-info' : 'notice-error'}"
              data-focus="notice"
              data-notice=${notice.kind}
              tabindex="-1"
            >
              ${icon(notice.kind === 'done' ? 'pass' : 'error')}<span class="notice-body">${visible(notice.text)}</span>
            </p>`
      }
    </div>
    ${view.hosts.map((row) => hostPart(page, view, row))}
  </div>`;
}

const page = startSurface<SetupSnapshot, Page>({
  open: (changed) => createPage({ host: connect<SetupMessage, never>(() => undefined), changed }),
  receive: (opened, snapshot) => opened.receive(snapshot),
  draw: (opened, root) => {
    const snapshot = opened.snapshot();
    if (!snapshot) return;
    const { view, notice } = snapshot;
    render(
      html`<main aria-label=${t('Set up agents')} data-view=${view.type} data-ready="true">
        ${view.type === 'unavailable' ? unavailable(opened, view) : content(opened, view, notice)}
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
