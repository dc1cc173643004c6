/** What the view shows when there is no question to answer: calm, the first key of this editor, nothing to read. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { EnrolView, NothingView, UnavailableView } from '../../src/protocol/question.ts';
import { icon } from '../shared/icons.ts';
import { t, th } from '../shared/strings.ts';
import type { Key } from '../shared/strings.ts';
import { ago, since, timeTag } from '../shared/time.ts';
import { byHuman } from '../shared/trusted.ts';
import { visible } from '../shared/visible.ts';
import { refusal, waiting } from './deciding.ts';
import { nameField } from './fields.ts';
import type { Page } from './page.ts';

export function nothingWaits(view: NothingView): TemplateResult {
  return html`<article class="plain" data-focus="form" tabindex="-1">
    <h1 class="plain-title">${icon('pass', 'calm')}${t('nothing.title')}</h1>
    ${
      view.agents.length === 0
        ? html`<p class="quiet">${t('nothing.idle')}</p>`
        : html`<h2 class="plain-head">${t('nothing.working')}</h2>
            <ul class="agents">
              ${view.agents.map(
                (one) =>
                  html`<li>
                    <bdi class="agent-what">${visible(one.what)}</bdi>
                    <span class="quiet"
                      ><bdi>${visible(one.agent)}</bdi> · ${timeTag(one.since, since(one.since))}</span
                    >
                  </li>`,
              )}
            </ul>`
    }
  </article>`;
}

export function enrol(page: Page, view: EnrolView): TemplateResult {
  const busy = page.flight() !== undefined;
  return html`<article class="plain">
    <h1 class="plain-title">${icon('key')}${t('enrol.title')}</h1>
    <p>${t('enrol.why')}</p>
    <h2 class="plain-head">${t('enrol.pinned')}</h2>
    <ul class="agents">
      ${view.pinned.map(
        (key) =>
          html`<li>
            <bdi class="agent-what">${visible(key.name)}</bdi>
            <span class="quiet"
              ><code>${visible(key.fingerprint)}</code> ·
              ${th('enrol.pinnedAt', { time: timeTag(key.at, ago(key.at)) })}</span
            >
          </li>`,
      )}
    </ul>
    <p class="quiet">${t('enrol.notYou')}</p>
    <form
      class="form"
      data-focus="form"
      @submit=${(event: Event) => {
        event.preventDefault();
      }}
    >
      ${nameField(page, view.name, busy)} ${refusal(page)}
      ${
        busy
          ? waiting(page)
          : html`<div class="actions">
              <vscode-button
                class="wide"
                appearance="primary"
                data-act="enrol"
                @click=${byHuman(() => {
                  page.enrol();
                })}
                >${t('enrol.do')}</vscode-button
              >
            </div>`
      }
    </form>
  </article>`;
}

const helps: Record<NonNullable<UnavailableView['action']>, Key> = {
  openFolder: 'unavailable.openFolder',
  manageTrust: 'unavailable.manageTrust',
  reloadWindow: 'unavailable.reloadWindow',
};

export function unavailable(page: Page, view: UnavailableView): TemplateResult {
  const { action } = view;
  return html`<article class="plain">
    <h1 class="plain-title">${view.title}</h1>
    <p>${view.text}</p>
    ${
      action === undefined
        ? nothing
        : html`<div class="actions">
            <vscode-button
              class="wide"
              appearance="primary"
              data-act=${action}
              data-focus="form"
              @click=${byHuman(() => {
                page.wish({ type: 'do', action });
              })}
              >${t(helps[action])}</vscode-button
            >
          </div>`
    }
  </article>`;
}
