/** What one needs to know before answering: why it asks, what it holds, where to look. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { QuestionView } from '../../src/protocol/question.ts';
import type { WorkRef } from '../../src/protocol/shared.ts';
import { t, th, tn } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible } from '../shared/visible.ts';
import { fileChip, fileChips } from './files.ts';
import { clamped, part } from './folding.ts';
import { markdown } from './markdownSlot.ts';
import type { Page } from './page.ts';

export function context(page: Page, view: QuestionView): TemplateResult {
  const { key, background, impact, ifDelayed, assumption, alternatives, snippet, history } = view;
  return html`
    ${
      background === undefined
        ? nothing
        : html`<div class="background">
            ${clamped(page, 'background', markdown(page, key, 'background', background))}
          </div>`
    }
    <dl class="rows">
      ${assumption ? row(t('context.assumption'), markdown(page, key, 'assumption', assumption.text)) : nothing}
      ${ifDelayed === undefined ? nothing : row(t('context.delayed'), html`<bdi>${visible(ifDelayed)}</bdi>`)}
      ${impact === undefined ? nothing : row(t('context.impact'), html`<bdi>${visible(impact)}</bdi>`)}
      ${holds(page, view)}
      ${view.files.length === 0 ? nothing : row(t('context.files'), fileChips(page, key, view.files))}
    </dl>
    <div class="parts">
      ${
        assumption && assumption.touched.length > 0
          ? part(page, 'touched', tn('context.touched', assumption.touched.length), () =>
              fileChips(page, key, assumption.touched),
            )
          : nothing
      }
      ${
        alternatives.length === 0
          ? nothing
          : part(
              page,
              'alternatives',
              tn('context.alternatives', alternatives.length),
              () =>
                html`<ul class="list">
                  ${alternatives.map((text, index) => html`<li>${markdown(page, key, `alternative.${index}`, text)}</li>`)}
                </ul>`,
            )
      }
      ${
        snippet
          ? part(
              page,
              'snippet',
              t('context.snippet'),
              () => html`
                ${snippet.file ? fileChip(page, key, snippet.file) : nothing}
                <pre class="snippet" dir="ltr"><code>${visible(snippet.text)}</code></pre>
              `,
            )
          : nothing
      }
      ${
        history.length === 0
          ? nothing
          : part(
              page,
              'history',
              t('context.history'),
              () =>
                html`<ol class="list history">
                  ${history.map((one) => html`<li>${visible(one.text)} <span class="quiet">${timeTag(one.at, ago(one.at))}</span></li>`)}
                </ol>`,
            )
      }
    </div>
  `;
}

function row(label: string, content: unknown): TemplateResult {
  return html`<div class="row">
    <dt>${label}</dt>
    <dd>${content}</dd>
  </div>`;
}

/** "API tokens and 2 that depend on it", unfolding to names; then files and the asker. */
function holds(page: Page, view: QuestionView): TemplateResult | typeof nothing {
  const { work, cascade, files, wholeSession } = view.blocks;
  if (work.length === 0 && cascade.count === 0 && files.length === 0 && !wholeSession) return nothing;
  const unfolded = page.isUnfolded('cascade');
  const more =
    cascade.count === 0
      ? nothing
      : html`${work.length > 0 ? ` ${t('context.and')} ` : nothing}<button
            type="button"
            class="link"
            aria-expanded=${unfolded ? 'true' : 'false'}
            @click=${() => {
              page.unfold('cascade', !unfolded);
            }}
          >
            ${tn('context.cascade', cascade.count)}
          </button>`;
  const unnamed = cascade.count - cascade.named.length;
  return row(
    t('context.holds'),
    html`
      ${work.length > 0 || cascade.count > 0 ? html`<p>${work.map((item, index) => [index > 0 ? ', ' : '', named(item)])}${more}</p>` : nothing}
      ${
        unfolded && cascade.count > 0
          ? html`<ul class="list">
              ${cascade.named.map((item) => html`<li>${named(item)}</li>`)}
              ${unnamed > 0 ? html`<li class="quiet">${tn('context.unnamed', unnamed)}</li>` : nothing}
            </ul>`
          : nothing
      }
      ${
        files.length === 0
          ? nothing
          : html`<p class="globs">${files.map((glob) => html`<code dir="ltr">${visible(glob)}</code> `)}</p>`
      }
      ${wholeSession ? html`<p class="quiet">${th('context.session', { agent: html`<bdi>${visible(view.agent)}</bdi>` })}</p>` : nothing}
    `,
  );
}

function named(item: WorkRef): TemplateResult {
  return html`<bdi class="work" title=${item.id}>${visible(item.title)}</bdi>`;
}
