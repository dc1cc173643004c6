/** The bar above each item of the queue: its progress, and the last decision while it can be undone. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { QueueState } from '../../src/ui/answer/view.ts';
import { link } from '../shared/buttons.ts';
import { answerKeys, undoKeys } from '../shared/deciding.ts';
import { t } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import { offered } from './offered.ts';
import type { Page } from './page.ts';
import { heldWords, secondsLeft } from './queueActs.ts';

export function queueBar(page: Page): TemplateResult | typeof nothing {
  const state = page.queue();
  if (!state) return nothing;
  const { index, of, done, held } = state;
  const latest = held.at(-1);
  const progress = t('{n} of {of} done', { n: done, of });
  return html`<section class="queue-bar" aria-label=${t('Answer one after another')}>
    <div class="queue-line">
      <strong>${index === undefined ? progress : t('{index} of {of}', { index, of })}</strong>
      <progress max=${of} .value=${done} aria-label=${progress}></progress>
      ${link(t('Back (K)'), () => page.dispatch({ type: 'go', to: 'back' }), { act: 'queue-back' })}
      ${index === undefined ? nothing : link(t('Skip (J)'), () => page.dispatch({ type: 'go', to: 'next' }), { act: 'queue-next' })}
    </div>
    <div class="queue-line queue-held">
      ${latest ? undoOffer(page, latest) : html`<span class="quiet">${keysOf(page)}</span>`}
    </div>
  </section>`;
}

function keysOf(page: Page): string {
  const view = page.snapshot()?.view;
  if (view?.type === 'nothing') return '';
  const picks = view?.type === 'question' && offered(view).length > 0;
  return picks
    ? t('1–9 pick · {key} sends · J skips · K goes back', { key: answerKeys })
    : t('{key} sends · Tab reaches Skip and Back', { key: answerKeys });
}

/** Keeps its space when there is nothing to undo, so that nothing below moves. */
function undoOffer(page: Page, latest: QueueState['held'][number]): TemplateResult {
  const n = secondsLeft(latest);
  return html`<span class="queue-said" dir="auto">${visible(heldWords(latest))}</span>
    <span class="queue-count queue-roomy">${n === 0 ? t('Sending…') : t('Sending in {n} s', { n })}</span>
    <span class="queue-count queue-tight">${n === 0 ? '…' : t('{n} s', { n })}</span>
    ${link(t('Undo ({key})', { key: undoKeys }), () => page.dispatch({ type: 'undo', held: latest.act }), { act: 'undo', disabled: n === 0 })}`;
}
