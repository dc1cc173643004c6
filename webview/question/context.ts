/** What one needs to know before answering: why it asks, what it holds, where to look. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link } from '../shared/buttons.ts';
import type { QuestionForm } from '../../src/protocol/question/question.ts';
import type { WorkRef } from '../../src/protocol/kit/shared.ts';
import { t, th, tn } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { fileChip, fileChips } from '../shared/files.ts';
import { allFilesLine, holdLink } from '../shared/heldFiles.ts';
import { clamped, few, part } from '../shared/folding.ts';
import { markdown } from '../shared/markdownSlot.ts';
import { holdPanelOf } from './acts.ts';
import type { Page } from './page.ts';

type Drawn = TemplateResult | typeof nothing;

export function context(page: Page, view: QuestionForm): TemplateResult {
  const { key, background } = view;
  const rows = factRows(page, view).filter((one) => one !== nothing);
  const parts = foldedParts(page, view).filter((one) => one !== nothing);
  return html`
    ${background === undefined ? nothing : clamped(page, 'background', markdown(page, key, 'background', background))}
    ${rows.length === 0 ? nothing : html`<dl class="rows">${rows}</dl>`}
    ${parts.length === 0 ? nothing : html`<div class="parts">${parts}</div>`}
  `;
}

/** What has happened to it, for whoever wants to know. */
export function history(page: Page, view: QuestionForm): Drawn {
  if (view.history.length === 0) return nothing;
  const entries = view.history.map(
    (one) => html`<li>${visible(one.text)} <span class="quiet">${timeTag(one.at, ago(one.at))}</span></li>`,
  );
  return part(
    page,
    'history',
    t('context.history'),
    html`<ol class="list">
      ${entries}
    </ol>`,
  );
}

function factRows(page: Page, view: QuestionForm): Drawn[] {
  const { key, assumption, ifDelayed, impact, files } = view;
  return [
    assumption ? row(t('context.assumption'), markdown(page, key, 'assumption', assumption.text)) : nothing,
    ifDelayed === undefined ? nothing : row(t('context.delayed'), html`<bdi>${visible(ifDelayed)}</bdi>`),
    impact === undefined ? nothing : row(t('context.impact'), html`<bdi>${visible(impact)}</bdi>`),
    holds(page, view),
    files.length === 0 ? nothing : row(t('context.files'), fileChips(page, key, 'files', files)),
  ];
}

function foldedParts(page: Page, view: QuestionForm): Drawn[] {
  const { key, assumption, alternatives, snippet } = view;
  const touched = assumption?.touched ?? [];
  const considered = alternatives.map(
    (text, index) => html`<li>${markdown(page, key, `alternative.${index}`, text)}</li>`,
  );
  return [
    touched.length === 0
      ? nothing
      : part(page, 'touched', tn('context.touched', touched.length), fileChips(page, key, 'touched', touched)),
    considered.length === 0
      ? nothing
      : part(
          page,
          'alternatives',
          tn('context.alternatives', considered.length),
          html`<ul class="list">
            ${considered}
          </ul>`,
        ),
    snippet
      ? part(
          page,
          'snippet',
          t('context.snippet'),
          html`${snippet.file ? fileChip(page, key, snippet.file) : nothing}
            <pre class="snippet" dir="ltr" tabindex="0"><code>${visible(snippet.text)}</code></pre>`,
        )
      : nothing,
  ];
}

function row(label: string, content: unknown): TemplateResult {
  return html`<div class="row">
    <dt>${label}</dt>
    <dd>${content}</dd>
  </div>`;
}

/** "API tokens and 2 dependent items", unfolding to names; then files and the asker. */
function holds(page: Page, view: QuestionForm): Drawn {
  const { work, cascade, files, all, wholeSession } = view.blocks;
  const { resolution } = view;
  const waits = resolution.type === 'pending' || (resolution.type === 'expired' && resolution.held);
  const lines: TemplateResult[] = [];
  if (work.length > 0 || cascade.count > 0) {
    const { items, more } = few(page, 'work', work);
    const names = items.map((item, index) => [index > 0 ? ', ' : '', named(item)]);
    const and = work.length > 0 && cascade.count > 0 ? ` ${t('context.and')} ` : nothing;
    lines.push(html`<p>${names} ${more}${and}${cascade.count > 0 ? cascadeLink(page, cascade.count) : nothing}</p>`);
  }
  if (cascade.count > 0 && page.isUnfolded('cascade')) {
    const unnamed = cascade.count - cascade.named.length;
    lines.push(
      html`<ul class="list">
        ${cascade.named.map((item) => html`<li>${named(item)}</li>`)}
        ${unnamed > 0 ? html`<li class="quiet">${tn('context.unnamed', unnamed)}</li>` : nothing}
      </ul>`,
    );
  }
  if (all) lines.push(html`<p data-part="all-files">${allFilesLine(all)}</p>`);
  else if (files.length > 0) {
    const { items, more } = few(page, 'globs', files);
    lines.push(html`<p class="globs">${items.map((glob) => html`<code dir="ltr">${visible(glob)}</code>`)}${more}</p>`);
  }
  if (wholeSession && waits) {
    const agent = html`<bdi>${visible(view.agent)}</bdi>`;
    lines.push(html`<p class="quiet">${th('context.session', { agent })}</p>`);
  }
  const panel = holdPanelOf(view);
  if (panel) {
    const isOpen = page.draftOf(view).panel === panel;
    const toggle = () => {
      if (isOpen) page.back();
      else page.openPanel(panel);
    };
    lines.push(html`<p>${holdLink(panel, isOpen, toggle)}</p>`);
  }
  return lines.length === 0 ? nothing : row(t(waits ? 'context.holds' : 'context.held'), lines);
}

function cascadeLink(page: Page, count: number): TemplateResult {
  const open = page.isUnfolded('cascade');
  return link(tn('context.cascade', count), () => page.unfold('cascade', !open), { expanded: open });
}

function named(item: WorkRef): TemplateResult {
  return html`<bdi class="work" title=${visibleText(item.id)}>${visible(item.title)}</bdi>`;
}
