/** The result, in place of the form: the answer, whether the agent has received it, and the next item. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { button, link } from '../shared/buttons.ts';
import type { Delivery, Resolution } from '../../src/ui/answer/resolution.ts';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { icon } from '../shared/icons.ts';
import { browserFirst, passkeyLine } from '../shared/inBrowser.ts';
import type { IconName } from '../shared/icons.ts';
import { fill, t, th, tn } from '../shared/strings.ts';
import { ago, between, timeTag } from '../shared/time.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { said } from '../shared/said.ts';
import { answerForm, panelLink } from './answerForm.ts';
import { isAfterPanel, isOffered } from './acts.ts';
import type { AfterPanel } from './acts.ts';
import type { Page } from './page.ts';
import { resumeLines } from './resume.ts';
import { draftText } from './saved.ts';
import { answeredWith } from './togetherForm.ts';

type Settled = Exclude<Resolution, { type: 'pending' }>;
type ByHuman = Exclude<Settled, { type: 'expired' }>;

const looks: Record<ByHuman['type'], { icon: IconName; line: string; received: string }> = {
  answered: {
    icon: 'pass',
    line: t('{who} answered {time}'),
    received: t('{agent} got it {time} later and continues.'),
  },
  released: {
    icon: 'debug-continue',
    line: t('{who} dismissed this without an answer {time}'),
    received: t('{agent} got it {time} later and continues.'),
  },
  cancelled: {
    icon: 'circle-slash',
    line: t('{who} dismissed this as no longer needed {time}'),
    received: t('{agent} received it {time} later.'),
  },
};

/** Titles of answers that refused the request. */
const refusals = {
  do_not: {
    icon: 'circle-slash',
    line: t('{who} answered {time}: do not do this'),
    received: t('{agent} received it {time} later.'),
  },
  stop: {
    icon: 'debug-pause',
    line: t('{who} answered {time}: stop this work'),
    received: t('{agent} received it {time} later.'),
  },
} as const satisfies Record<string, { icon: IconName; line: string; received: string }>;

function lookOf(resolution: ByHuman) {
  if (resolution.type !== 'answered' || resolution.effect === 'proceed')
    return { ...looks[resolution.type], kind: resolution.type };
  return { ...refusals[resolution.effect], kind: 'refused' };
}

export function result(page: Page, view: QuestionForm, resolution: Settled): TemplateResult {
  const isHere = view.locked === undefined && view.inBrowser === undefined;
  const form = resolution.type === 'expired' && resolution.held && isHere;
  return html`<section class="result" tabindex="-1" data-focus="result" aria-labelledby="result">
      ${resolution.type === 'expired' ? expired(resolution) : byPerson(page, resolution)} ${resumeLines(page, view)}
      ${form ? nothing : leftOver(page, view)}
    </section>
    ${form ? answerForm(page, view) : nothing} ${inBrowser(page, view)} ${afterwards(page, view)}
    ${view.next ? nextButton(page, view.next, form || isAfterPanel(page.draftOf(view).panel)) : html`<p class="quiet">${t('Nothing else is waiting for you.')}</p>`}`;
}

/** What is left to decide, in the browser: releasing an expired question, or lifting a refusal. */
function inBrowser(page: Page, { key, inBrowser: why }: QuestionForm): TemplateResult | typeof nothing {
  return why === undefined ? nothing : browserFirst(page, key, why);
}

function byPerson(page: Page, resolution: ByHuman): TemplateResult {
  const look = lookOf(resolution);
  const who = resolution.by.you ? t('You') : html`<bdi>${visible(resolution.by.name)}</bdi>`;
  const labels = resolution.type === 'answered' ? resolution.choices : [];
  return html`
    <p class="result-line result-${look.kind}" id="result">
      ${icon(look.icon)}<span>${fill(look.line, { who, time: timeTag(resolution.at, ago(resolution.at)) })}</span>
    </p>
    ${resolution.type === 'answered' ? answeredWith(page, resolution.with) : nothing} ${passkeyLine(resolution.passkey)}
    ${said(labels, textOf(resolution))}
    <div role="status">
      ${resolution.delivery ? delivered(resolution.delivery, resolution.at, look.received) : nothing}
    </div>
    ${resolution.type === 'answered' ? given(resolution) : nothing}
  `;
}

type Answered = Extract<Resolution, { type: 'answered' }>;

