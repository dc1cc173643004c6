/**
 * One question, in reading order: urgency and agent, the question, what decides it (impact, what waiting costs, background),
 * the choices, the reason, the button, which stays in sight, and then the rest.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { QuestionForm } from '../../src/ui/answer/question.ts';
import { browserFirst, peopleLines, lockedNote } from '../shared/deciding.ts';
import { button, icon, importedMark, link, urgencyMark, visible, visibleText, line, bdi } from '../shared/elements.ts';
import type { Drawn } from '../forms/kit.ts';
import { markdown } from '../shared/markdown.ts';
import { changesLine, clampedContent, heldChanges, part, history } from '../shared/parts.ts';
import { t, th, tn } from '../shared/strings.ts';
import { isWithin, timeTag, timeUntil, agoTag, sinceTag } from '../shared/time.ts';
import { kindWords, offeredOptions } from './acts.ts';
import { answerForm, askBackButton, answerChoices } from './answerForm.ts';
import { background, backgroundAside, context, facts } from './context.ts';
import type { Page } from './page.ts';
import { leftOver, parkedView, result, undoBar } from './result.ts';

/** ● high · copilot-001 · waiting 2 min, in one line: names give way, and where it is narrow, words do. */
function headline(view: QuestionForm): TemplateResult {
  const pending = view.resolution.type === 'pending';
  const time = pending
    ? th('waiting {time}', { time: sinceTag(view.raisedAt) })
    : th('asked {time}', { time: agoTag(view.raisedAt) });
  return html`
    <header class="headline one-line">
      <p class="sr-only">
        ${t('Question {id} from {agent}', { id: visibleText(view.id), agent: visibleText(view.agent) })}
      </p>
      <p class="facts">
        ${urgencyMark(view.urgency)} ${view.imported ? importedMark(view.imported) : nothing}
        <span class="gives"><bdi class="cut ellipsis">${visible(view.agent)}</bdi></span>
        ${
          view.folder === undefined
            ? nothing
            : html`<span class="gives"><bdi class="cut ellipsis">${visible(view.folder)}</bdi></span>`
        }
        ${view.mode === 'async' && pending ? goesOn() : nothing}
        <span class="since">${time}</span>
      </p>
    </header>
  `;
}

/** In a narrow view, only the icon is seen, as in the tree. */
function goesOn(): TemplateResult {
  const words = t('still working');
  return html`<span class="goes-on" title=${words}
    >${icon('debug-continue')}<span class="goes-on-words">${words}</span></span
  >`;
}

// Humans' follow-up questions and the agent's replies: the last exchange in full, earlier ones collapsed.

type Exchange = QuestionForm['thread'][number];

/** How long a reply is marked as new. Milliseconds. */
const newForMs = 10 * 60_000;

function thread(page: Page, view: QuestionForm): Drawn {
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
        ? line(
            icon('watch'),
            th('Waiting for the reply of {agent}. You can answer anyway.', { agent: bdi(view.agent) }),
            {
              kind: 'quiet',
            },
          )
        : nothing
    }
  </section>`;
}

function exchange(page: Page, view: QuestionForm, { text, by, at, reply }: Exchange, number: number): TemplateResult {
  const asked = quotedText(page, view, `asked.${number}`, text);
  const head = th('{name} asked the agent {time}', { name: bdi(by.name), time: agoTag(at) });
  return html`<div class="exchange">
    <div class="thread-text thread-asked">
      <p class="thread-head"><span>${head}</span></p>
      ${asked}
    </div>
    ${reply === undefined ? nothing : replyView(page, view, reply, number)}
  </div>`;
}

function replyView(
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
      <span>${th('{name} replied {time}', { name: bdi(agent), time: agoTag(at) })}</span>
    </p>
    ${quotedText(page, view, `replied.${number}`, text)}
  </div>`;
}

function quotedText(page: Page, { key }: QuestionForm, place: string, text: string): TemplateResult {
  return clampedContent(page, place, markdown(page, key, place, text));
}

export function questionForm(page: Page, view: QuestionForm): TemplateResult {
  const isPending = view.resolution.type === 'pending' || view.resolution.type === 'expired';
  return html`<article class="question">
    ${headline(view)}
    <div class="question-text ${view.text.length > 240 ? 'question-long' : ''}" data-decides="question">
      ${heading(page, view)}
    </div>
    ${changesLine(view)}
    ${isPending ? html`${facts(page, view)} ${backgroundAside(page) ? nothing : background(page, view)}` : nothing}
    ${togetherLink(page, view)} ${thread(page, view)}
    ${peopleLines(
      view.people,
      view.locked === undefined && view.inBrowser === undefined
        ? (what) => {
            if ('choices' in what) page.fillWith(what);
          }
        : undefined,
    )}
    ${end(page, view)} ${heldChanges(page, view)}
    <section class="details" aria-label=${t('Details')}>
      ${isPending ? nothing : facts(page, view)}
      ${isPending && !backgroundAside(page) ? nothing : background(page, view)} ${parkedView(page, view)}
      ${assumptionsLink(page, view)} ${context(page, view)}
      ${history(page, t('History ({n})', { n: view.history.length }), view.history)} ${foot(page, view)}
    </section>
  </article>`;
}

