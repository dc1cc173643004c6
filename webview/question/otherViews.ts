/** The view without a question to answer. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, link } from '../shared/buttons.ts';
import type { NothingView } from '../../src/protocol/question/question.ts';
import { icon } from '../shared/icons.ts';
import type { Key } from '../shared/strings.ts';
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
          ? tn('nothing.left', left.length + rfcs.length)
          : html`${icon('pass', 'calm')}${t(rfcs.length + proposals.length === 0 ? 'nothing.title' : 'nothing.questions')}`
      }
    </h1>
    ${left.length === 0 ? nothing : html`${others(page, left, 'nothing.show')} ${again(page)}`}
    ${rfcs.length === 0 ? nothing : others(page, rfcs, 'nothing.review')}
    ${proposals.length === 0 ? nothing : others(page, proposals, 'nothing.show')}
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

/** From the first one that is left. */
function again(page: Page): TemplateResult {
  return html`<div class="actions">
    ${button(t('queue.again'), () => page.dispatch({ type: 'go', to: 'next' }), { primary: true, act: 'again' })}
  </div>`;
}

/** Pending items: a click opens the form that decides them. */
function others(page: Page, waiting: NothingView['rfcs'], open: Key): TemplateResult {
  return html`<ul class="agents">
    ${waiting.map(
      ({ key, id, title }) =>
        html`<li>
          <bdi class="agent-what">${visible(title)}</bdi>
          ${link(t(open, { id: visibleText(id) }), () => page.dispatch({ type: 'select', key }), { act: 'review' })}
        </li>`,
    )}
  </ul>`;
}
