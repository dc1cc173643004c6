/** The audit trail: connects the host, the state and the drawing. */
import { html, nothing, render } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { button, link } from '../shared/buttons.ts';
import type { AuditMessage } from '../../src/ui/dashboard/messages.ts';
import type { AuditSnapshot, AuditView } from '../../src/ui/dashboard/audit.ts';
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

const scopeWords = {
  decisions: t('Decisions and attempts'),
  attempts: t('Attempts only'),
  all: t('Everything'),
};

function viewOf(page: Page, { view, notice }: AuditSnapshot): TemplateResult {
  if (view.type === 'unavailable') return unavailable(page, view);
  return html`<div class="audit">
    <header class="audit-head">
      <h1>${t('Audit trail')}</h1>
      ${folderPicker(page, view, t('Folder'))}
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
    return html`<p class="verdict" role="status">
      ${icon('watch')}${t('Checking every signature: {n}%', { n: checked })}
    </p>`;
  return html`<section class="verdict-box" aria-labelledby="verdict">
    <p class="verdict" id="verdict" role="status">
      ${
        faults.length === 0
          ? html`${icon('shield', 'calm')}${t('Everything verifies.')}`
          : html`${icon('error', 'error')}${tn(faults.length, '{n} record failed verification.', '{n} records failed verification.')}`
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
      <span>${tn(acts, '{n} record', '{n} records')}</span>
      <span>${tn(decisions, '{n} decision, signed', '{n} decisions, signed')}</span>
      ${signers.map(
        ({ name, key, decisions: n }) =>
          html`<span title=${t('Key {key}', { key: visibleText(key) })}
            >${tn(n, '{name}: {n} decision', '{name}: {n} decisions', { name: visibleText(name) })}</span
          >`,
      )}
    </p>
    <div class="actions">
      ${
        view.export === 'no'
          ? nothing
          : button(
              view.export === 'sealed' ? t('Export, sealed by you…') : t('Export…'),
              () => page.dispatch({ type: 'export', shown: view.shown }),
              {
                act: 'export',
                title:
                  view.export === 'sealed'
                    ? t('One file with the journal and all signatures, which can be checked without this machine.')
                    : t(
                        'This editor has no key yet, so the file is not sealed: what happened after the last decision could be cut off.',
                      ),
              },
            )
      }
      ${button(t('Check again'), () => page.dispatch({ type: 'again' }), { act: 'again' })}
    </div>
    ${
      view.export === 'no'
        ? nothing
        : html`<p class="quiet small">
            ${view.export === 'sealed' ? t('One file with the journal and all signatures, which can be checked without this machine.') : t('This editor has no key yet, so the file is not sealed: what happened after the last decision could be cut off.')}
          </p>`
    }
  </section>`;
}

function narrowing(page: Page, view: AuditView): TemplateResult {
  const { scope, text, about } = page.filter();
  return html`<div class="narrowing" role="search">
    <label
      >${t('Show')}
      <select
        data-act="scope"
        .value=${live(scope)}
        @change=${(event: Event) => {
          const { value } = event.target as HTMLSelectElement;
          page.show(scopes.find((one) => one === value) ?? scope);
        }}
      >
        ${scopes.map((one) => html`<option value=${one} ?selected=${one === scope}>${scopeWords[one]}</option>`)}
      </select></label
    >
    <input
      type="search"
      class="search"
      aria-label=${t('Who, what or which item')}
      placeholder=${t('Who, what or which item')}
      .value=${live(text)}
      @input=${(event: Event) => {
        page.search((event.target as HTMLInputElement).value);
      }}
    />
    ${
      about === undefined
        ? nothing
        : link(html`<bdi>${t('Only {id}', { id: visibleText(about) })}</bdi> ${icon('close')}`, () => page.only(), {
            act: 'all-items',
            title: t('Show all items'),
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
        aria-label=${t('Audit trail')}
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
