/** What an agent that stopped waiting left for the session that goes on. Plain text: an agent wrote it. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { part } from '../shared/folding.ts';
import { icon } from '../shared/icons.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible } from '../shared/visible.ts';
import type { Page } from './page.ts';
import { resumeLines } from './resume.ts';

export function parked(page: Page, view: QuestionForm): TemplateResult | typeof nothing {
  const { parked: brief } = view;
  if (!brief) return nothing;
  const agent = html`<bdi>${visible(brief.agent)}</bdi>`;
  return html`<section class="parked" data-part="parked">
    <p class="parked-head">
      ${icon('debug-pause')}<span
        >${th('{agent} parked this {time}: it ended its turn. Your answer reaches it when it starts again.', { agent, time: timeTag(brief.at, ago(brief.at)) })}</span
      >
    </p>
    ${resumeLines(page, view)} ${part(page, 'parked', t('Resume brief'), briefParts(brief))}
  </section>`;
}

function briefParts({ doing, next, files, checkFirst }: NonNullable<QuestionForm['parked']>): TemplateResult {
  const shown = [
    [t('Was doing'), doing],
    [t('Next'), next],
    [t('Files'), files.join('\n')],
    [t('Check first'), checkFirst ?? ''],
  ] as const;
  return html`<dl>
    ${shown.map(([label, text]) =>
      text === ''
        ? nothing
        : html`<dt>${label}</dt>
            <dd dir="auto">${visible(text)}</dd>`,
    )}
  </dl>`;
}