/** Agents that asked the same question received this answer automatically. The form shows that, and can end it. */
function given({ again, revoked, lifted }: Answered): TemplateResult {
  const [last] = again?.named ?? [];
  return html`
    ${
      again && last
        ? html`<p class="delivery" data-part="again">
            ${icon('history')}<span
              >${th('Reused by {agent} {time}', { agent: html`<bdi>${visible(last.agent)}</bdi>`, time: timeTag(last.at, ago(last.at)) })}
              ${again.count > 1 ? tn(again.count - 1, 'and {n} more time', 'and {n} more times') : nothing}</span
            >
          </p>`
        : nothing
    }
    ${revoked ? after('revoked', 'circle-slash', revoked) : nothing}
    ${lifted ? after('lifted', 'debug-continue', lifted) : nothing}
  `;
}

/** A later act on the answer, and its reason. */
function after(
  part: 'revoked' | 'lifted',
  sign: IconName,
  { by, at, reason }: NonNullable<Answered['revoked']>,
): TemplateResult {
  const values = { who: by.you ? t('You') : html`<bdi>${visible(by.name)}</bdi>`, time: timeTag(at, ago(at)) };
  return html`<p class="delivery" data-part=${part}>
      ${icon(sign)}<span
        >${part === 'revoked' ? th('{who} revoked it {time}: it will not be reused.', values) : th('{who} lifted the refusal {time}: it may be done now.', values)}</span
      >
    </p>
    ${said([], reason)}`;
}

/** The form of an act on the answer, or the links that open one. */
function afterwards(page: Page, view: QuestionForm): TemplateResult | typeof nothing {
  const offered = (['lift', 'revoke'] as const).filter((panel) => isOffered(view, panel));
  if (offered.length === 0) return nothing;
  if (isAfterPanel(page.draftOf(view).panel)) return answerForm(page, view);
  return html`<p class="other-ways">${offered.map((panel) => panelLink(page, panel, afterLinks[panel]))}</p>`;
}

const afterLinks: Record<AfterPanel, string> = {
  lift: t('Lift this refusal…'),
  revoke: t('Stop reusing this answer…'),
};

function textOf(resolution: ByHuman): string {
  switch (resolution.type) {
    case 'answered':
      return resolution.text;
    case 'cancelled':
      return resolution.reason;
    case 'released':
      return resolution.note;
  }
}

function delivered(delivery: Delivery, from: string, received: string): TemplateResult {
  const agent = html`<bdi>${visible(delivery.agent)}</bdi>`;
  if (delivery.type === 'waiting') {
    return html`<p class="delivery">
      ${icon('watch')}<span>${th('Waiting for {agent} to pick it up', { agent })}</span>
    </p>`;
  }
  const time = timeTag(delivery.at, between(from, delivery.at));
  return html`<p class="delivery">${icon('check')}<span>${fill(received, { agent, time })}</span></p>`;
}

function expired(resolution: Extract<Settled, { type: 'expired' }>): TemplateResult {
  return html`
    <p class="result-line result-expired" id="result">
      ${icon('watch')}<span
        >${th('Expired {time} without an answer', { time: timeTag(resolution.at, ago(resolution.at)) })}</span
      >
    </p>
    ${
      resolution.failed.length === 0
        ? nothing
        : html`<p>
            ${t('Failed because nobody answered:')}
            ${resolution.failed.map((item, index) => [index > 0 ? ', ' : '', html`<bdi class="work" title=${visibleText(item.id)}>${visible(item.title)}</bdi>`])}.
          </p>`
    }
    <p>${resolution.held ? t('Its work stays held until you answer or dismiss it.') : t('It holds nothing.')}</p>
  `;
}

/** Somebody else answered first, or the question expired: the draft is still there to copy. */
export function leftOver(page: Page, view: QuestionForm): TemplateResult | typeof nothing {
  const text = draftText(page.draftOf(view));
  if (text === '') return nothing;
  return html`<div class="left-over">
    <p class="left-over-head">
      <span>${t('Your draft, not sent')}</span>
      <span class="left-over-acts">
        ${link(page.copied() === 'draft' ? t('copied') : t('Copy'), () => page.copyDraft(text), { act: 'copy-draft' })}
        ${link(t('Discard'), () => page.discardDraft(), { act: 'discard-draft' })}
      </span>
    </p>
    <p class="left-over-text" dir="auto">${visible(text)}</p>
  </div>`;
}

/** Decides nothing, so it may have focus: Enter opens the next item. Beside another act it is secondary. */
function nextButton(page: Page, next: { key: string; id: string }, second: boolean): TemplateResult {
  return html`<div class="actions ${second ? '' : 'acts'}">
    ${button(t('Next: {id}', { id: visibleText(next.id) }), () => page.dispatch({ type: 'select', key: next.key }), { wide: true, primary: !second, act: 'next' })}
  </div>`;
}
