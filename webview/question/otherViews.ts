/** The view without a question to answer. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, link } from '../shared/buttons.ts';
import type { NothingView } from '../../src/ui/answer/nothing.ts';
import { icon } from '../shared/icons.ts';
import { t, tn } from '../shared/strings.ts';
import { since, timeTag } from '../shared/time.ts';
import { visible, visibleText } from '../shared/visible.ts';
import type { Page } from './page.ts';

export function nothingWaits(page: Page, view: NothingView): TemplateResult {
  const { left, rfcs, proposals } = view;
  return html`<article class="plain" data-focus="form" tabindex="-1">
    <h1 class="plain-title">
      ${
        left.length > 0
          ? tn(left.length + rfcs.length, '{n} item is still waiting', '{n} items are still waiting')
          : html`${icon('pass', 'calm')}${rfcs.length + proposals.length === 0 ? t('Nothing is waiting for you') : t('No question is waiting for you')}`
      }
    </h1>
    ${left.length === 0 ? nothing : html`${others(page, left, (id) => t('Show {id}', { id }))} ${again(page)}`}
    ${rfcs.length === 0 ? nothing : others(page, rfcs, (id) => t('Review {id}', { id }))}
    ${proposals.length === 0 ? nothing : others(page, proposals, (id) => t('Show {id}', { id }))}
    ${
      view.agents.length === 0
        ? html`<p class="quiet">${t('No agent is working. When one stops to ask, its question appears here.')}</p>`
        : html`<h2 class="plain-head">${t('Working now')}</h2>
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

/** From the first one that is left. */
function again(page: Page): TemplateResult {
  return html`<div class="actions">
    ${button(t('Go Through Them'), () => page.dispatch({ type: 'go', to: 'next' }), { primary: true, act: 'again' })}
  </div>`;
}

/** Pending items: a click opens the form that decides them. */
function others(page: Page, waiting: NothingView['rfcs'], open: (id: string) => string): TemplateResult {
  return html`<ul class="agents">
    ${waiting.map(
      ({ key, id, title }) =>
        html`<li>
          <bdi class="agent-what">${visible(title)}</bdi>
          ${link(open(visibleText(id)), () => page.dispatch({ type: 'select', key }), { act: 'review' })}
        </li>`,
    )}
  </ul>`;
}
