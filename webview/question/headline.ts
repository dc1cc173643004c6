import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { icon } from '../shared/icons.ts';
import { importedMark } from '../shared/imported.ts';
import { t, th } from '../shared/strings.ts';
import { ago, since, timeTag } from '../shared/time.ts';
import { urgencyMark } from '../shared/urgency.ts';
import { visible, visibleText } from '../shared/visible.ts';

export const kindWords = {
  clarification: t('clarification'),
  decision: t('decision'),
  approval: t('approval'),
  rfc: t('RFC'),
};

/** ● high · copilot-001 · waiting 2 min, in one line: names give way, and where it is narrow, words do. */
export function headline(view: QuestionForm): TemplateResult {
  const pending = view.resolution.type === 'pending';
  const time = pending
    ? th('waiting {time}', { time: timeTag(view.raisedAt, since(view.raisedAt)) })
    : th('asked {time}', { time: timeTag(view.raisedAt, ago(view.raisedAt)) });
  return html`
    <header class="headline one-line">
      <p class="sr-only">
        ${t('Question {id} from {agent}', { id: visibleText(view.id), agent: visibleText(view.agent) })}
      </p>
      <p class="facts">
        ${urgencyMark(view.urgency)} ${view.imported ? importedMark(view.imported) : nothing}
        <span class="gives"><bdi class="ellipsis">${visible(view.agent)}</bdi></span>
        ${
          view.folder === undefined
            ? nothing
            : html`<span class="gives"><bdi class="ellipsis">${visible(view.folder)}</bdi></span>`
        }
        ${view.mode === 'async' && pending ? goesOn() : nothing}
        <span class="since">${time}</span>
      </p>
      ${
        view.position && view.position.of > 1
          ? html`<p class="position">${t('{index} of {of}', { index: view.position.index, of: view.position.of })}</p>`
          : nothing
      }
    </header>
  `;
}

/** Where it is narrow, only the icon is seen, as in the tree. */
function goesOn(): TemplateResult {
  const words = t('still working');
  return html`<span class="goes-on" title=${words}
    >${icon('debug-continue')}<span class="goes-on-words">${words}</span></span
  >`;
}
