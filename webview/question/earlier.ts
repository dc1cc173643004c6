/** Answers to similar questions: a click or the key R fills in the form with one; sending it stays a step of its own. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { link } from '../shared/buttons.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible } from '../shared/visible.ts';
import { lettersAct } from './keys.ts';
import type { Page } from './page.ts';

type Earlier = NonNullable<QuestionForm['earlier']>[number];

export function earlierAnswers(page: Page, view: QuestionForm): TemplateResult | typeof nothing {
  const { earlier = [] } = view;
  if (earlier.length === 0 || !canFill(page, view)) return nothing;
  return html`<section class="earlier" data-part="earlier" aria-label=${t('Answers to similar questions')}>
    <ul>
      ${earlier.map((one, at) => row(page, one, at === 0))}
    </ul>
  </section>`;
}

function row(page: Page, earlier: Earlier, isFirst: boolean): TemplateResult {
  const { key, id, text, answer, by, at } = earlier;
  const said = { name: bdi(by), answer: html`<q>${bdi(answer)}</q>`, time: timeTag(at, ago(at)) };
  return html`<li>
    <span>${th('{name} answered {answer} {time}', said)}</span>
    <span class="earlier-acts">
      ${link(t('Use this answer'), () => use(page, earlier), { act: 'use-earlier' })}
      ${isFirst ? html`<kbd class="choice-key" aria-hidden="true">R</kbd>` : nothing}
      ${link(visible(id), () => page.dispatch({ type: 'select', key }), { kind: 'quiet-link', act: 'show-earlier' })}
    </span>
    <span class="quiet small">${bdi(text)}</span>
  </li>`;
}

function bdi(text: string): TemplateResult {
  return html`<bdi>${visible(text)}</bdi>`;
}

function use(page: Page, { fill }: Earlier): void {
  page.fillWith({ panel: 'answer', ...fill });
}

/** Only the answer that is being written is filled in. */
function canFill(page: Page, view: QuestionForm): boolean {
  if (view.resolution.type !== 'pending' || view.locked !== undefined || view.inBrowser !== undefined) return false;
  return page.draftOf(view).panel === 'answer' && page.step() === 'form' && page.flight() === undefined;
}

/** R uses the first one wherever the focus is, except while typing. */
export function onEarlierKey(page: Page, event: KeyboardEvent): void {
  if (!event.isTrusted || event.repeat || event.isComposing || event.key.toLowerCase() !== 'r') return;
  if (event.ctrlKey || event.metaKey || event.altKey || !lettersAct(page, event)) return;
  const view = page.snapshot()?.view;
  if (view?.type !== 'question' || !canFill(page, view)) return;
  const [first] = view.earlier ?? [];
  if (!first) return;
  event.preventDefault();
  use(page, first);
}
