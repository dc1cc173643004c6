/** The result, in place of the form: the answer, whether the agent has received it, and the next item. */
import { html, nothing, type TemplateResult } from 'lit';
import type { QuestionForm, Resume, Answered, Resolution } from '../../src/ui/answer/question.ts';
import { bdi, type Drawn } from '../forms/kit.ts';
import { browserFirst, isTouchScreen, passkeyLine, undoKeys } from '../shared/deciding.ts';
import { button, icon, link, labelledText, visible, visibleText, type IconName } from '../shared/elements.ts';
import { part } from '../shared/parts.ts';
import { fill, t, th, tn } from '../shared/strings.ts';
import { ago, timeBetween, timeTag } from '../shared/time.ts';
import { draftText } from './acts.ts';
import { answerForm, panelLink } from './answerForm.ts';
import { heldWords, secondsLeft, type Page } from './page.ts';
import { isAboutDecision, isPossible, panelNames } from './panels.ts';
import { answeredWith } from './together.ts';

// A decision before it is signed: it can be undone.

type HeldDecision = ReturnType<Page['held']>[number];

/** Keeps its space when there is nothing to undo, so that nothing below moves. */
export function undoOffer(page: Page, latest: HeldDecision): TemplateResult {
  const n = secondsLeft(latest);
  return html`<span class="cut queue-said" dir="auto">${visible(heldWords(latest))}</span>
    <span class="queue-count queue-roomy">${n === 0 ? t('Sending…') : t('Sending in {n} s', { n })}</span>
    <span class="queue-count queue-tight">${n === 0 ? '…' : t('{n} s', { n })}</span>
    ${link(isTouchScreen ? t('Undo') : t('Undo ({key})', { key: undoKeys }), () => page.dispatch({ type: 'undo', held: latest.act }), { act: 'undo', disabled: n === 0 })}`;
}

export function undoBar(page: Page, { next }: QuestionForm, held: HeldDecision): TemplateResult {
  return html`<div class="acts" tabindex="-1" data-focus="result" data-part="undo">
    <div class="queue-line">${undoOffer(page, held)}</div>
    ${next ? nextButton(page, next, false) : nothing}
  </div>`;
}

// What starts a parked agent again, the exact command with it, and what was started.

function resumeLines(page: Page, { key, resume, resolution }: QuestionForm): Drawn {
  if (!resume) return nothing;
  const isPending = resolution.type === 'pending';
  const [words, start] = offerOf(resume, isPending);
  const act = () => {
    page.dispatch({ type: 'resume', key });
  };
  return html`<div class="resume" data-part="resume" role="status">
    <p class="iconed delivery">${icon('debug-continue')}<span>${words}</span></p>
    ${'command' in resume ? html`<pre class="resume-command" dir="ltr" tabindex="0">${visible(resume.command)}</pre>` : nothing}
    ${'folder' in resume ? html`<p class="quiet small" dir="ltr">${visible(resume.folder)}</p>` : nothing}
    ${start === undefined || isPending ? nothing : html`<div class="actions">${button(start, act, { act: 'resume', once: true })}</div>`}
  </div>`;
}

/** What is said about it, and the button that starts it. */
function offerOf(resume: Resume, isPending: boolean): readonly [words: unknown, start?: string] {
  switch (resume.type) {
    case 'chat':
      return [t('The chat opens with a prompt. Nothing is sent until you send it.'), t('Open a chat')];
    case 'started': {
      const values = { time: timeTag(resume.at, ago(resume.at)), name: bdi(resume.terminal) };
      const words = th('Started {time} in the terminal {name}:', values);
      return resume.here ? [words, t('Show terminal')] : [words];
    }
    case 'willStart':
      return [t('Answering starts it again in a terminal:')];
    case 'canStart':
      return isPending
        ? [t('After answering, you can start it again in a terminal:')]
        : [t('You can start it again in a terminal:'), resume.again ? t('Resume again') : t('Resume the agent')];
    case 'missing': {
      const values = { program: html`<code>${visible(resume.program)}</code>`, agent: bdi(resume.agent) };
      return [
        th(
          '{program} is not on the PATH, so {agent} cannot be started from here. Its next session gets your answer.',
          values,
        ),
      ];
    }
    case 'running':
      return [
        th('{agent} is still running, so it is not started again. It gets your answer with its next prompt.', {
          agent: bdi(resume.agent),
        }),
      ];
    case 'elsewhere':
      return [
        th('{agent} was not parked in this folder. Its next session gets your answer.', { agent: bdi(resume.agent) }),
      ];
  }
}