/** Opens the form of several questions, of which this is one. */
function formLink(page: Page, act: string, key: string, words: string): TemplateResult {
  return link(words, () => page.dispatch({ type: 'select', key }), { act, kind: 'assumptions-link' });
}

function assumptionsLink(page: Page, { assumptions }: QuestionForm): Drawn {
  if (!assumptions) return nothing;
  const { key, count } = assumptions;
  return formLink(page, 'assumptions', key, tn(count, 'Confirm {n} assumption…', 'Confirm all {n} assumptions…'));
}

function togetherLink(page: Page, { together, resolution }: QuestionForm): Drawn {
  if (!together || resolution.type !== 'pending') return nothing;
  const { key, count } = together;
  const words = tn(count, '{n} more like this: answer both…', '{n} more like this: answer together…');
  return formLink(page, 'together', key, words);
}

function heading(page: Page, view: QuestionForm): HTMLElement {
  const text = markdown(page, view.key, 'text', view.text);
  text.id = 'question';
  text.role = 'heading';
  text.ariaLevel = '1';
  if (page.run() && offeredOptions(view).length > 0) {
    // Initial focus for each new question; one without choices has its text box.
    text.tabIndex = -1;
    text.dataset['focus'] = 'question';
  }
  return text;
}

function end(page: Page, view: QuestionForm): TemplateResult {
  const { resolution, locked } = view;
  if (resolution.type !== 'pending') return html`${result(page, view, resolution)} ${readOnly(view)}`;
  const held = page.heldHere();
  if (held) return undoBar(page, view, held);
  if (view.inBrowser !== undefined && page.draftOf(view).panel !== 'askBack')
    return html`${answerChoices(page, view, page.draftOf(view), true)} ${notHere(page, view, view.inBrowser)}`;
  if (locked === undefined) return answerForm(page, view);
  return html`${answerChoices(page, view, page.draftOf(view), true)}
  ${view.enrol === undefined ? readOnly(view) : enrolFirst(page, locked, view.enrol)}`;
}

/** The browser decides it; here the agent can be asked back. What was written before stays, to copy. */
function notHere(page: Page, view: QuestionForm, why: string): TemplateResult {
  return html`${leftOver(page, view)} ${browserFirst(page, view.key, why, askBackButton(page, view))}`;
}

/** This editor cannot sign yet: the question is readable, and a button starts the setup. */
function enrolFirst(page: Page, why: string, key: string): TemplateResult {
  return html`<div class="acts" data-focus="form" tabindex="-1">
    <p class="quiet">${visible(why)}</p>
    <div class="actions">
      ${button(t('Add this editor’s key…'), () => page.dispatch({ type: 'select', key }), { wide: true, primary: true, act: 'use-editor' })}
    </div>
  </div>`;
}

function readOnly({ locked }: QuestionForm): Drawn {
  if (locked === undefined) return nothing;
  return lockedNote(locked);
}

/** Q-12 · decision · expires in 22 h · answering as Ada · copy link */
function foot(page: Page, view: QuestionForm): TemplateResult {
  const pending = view.resolution.type === 'pending';
  const signsHere = view.locked === undefined && view.inBrowser === undefined;
  const rest = view.expiresAt === undefined ? undefined : timeUntil(view.expiresAt);
  return html`<footer class="foot">
    <span>${visible(view.id)}</span>
    <span>${kindWords[view.kind]}</span>
    ${
      pending && view.expiresAt !== undefined
        ? html`<span
            >${
              rest === undefined
                ? t('about to expire')
                : th('expires in {time}', { time: timeTag(view.expiresAt, rest) })
            }</span
          >`
        : nothing
    }
    ${
      pending && signsHere
        ? html`<span>${th('answering as {name}', { name: bdi(view.answersAs.name) })}</span>`
        : nothing
    }
    ${
      page.inTab()
        ? nothing
        : link(t('open in editor'), () => page.dispatch({ type: 'openTab', key: view.key }), {
            kind: 'quiet-link',
            act: 'open-tab',
          })
    }
    ${
      pending && !page.inTab() && signsHere
        ? link(t('answer in the browser'), () => page.dispatch({ type: 'openInBrowser', key: view.key }), {
            kind: 'quiet-link',
            act: 'open-in-browser',
          })
        : nothing
    }
    ${link(page.copied() === 'link' ? t('copied') : t('copy link'), () => page.copy('link', { type: 'copyLink', key: view.key }), { kind: 'quiet-link', act: 'copy-link' })}
  </footer>`;
}
