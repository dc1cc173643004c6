/** What the view shows when there is no question to answer: calm, the first key of this editor. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { EnrolView, NothingView } from '../../src/protocol/question.ts';
import { icon } from '../shared/icons.ts';
import type { Key } from '../shared/strings.ts';
import { t, th } from '../shared/strings.ts';
import { ago, since, timeTag } from '../shared/time.ts';
import { byHuman } from '../shared/trusted.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { refusal, waiting } from '../shared/deciding.ts';
import { nameField } from '../shared/fields.ts';
import type { Page } from './page.ts';

export function nothingWaits(page: Page, view: NothingView): TemplateResult {
  const { rfcs, proposals } = view;
  return html`<article class="plain" data-focus="form" tabindex="-1">
    <h1 class="plain-title">
      ${icon('pass', 'calm')}${t(rfcs.length + proposals.length === 0 ? 'nothing.title' : 'nothing.questions')}
    </h1>
    ${rfcs.length === 0 ? nothing : others(page, rfcs, 'nothing.review')}
    ${proposals.length === 0 ? nothing : others(page, proposals, 'nothing.proposal')}
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

/** What waits instead of a question: a click opens it where it is dealt with. */
function others(page: Page, waiting: NothingView['rfcs'], open: Key): TemplateResult {
  return html`<ul class="agents">
    ${waiting.map(
      ({ key, id, title }) =>
        html`<li>
          <bdi class="agent-what">${visible(title)}</bdi>
          <button
            type="button"
            class="link"
            data-act="review"
            @click=${byHuman(() => {
              page.wish({ type: 'select', key });
            })}
          >
            ${t(open, { id: visibleText(id) })}
          </button>
        </li>`,
    )}
  </ul>`;
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