// The brief that an agent left for the session that continues. Plain text: an agent wrote it.

export function parkedView(page: Page, view: QuestionForm): Drawn {
  const { parked: brief } = view;
  if (!brief) return nothing;
  const agent = bdi(brief.agent);
  return html`<section class="parked" data-part="parked">
    <p class="iconed quiet">
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

type Settled = Exclude<Resolution, { type: 'pending' }>;
type ByHuman = Exclude<Settled, { type: 'expired' }>;
type Look = readonly [icon: IconName, line: string, received: string];

const gotIt = t('{agent} received it {time} later.');
const goesOn = t('{agent} got it {time} later and continues.');

const looks: Readonly<Record<ByHuman['type'] | 'do_not' | 'stop', Look>> = {
  answered: ['pass', t('{who} answered {time}'), goesOn],
  released: ['debug-continue', t('{who} dismissed this without an answer {time}'), goesOn],
  cancelled: ['circle-slash', t('{who} dismissed this as no longer needed {time}'), gotIt],
  do_not: ['circle-slash', t('{who} answered {time}: do not do this'), gotIt],
  stop: ['debug-pause', t('{who} answered {time}: stop this work'), gotIt],
};

export function result(page: Page, view: QuestionForm, resolution: Settled): TemplateResult {
  const isHere = view.locked === undefined && view.inBrowser === undefined;
  const form = resolution.type === 'expired' && resolution.held && isHere;
  return html`<section class="result" tabindex="-1" data-focus="result" aria-labelledby="result">
      ${resolution.type === 'expired' ? expiredView(resolution) : byPerson(page, resolution)} ${resumeLines(page, view)}
      ${form ? nothing : leftOver(page, view)}
    </section>
    ${form ? answerForm(page, view) : nothing} ${inBrowser(page, view)} ${afterwardsView(page, view)}
    ${view.next ? nextButton(page, view.next, form || isAboutDecision(page.draftOf(view).panel)) : html`<p class="quiet">${t('Nothing else is waiting for you.')}</p>`}`;
}

/** What is left to decide, in the browser: releasing an expired question, or lifting a refusal. */
function inBrowser(page: Page, { key, inBrowser: why }: QuestionForm): Drawn {
  return why === undefined ? nothing : browserFirst(page, key, why);
}

function byPerson(page: Page, resolution: ByHuman): TemplateResult {
  const refusal = resolution.type === 'answered' && resolution.effect !== 'proceed' ? resolution.effect : undefined;
  const [sign, line, received] = looks[refusal ?? resolution.type];
  const who = resolution.by.you ? t('You') : bdi(resolution.by.name);
  const labels = resolution.type === 'answered' ? resolution.choices : [];
  return html`
    <p class="iconed result-line result-${refusal ? 'refused' : resolution.type}" id="result">
      ${icon(sign)}<span>${fill(line, { who, time: timeTag(resolution.at, ago(resolution.at)) })}</span>
    </p>
    ${resolution.type === 'answered' ? answeredWith(page, resolution.with) : nothing} ${passkeyLine(resolution.passkey)}
    ${labelledText(labels, textOf(resolution))}
    <div role="status">
      ${resolution.delivery ? deliveryView(resolution.delivery, resolution.at, received) : nothing}
    </div>
    ${resolution.type === 'answered' ? givenView(resolution) : nothing}
  `;
}

/** Agents that asked the same question received this answer automatically. The form shows that, and can end it. */
function givenView({ again, revoked, lifted }: Answered): TemplateResult {
  const [last] = again?.named ?? [];
  return html`
    ${
      again && last
        ? html`<p class="iconed delivery" data-part="again">
            ${icon('history')}<span
              >${th('Reused by {agent} {time}', { agent: bdi(last.agent), time: timeTag(last.at, ago(last.at)) })}
              ${again.count > 1 ? tn(again.count - 1, 'and {n} more time', 'and {n} more times') : nothing}</span
            >
          </p>`
        : nothing
    }
    ${revoked ? afterLine('revoked', 'circle-slash', revoked) : nothing}
    ${lifted ? afterLine('lifted', 'debug-continue', lifted) : nothing}
  `;
}

/** A later act on the answer, and its reason. */
function afterLine(
  part: 'revoked' | 'lifted',
  sign: IconName,
  { by, at, reason }: NonNullable<Answered['revoked']>,
): TemplateResult {
  const values = { who: by.you ? t('You') : bdi(by.name), time: timeTag(at, ago(at)) };
  return html`<p class="iconed delivery" data-part=${part}>
      ${icon(sign)}<span
        >${part === 'revoked' ? th('{who} stopped reusing it {time}.', values) : th('{who} lifted the refusal {time}: it may be done now.', values)}</span
      >
    </p>
    ${labelledText([], reason)}`;
}

/** The form of an act on the answer, or the links that open one. */
function afterwardsView(page: Page, view: QuestionForm): Drawn {
  const offered = panelNames.filter((panel) => isAboutDecision(panel) && isPossible(view, panel));
  if (offered.length === 0) return nothing;
  if (isAboutDecision(page.draftOf(view).panel)) return answerForm(page, view);
  return html`<p class="flow small">${offered.map((panel) => panelLink(page, panel))}</p>`;
}

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

function deliveryView(delivery: NonNullable<ByHuman['delivery']>, from: string, received: string): TemplateResult {
  const agent = bdi(delivery.agent);
  if (delivery.type === 'waiting') {
    return html`<p class="iconed delivery">
      ${icon('watch')}<span>${th('Waiting for {agent} to pick it up', { agent })}</span>
    </p>`;
  }
  const time = timeTag(delivery.at, timeBetween(from, delivery.at));
  return html`<p class="iconed delivery">${icon('check')}<span>${fill(received, { agent, time })}</span></p>`;
}

function expiredView(resolution: Extract<Settled, { type: 'expired' }>): TemplateResult {
  return html`
    <p class="iconed result-line result-expired" id="result">
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
export function leftOver(page: Page, view: QuestionForm): Drawn {
  const text = draftText(page.draftOf(view));
  if (text === '') return nothing;
  return html`<div class="boxed left-over">
    <p class="flow quiet left-over-head">
      <span>${t('Your draft, not sent')}</span>
      <span class="flow">
        ${link(page.copied() === 'draft' ? t('copied') : t('Copy'), () => page.copy('draft', { type: 'copyText', text }), { act: 'copy-draft' })}
        ${link(t('Discard'), () => page.discardDraft(), { act: 'discard-draft' })}
      </span>
    </p>
    <p class="left-over-text" dir="auto">${visible(text)}</p>
  </div>`;
}

type Next = NonNullable<QuestionForm['next']>;

/** Decides nothing, so it may have focus: Enter opens the next item. Beside another act it is secondary. */
export function nextButton(page: Page, { key, title }: Next, second: boolean): TemplateResult {
  return html`<div class="actions ${second ? '' : 'acts'}">
    ${button(t('Next: {title}', { title: visibleText(title) }), () => page.dispatch({ type: 'select', key }), { wide: true, primary: !second, act: 'next' })}
  </div>`;
}
