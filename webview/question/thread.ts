/** Humans' follow-up questions and the agent's replies: the last exchange in full, earlier ones collapsed. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { clamped, part } from '../shared/folding.ts';
import { icon } from '../shared/icons.ts';
import { markdown } from '../shared/markdownSlot.ts';
import { t, th, tn } from '../shared/strings.ts';
import { ago, isWithin, timeTag } from '../shared/time.ts';
import { visible } from '../shared/visible.ts';
import type { Page } from './page.ts';

type Exchange = QuestionForm['thread'][number];

/** How long a reply is marked as new. Milliseconds. */
const newForMs = 10 * 60_000;

export function thread(page: Page, view: QuestionForm): TemplateResult | typeof nothing {
  const last = view.thread.at(-1);
  if (!last) return nothing;
  const earlier = view.thread.slice(0, -1);
  const folded = html`<ol class="exchanges">
    ${earlier.map((one, index) => html`<li>${exchange(page, view, one, index + 1)}</li>`)}
  </ol>`;
  const waits = last.reply === undefined && view.resolution.type === 'pending';
  return html`<section class="thread" data-part="thread" aria-label=${t('What you asked the agent')}>
    ${earlier.length === 0 ? nothing : part(page, 'thread', tn(earlier.length, '{n} earlier question and reply', '{n} earlier questions and replies'), folded)}
    ${exchange(page, view, last, view.thread.length)}
    ${
      waits
        ? html`<p class="thread-waits">
            ${icon('watch')}<span
              >${th('Waiting for the reply of {agent}. You can answer anyway.', { agent: html`<bdi>${visible(view.agent)}</bdi>` })}</span
            >
          </p>`
        : nothing
    }
  </section>`;
}

function exchange(page: Page, view: QuestionForm, { text, by, at, reply }: Exchange, number: number): TemplateResult {
  const asked = said(page, view, { place: `asked.${String(number)}`, text });
  const head = th('{name} asked the agent {time}', {
    name: html`<bdi>${visible(by.name)}</bdi>`,
    time: timeTag(at, ago(at)),
  });
  return html`<div class="exchange">
    <div class="thread-text thread-asked">
      <p class="thread-head"><span>${head}</span></p>
      ${asked}
    </div>
    ${reply === undefined ? nothing : replied(page, view, reply, number)}
  </div>`;
}

function replied(
  page: Page,
  view: QuestionForm,
  { text, agent, at }: NonNullable<Exchange['reply']>,
  number: number,
): TemplateResult {
  const isLast = number === view.thread.length && view.resolution.type === 'pending';
  const isNew = isLast && isWithin(at, newForMs);
  return html`<div class="thread-text thread-replied">
    <p class="thread-head">
      ${isNew ? html`<span class="badge">${t('New')}</span>` : nothing}
      <span
        >${th('{name} replied {time}', { name: html`<bdi>${visible(agent)}</bdi>`, time: timeTag(at, ago(at)) })}</span
      >
    </p>
    ${said(page, view, { place: `replied.${String(number)}`, text })}
  </div>`;
}

function said(page: Page, { key }: QuestionForm, { place, text }: { place: string; text: string }): TemplateResult {
  return clamped(page, place, markdown(page, key, place, text));
}
