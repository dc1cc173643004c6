/** The audit trail: connects the host, the state and the drawing. */
import { html, nothing, render } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { button, link } from '../shared/buttons.ts';
import type { AuditMessage, AuditSnapshot, AuditView } from '../../src/protocol/audit/audit.ts';
import '../shared/base.css';
import '../shared/codicons.css';
import { folderPicker } from '../shared/folderPicker.ts';
import '../shared/folderTab.css';
import { icon } from '../shared/icons.ts';
import { t, tn } from '../shared/strings.ts';
import { startSurface } from '../shared/surface.ts';
import { unavailable } from '../shared/unavailable.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { connect } from '../shared/vscode.ts';
import './audit.css';
import { createPage, parseSaved, scopes } from './page.ts';
import type { Page, Saved } from './page.ts';
import { matching, rows } from './rows.ts';

function viewOf(page: Page, { view, notice }: AuditSnapshot): TemplateResult {
  if (view.type === 'unavailable') return unavailable(page, view);
  return html`<div class="audit">
    <header class="audit-head">
      <h1>${t('audit.title')}</h1>
      ${folderPicker(page, view, t('dash.folder'))}
    </header>
    ${verdict(page, view)}
    ${
      notice === undefined
        ? nothing
        : html`<p class="notice ${notice.good ? 'notice-info' : 'notice-error'}" role="status">
            ${icon(notice.good ? 'pass' : 'error')}<span class="notice-body">${visible(notice.text)}</span>
          </p>`
    }
    ${narrowing(page, view)} ${rows(page, view)}
  </div>`;
}

function verdict(page: Page, view: AuditView): TemplateResult {
  const { checked, faults, acts, decisions, signers } = view;
  if (checked < 100 && faults.length === 0)
    return html`<p class="verdict" role="status">${icon('watch')}${t('audit.checking', { n: checked })}</p>`;
  return html`<section class="verdict-box" aria-labelledby="verdict">
    <p class="verdict" id="verdict" role="status">
      ${
        faults.length === 0
          ? html`${icon('shield', 'calm')}${t('audit.sound')}`
          : html`${icon('error', 'error')}${tn('audit.faults', faults.length)}`
      }
    </p>
    ${
      faults.length === 0
        ? nothing
        : html`<ul class="faults">
            ${faults.map((fault) => html`<li>${visible(fault)}</li>`)}
          </ul>`
    }
    <p class="quiet facts">
      <span>${tn('audit.acts', acts)}</span>
      <span>${tn('audit.decisions', decisions)}</span>
      ${signers.map(
        ({ name, key, decisions: n }) =>
          html`<span title=${t('audit.signerKey', { key: visibleText(key) })}
            >${tn('audit.signer', n, { name: visibleText(name) })}</span
          >`,
      )}
    </p>
    <div class="actions">
      ${
        view.export === 'no'
          ? nothing
          : button(
              t(view.export === 'sealed' ? 'audit.exportSealed' : 'audit.export'),
              () => page.dispatch({ type: 'export', shown: view.shown }),
              { act: 'export', title: t(view.export === 'sealed' ? 'audit.exportNote' : 'audit.exportPlain') },
            )
      }
      ${button(t('audit.again'), () => page.dispatch({ type: 'again' }), { act: 'again' })}
    </div>
    ${
      view.export === 'no'
        ? nothing
        : html`<p class="quiet small">${t(view.export === 'sealed' ? 'audit.exportNote' : 'audit.exportPlain')}</p>`
    }
  </section>`;
}

function narrowing(page: Page, view: AuditView): TemplateResult {
  const { scope, text, about } = page.filter();
  return html`<div class="narrowing" role="search">
    <label
      >${t('audit.scope')}
      <select
        data-act="scope"
        .value=${live(scope)}
        @change=${(event: Event) => {
          const { value } = event.target as HTMLSelectElement;
          page.show(scopes.find((one) => one === value) ?? scope);
        }}
      >
        ${scopes.map((one) => html`<option value=${one} ?selected=${one === scope}>${t(`audit.scope.${one}`)}</option>`)}
      </select></label
    >
    <input
      type="search"
      class="search"
      aria-label=${t('audit.search')}
      placeholder=${t('audit.search')}
      .value=${live(text)}
      @input=${(event: Event) => {
        page.search((event.target as HTMLInputElement).value);
      }}
    />
    ${
      about === undefined
        ? nothing
        : link(html`<bdi>${t('audit.about', { id: visibleText(about) })}</bdi> ${icon('close')}`, () => page.only(), {
            act: 'all-items',
            title: t('audit.aboutAll'),
          })
    }
    <span class="quiet" role="status">${matching(view)}</span>
  </div>`;
}

const page = startSurface<AuditSnapshot, Page>({
  open: (changed) => createPage({ host: connect<AuditMessage, Saved>(parseSaved), changed }),
  receive: (opened, snapshot) => opened.receive(snapshot),
  draw: (opened, root) => {
    const snapshot = opened.snapshot();
    if (!snapshot) return;
    const { view } = snapshot;
    render(
      html`<main
        aria-label=${t('audit.title')}
        data-view=${view.type}
        data-checked=${view.type === 'audit' ? String(view.checked) : ''}
        data-ready="true"
      >
        ${viewOf(opened, snapshot)}
      </main>`,
      root,
    );
  },
});
page.begin();
