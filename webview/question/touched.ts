/** Known changes since an async question was asked. */
import { html } from 'lit';
import type { TemplateResult } from 'lit';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { fileChips } from '../shared/files.ts';
import { t, th } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import type { Page } from './page.ts';
import { piece } from './piece.ts';

export function touched(page: Page, { key, agent, assumption }: QuestionForm): TemplateResult[] {
  if (!assumption?.touched) return [];
  const { byAgent, inWork } = assumption.touched;
  const parts: TemplateResult[] = [];
  if (byAgent.length > 0) {
    const named = { agent: html`<bdi>${visible(agent)}</bdi>`, n: byAgent.length };
    const words = html`<span>${th('Changed since by {agent}, by its own records and commits ({n})', named)}</span>`;
    parts.push(piece(page, 'touchedByAgent', words, fileChips(page, key, 'touchedByAgent', byAgent)));
  }
  if (inWork !== null && inWork.length > 0)
    parts.push(
      piece(
        page,
        'touched',
        t('Changed since in files of this work, by anyone ({n})', { n: inWork.length }),
        fileChips(page, key, 'touched', inWork),
      ),
    );
  if (parts.length > 0) return parts;
  if (inWork !== null) return [html`<p class="quiet touched-none">${t('No file of this work has changed since.')}</p>`];
  return [
    html`<p class="quiet touched-none">
      ${th('Cannot tell which files {agent} has changed since.', { agent: html`<bdi>${visible(agent)}</bdi>` })}
    </p>`,
  ];
}
