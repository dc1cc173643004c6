/** What decides a question, and the rest of its context: what it holds, and which files to look at. */
import { html, nothing, type TemplateResult } from 'lit';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import type { WorkRef } from '../../src/ui/kit/view.ts';
import { listOf, rowOf, type Drawn } from '../forms/kit.ts';
import { visible, visibleText, codeOf, bullets, bdi } from '../shared/elements.ts';
import { markdown } from '../shared/markdown.ts';
import { allFilesLine, limitItems, fileChips, part } from '../shared/parts.ts';
import { t, th, tn } from '../shared/strings.ts';
import type { Page } from './page.ts';

// A part of the background: collapsed below the form; expanded in a tab, which has room for it.

function piece(page: Page, name: string, heading: unknown, content: unknown): TemplateResult {
  if (!page.inTab()) return part(page, name, heading, content);
  return html`<section data-part=${name}>
    <h2 class="evidence-head">${heading}</h2>
    ${content}
  </section>`;
}

// Known changes since an async question was asked.

function touchedFiles(page: Page, { key, agent, assumption }: QuestionForm): TemplateResult[] {
  if (!assumption?.touched) return [];
  const { byAgent, inWork } = assumption.touched;
  const parts: TemplateResult[] = [];
  if (byAgent.length > 0) {
    const named = { agent: bdi(agent), n: byAgent.length };
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
      ${th('Cannot tell which files {agent} has changed since.', { agent: bdi(agent) })}
    </p>`,
  ];
}

export function context(page: Page, view: QuestionForm): TemplateResult {
  const { for: to } = view;
  const parts = foldedParts(page, view).filter((one) => one !== nothing);
  return html`
    ${to === undefined ? nothing : rowsOf([['for', t('For'), bdi(to)]])}
    ${parts.length === 0 ? nothing : html`<div class="parts">${parts}</div>`}
  `;
}

/** Impact, cost of waiting, and the agent's assumption. */
export function facts(page: Page, view: QuestionForm): Drawn {
  const { key, assumption } = view;
  return rowsOf(
    [
      ...consequenceRows(view),
      [
        ...(['assumption', t('Continues, assuming')] as const),
        assumption && markdown(page, key, 'assumption', assumption.text),
      ],
    ],
    'facts',
  );
}

/** What follows from an answer, and from none: repeated where a critical one is confirmed. */
export function consequences(view: QuestionForm): Drawn {
  return rowsOf(consequenceRows(view));
}

type Row = readonly [part: string, label: string, content: unknown];

const consequenceRows = ({ kind, impact, ifDelayed }: QuestionForm): Row[] => [
  ['impact', kind === 'approval' ? t('If yes') : t('Impact'), impact === undefined ? undefined : bdi(impact)],
  ['delayed', t('If this waits'), ifDelayed === undefined ? undefined : bdi(ifDelayed)],
];

/**
 * Those with content.
 * @param decides the name of rows that must have been on the screen before a decision
 */
function rowsOf(all: readonly Row[], decides?: string): Drawn {
  const rows = all.filter(([, , content]) => content !== undefined);
  if (rows.length === 0) return nothing;
  return html`<dl class="rows facts-of" data-decides=${decides ?? nothing}>
    ${rows.map(([part, label, content]) => rowOf(label, content, part))}
  </dl>`;
}

/** Why the agent asks: all of it, because it decides. */
export function background(page: Page, { key, background: text }: QuestionForm): Drawn {
  if (text === undefined) return nothing;
  return html`<div class="background" data-decides="background">${markdown(page, key, 'background', text)}</div>`;
}

/** A wide tab has the background next to the form. */
export const twoColumns = () => matchMedia('(min-width: 760px)');

export function backgroundAside(page: Page): boolean {
  return page.inTab() && twoColumns().matches;
}

function foldedParts(page: Page, view: QuestionForm): Drawn[] {
  const { key, alternatives, snippet, files, payload } = view;
  const considered = alternatives.map((text, index) => markdown(page, key, `alternative.${index}`, text));
  return [
    holds(page, view),
    files.length === 0
      ? nothing
      : piece(page, 'files', t('Files ({n})', { n: files.length }), fileChips(page, key, 'files', files)),
    ...touchedFiles(page, view),
    considered.length === 0
      ? nothing
      : piece(page, 'alternatives', t('Already considered ({n})', { n: considered.length }), bullets(considered)),
    snippet === undefined ? nothing : piece(page, 'snippet', t('Context'), snippetOf(snippet)),
    payload === undefined ? nothing : part(page, 'payload', t('Payload'), snippetOf(payload)),
  ];
}

function snippetOf(text: string): TemplateResult {
  return html`<pre class="snippet" dir="ltr" tabindex="0"><code>${visible(text)}</code></pre>`;
}

/** "API tokens · 2 dependent items · 2 file patterns": the summary while the part is collapsed. */
function aboutWork({ blocks: { work, cascade, files, all } }: QuestionForm): unknown[] {
  const [first] = work;
  const parts = [
    first ? workLink(first) : nothing,
    work.length > 1 ? t('and {n} more', { n: work.length - 1 }) : nothing,
    cascade.count > 0 ? tn(cascade.count, '{n} dependent item', '{n} dependent items') : nothing,
    all
      ? html`<span data-part="all-files">${allFilesLine(all)}</span>`
      : files.length > 0
        ? tn(files.length, '{n} file pattern', '{n} file patterns')
        : nothing,
  ].filter((one) => one !== nothing);
  return parts.map((one, index) => (index === 0 ? one : html` · ${one}`));
}

/** Everything it holds by name: work items, their dependents, files and the asking agent. */
function holds(page: Page, view: QuestionForm): Drawn {
  const { work, cascade, files, all, wholeSession } = view.blocks;
  const { resolution } = view;
  const waits = resolution.type === 'pending' || (resolution.type === 'expired' && resolution.held);
  const lines: TemplateResult[] = [];
  if (work.length > 0) {
    const { items, more } = limitItems(page, 'work', work);
    lines.push(html`<p>${items.map((item, index) => [index > 0 ? ', ' : '', workLink(item)])} ${more}</p>`);
  }
  if (cascade.count > 0) lines.push(dependentItems(page, cascade));
  if (!all && files.length > 0) {
    const { items, more } = limitItems(page, 'globs', files);
    lines.push(html`<p class="globs">${items.map(codeOf)}${more}</p>`);
  }
  if (wholeSession && waits) {
    const agent = bdi(view.agent);
    lines.push(html`<p class="quiet">${th('{agent} stops completely until then', { agent })}</p>`);
  }
  if (lines.length === 0 && !all) return nothing;
  const heading = html`<span
    >${waits ? t('Holds') : t('Held')} <span class="part-about">${aboutWork(view)}</span></span
  >`;
  return piece(page, 'holds', heading, html`<div class="holds">${lines}</div>`);
}

function dependentItems(page: Page, { count, named: known }: QuestionForm['blocks']['cascade']): TemplateResult {
  const unnamed = count - known.length;
  return html`<div>
    <p class="quiet">${tn(count, '{n} dependent item', '{n} dependent items')}</p>
    ${listOf(page, { name: 'cascade', all: known, kind: 'list' }, workLink)}
    ${unnamed > 0 ? html`<p class="quiet">${t('and {n} more', { n: unnamed })}</p>` : nothing}
  </div>`;
}

function workLink(item: WorkRef): TemplateResult {
  return html`<bdi class="work" title=${visibleText(item.id)}>${visible(item.title)}</bdi>`;
}
