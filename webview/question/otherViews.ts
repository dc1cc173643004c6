/** The view without a question to answer. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link } from '../shared/buttons.ts';
import type { NothingView } from '../../src/protocol/question/question.ts';
import { icon } from '../shared/icons.ts';
import type { Key } from '../shared/strings.ts';
import { t } from '../shared/strings.ts';
import { since, timeTag } from '../shared/time.ts';
import { visible, visibleText } from '../shared/visible.ts';
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

/** Pending items other than questions: a click opens the form that decides them. */
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
