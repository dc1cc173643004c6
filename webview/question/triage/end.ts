/** The end of a triage: the decisions, the work that continues, and the remaining items. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { TriageEndView } from '../../../src/protocol/question/triage.ts';
import { button, link } from '../../shared/buttons.ts';
import { icon } from '../../shared/icons.ts';
import { t, th, tn } from '../../shared/strings.ts';
import { visible, visibleText } from '../../shared/visible.ts';
import type { Page } from '../page.ts';
import { endTitle } from './acts.ts';

type Drawn = TemplateResult | typeof nothing;

export function triageEnd(page: Page, view: TriageEndView): TemplateResult {
  const { left, decided } = view;
  return html`<article class="plain triage-end">
    <h1 class="plain-title" tabindex="-1" data-focus="question">
      ${left.length === 0 ? icon('pass', 'calm') : nothing}${endTitle(view)}
    </h1>
    ${decided === 0 ? nothing : html`<p>${tn('triage.decided', decided)}</p>`} ${runs(view)} ${stays(view)}
    ${skipped(page, view)}
  </article>`;
}

function runs({ runs: all }: TriageEndView): Drawn {
  if (all.length === 0) return nothing;
  return html`<h2 class="plain-head">${t('triage.runs')}</h2>
    <ul class="agents" data-part="runs">
      ${all.map(
        ({ agent, work }) =>
          html`<li>
            <span class="triage-runs"
              >${icon('debug-continue')}<span
                >${th('triage.runsAgent', { agent: html`<bdi>${visible(agent)}</bdi>` })}</span
              ></span
            >
            ${work.map(({ id, title }) => html`<bdi class="agent-what" title=${visibleText(id)}>${visible(title)}</bdi>`)}
          </li>`,
      )}
    </ul>`;
}

function stays({ stays: all }: TriageEndView): Drawn {
  if (all.length === 0) return nothing;
  return html`<h2 class="plain-head">${t('triage.stays')}</h2>
    <ul class="agents" data-part="stays">
      ${all.map(
        ({ id, title, by }) =>
          html`<li>
            <bdi class="agent-what" title=${visibleText(id)}>${visible(title)}</bdi>
            <span class="quiet">${t('triage.staysBy', { ids: visibleText(by.join(', ')) })}</span>
          </li>`,
      )}
    </ul>`;
}

function skipped(page: Page, { left }: TriageEndView): Drawn {
  if (left.length === 0) return nothing;
  return html`<h2 class="plain-head">${t('triage.skipped')}</h2>
    <ul class="agents" data-part="left">
      ${left.map(
        ({ key, title }) =>
          html`<li>${link(visible(title), () => page.dispatch({ type: 'triageTo', key }), { act: 'triage-to' })}</li>`,
      )}
    </ul>
    <div class="actions">
      ${button(t('triage.again'), () => page.dispatch({ type: 'triage', go: 'next' }), { primary: true, act: 'again' })}
    </div>`;
}
