/** The bar above each item of a triage: its progress, and the last decision while it can be undone. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { TriageState } from '../../../src/protocol/question/triage.ts';
import { link, notice } from '../../shared/buttons.ts';
import { answerKeys, undoKeys } from '../../shared/deciding.ts';
import { t } from '../../shared/strings.ts';
import { visible, visibleText } from '../../shared/visible.ts';
import { offered } from '../offered.ts';
import type { Page } from '../page.ts';
import { heldWords, secondsLeft } from './acts.ts';

export function triageBar(page: Page): TemplateResult | typeof nothing {
  const state = page.triage();
  if (!state) return nothing;
  const { index, of, decided, held } = state;
  const latest = held.at(-1);
  const view = page.snapshot()?.view;
  const keys =
    view?.type !== 'question' ? 'triage.keysCard' : offered(view).length > 0 ? 'triage.keys' : 'triage.keysText';
  return html`<section class="triage-bar" aria-label=${t('triage.label')}>
      <div class="triage-line">
        <strong class="triage-place"
          >${index === undefined ? t('triage.progress', { n: decided, of }) : t('headline.position', { index, of })}</strong
        >
        <progress max=${of} .value=${decided} aria-label=${t('triage.progress', { n: decided, of })}></progress>
        ${link(t('triage.backKey'), () => page.dispatch({ type: 'triage', go: 'back' }), { act: 'triage-back' })}
        ${index === undefined ? nothing : link(t('triage.nextKey'), () => page.dispatch({ type: 'triage', go: 'next' }), { act: 'triage-next' })}
      </div>
      <div class="triage-line triage-held">
        ${latest ? undoOffer(page, latest) : html`<span class="quiet">${t(keys, { key: answerKeys })}</span>`}
      </div>
    </section>
    ${failure(page, state)}`;
}

/** Keeps its space when there is nothing to undo, so that nothing below moves. */
function undoOffer(page: Page, latest: TriageState['held'][number]): TemplateResult {
  const n = secondsLeft(latest);
  return html`<span class="triage-said" dir="auto">${visible(heldWords(latest))}</span>
    <span class="triage-count triage-roomy">${n === 0 ? t('answer.sending') : t('triage.sending', { n })}</span>
    <span class="triage-count triage-tight">${n === 0 ? '…' : t('time.seconds', { n })}</span>
    ${link(t('triage.undo', { key: undoKeys }), () => undo(page), { act: 'undo', disabled: n === 0 })}`;
}

export function undo(page: Page): void {
  const latest = page.triage()?.held.at(-1);
  if (latest) page.dispatch({ type: 'undo', held: latest.act });
}

/** A decision that was not recorded. */
function failure(page: Page, { failed }: TriageState): TemplateResult | typeof nothing {
  if (!failed) return nothing;
  const { key, id, text } = failed;
  const isShown = page.snapshot()?.view.type === 'question' && page.viewKey() === key;
  return notice(
    'error',
    'error',
    html`${visible(text)}
    ${isShown ? nothing : link(t('triage.showFailed', { id: visibleText(id) }), () => page.dispatch({ type: 'triageTo', key }), { act: 'show-failed' })}`,
  );
}
