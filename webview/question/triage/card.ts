/** An item of a triage that is decided elsewhere. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { TriageCardView } from '../../../src/protocol/question/triage.ts';
import { button } from '../../shared/buttons.ts';
import { t, th } from '../../shared/strings.ts';
import { ago, timeTag } from '../../shared/time.ts';
import { visible, visibleText } from '../../shared/visible.ts';
import type { Page } from '../page.ts';

const words = {
  rfc: { line: 'triage.rfc', more: 'triage.rfcMore', open: 'triage.review' },
  request: { line: 'triage.request', more: 'triage.requestMore', open: 'triage.open' },
} as const;

export function triageCard(page: Page, { key, id, what, from, title, since, folder }: TriageCardView): TemplateResult {
  const { line, more, open } = words[what];
  return html`<article class="plain triage-card">
    <p class="quiet">
      ${th(line, { from: html`<bdi>${visible(from)}</bdi>`, time: timeTag(since, ago(since)) })}
      ${folder === undefined ? nothing : html`<bdi>${visible(folder)}</bdi>`}
    </p>
    <h1 class="triage-title" dir="auto" tabindex="-1" data-focus="question">${visible(title)}</h1>
    <p>${t(more)}</p>
    <div class="actions">
      ${button(t(open, { id: visibleText(id) }), () => page.dispatch({ type: 'select', key }), { primary: true, act: 'open-card' })}
      ${button(t('triage.next'), () => page.dispatch({ type: 'triage', go: 'next' }), { act: 'skip-card' })}
    </div>
  </article>`;
}
