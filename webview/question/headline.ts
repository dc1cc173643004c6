import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { QuestionForm } from '../../src/protocol/question/question.ts';
import { importedMark } from '../shared/imported.ts';
import { t, th } from '../shared/strings.ts';
import { ago, since, timeTag } from '../shared/time.ts';
import { urgencyMark } from '../shared/urgency.ts';
import { visible, visibleText } from '../shared/visible.ts';

/** ● high · copilot-001 · waiting 2 min, in one line; the details have the rest. */
export function headline(view: QuestionForm): TemplateResult {
  const pending = view.resolution.type === 'pending';
  const time = pending
    ? th('headline.waiting', { time: timeTag(view.raisedAt, since(view.raisedAt)) })
    : th('headline.asked', { time: timeTag(view.raisedAt, ago(view.raisedAt)) });
  return html`
    <header class="headline">
      <p class="sr-only">${t('headline.label', { id: visibleText(view.id), agent: visibleText(view.agent) })}</p>
      <p class="facts">
        ${urgencyMark(view.urgency)} ${view.imported ? importedMark(view.imported) : nothing}
        <span><bdi class="ellipsis">${visible(view.agent)}</bdi></span>
        ${view.folder === undefined ? nothing : html`<span><bdi class="ellipsis">${visible(view.folder)}</bdi></span>`}
        ${view.mode === 'async' && pending ? html`<span>${t('headline.async')}</span>` : nothing}
        <span>${time}</span>
      </p>
      ${
        view.position && view.position.of > 1
          ? html`<p class="position">
              ${t('headline.position', { index: view.position.index, of: view.position.of })}
            </p>`
          : nothing
      }
    </header>
  `;
}
