/** The document: its contents, and each section with its text or changes, and its questions. */
import { html, nothing, type TemplateResult } from 'lit';
import type { RfcView, Section, OpenQuestion } from '../../src/ui/rfc/model.ts';
import { icon, visible, button, link, visibleText, bdi, type IconName } from '../shared/elements.ts';
import { t, tn, th } from '../shared/strings.ts';
import type { Page } from './page.ts';
import { sectionText, personName, threads } from './threads.ts';
import { formOf, formEnd } from '../shared/deciding.ts';
import { difference } from '../shared/difference.ts';
import { textBox, choices } from '../shared/fields.ts';
import { markdown } from '../shared/markdown.ts';
import { part } from '../shared/parts.ts';
import { commentOn, questionPlace } from './draft.ts';
import { agoTag } from '../shared/time.ts';

// Tracks the section at the top of the window, for the contents.

let current = '';

function isCurrent(section: string): boolean {
  return section === current;
}

/** Calls back when another section reaches the top. */
export function watchReading(changed: () => void): { observe: (root: HTMLElement) => void } {
  const seen = new Set<Element>();
  const look = (): void => {
    let found = '';
    for (const element of seen) {
      if (!element.isConnected) {
        seen.delete(element);
        observer.unobserve(element);
      } else if (found === '' || element.getBoundingClientRect().top <= topMost) {
        found = (element as HTMLElement).dataset['section'] ?? '';
      }
    }
    if (found === current) return;
    current = found;
    changed();
  };
  const observer = new IntersectionObserver(look, { rootMargin: `-${topMost}px 0px -60% 0px`, threshold: [0, 1] });
  return {
    observe: (root) => {
      for (const element of root.querySelectorAll('[data-section]')) {
        if (seen.has(element)) continue;
        seen.add(element);
        observer.observe(element);
      }
    },
  };
}

/** A section that starts above this line is the current one. */
const topMost = 80;

// Headings within sections, for the contents: all in a short document, the current section's in a long one.

const short = 40;
const atMost = 100;

function headingsOf(page: Page, view: RfcView): ReadonlyMap<string, readonly HTMLElement[]> {
  const all = new Map(view.sections.map((one) => [one.id, inText(page, view, one)]));
  const count = [...all.values()].reduce((sum, { length }) => sum + length, 0);
  if (count <= short) return all;
  return new Map([...all].map(([id, headings]) => [id, isCurrent(id) ? headings.slice(0, atMost) : []]));
}

/** A comparison shows lines, without headings. */
function inText(page: Page, view: RfcView, section: Section): HTMLElement[] {
  if (view.compared !== undefined || (section.text ?? '') === '') return [];
  return [...sectionText(page, view.key, section).querySelectorAll('h3')];
}

export const changeMarks = {
  changed: { icon: 'diff-modified', mark: t('Changed'), words: t('changed since your last review') },
  new: { icon: 'diff-added', mark: t('New'), words: t('new since your last review') },
  gone: { icon: 'diff-removed', mark: t('Removed'), words: t('no longer in this revision') },
} as const satisfies Record<Exclude<Section['change'], 'none'>, { icon: IconName; mark: string; words: string }>;

/** The element of a section; its id comes from the document's author. */
function sectionElement(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-section="${CSS.escape(id)}"]`);
}

function goTo(id: string): void {
  const found = sectionElement(id);
  found?.scrollIntoView({ block: 'start' });
  found?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
}

export function contents(page: Page, view: RfcView, narrow: boolean): TemplateResult {
  const headings = headingsOf(page, view);
  const list = html`<ol class="contents-list">
    ${view.sections.map((one) => html`${entry(one)} ${headings.get(one.id)?.map(innerContent)}`)}
  </ol>`;
  if (!narrow) return html`<nav class="contents" aria-label=${t('Contents')}>${list}</nav>`;
  const open = page.isUnfolded('contents');
  return html`<nav class="contents" aria-label=${t('Contents')}>
    <details
      ?open=${open}
      @toggle=${(event: Event) => {
        const details = event.currentTarget as HTMLDetailsElement;
        if (details.open !== page.isUnfolded('contents')) page.unfold('contents', details.open);
      }}
    >
      <summary>${t('Contents')}</summary>
      ${list}
    </details>
  </nav>`;
}

function entry(section: Section): TemplateResult {
  const { id, title, change } = section;
  const open = section.threads.filter(({ resolved }) => !resolved);
  const blocking = open.some((one) => one.blocking);
  const forYou = section.questions.filter(({ state }) => state === 'human_required').length;
  return html`<li>
    <button
      type="button"
      class="contents-entry iconed row-button"
      aria-current=${isCurrent(id) ? 'true' : nothing}
      @click=${() => {
        goTo(id);
      }}
    >
      <span class="contents-title" dir="auto">${visible(title)}</span>
      ${change === 'none' ? nothing : mark(changeMarks[change].icon, changeMarks[change].words)}
      ${forYou === 0 ? nothing : mark('question', tn(forYou, '{n} question for you', '{n} questions for you'), forYou, 'warning')}
      ${
        open.length === 0
          ? nothing
          : mark(
              'comment',
              tn(open.length, '{n} open thread', '{n} open threads'),
              open.length,
              blocking ? 'warning' : '',
            )
      }
    </button>
  </li>`;
}

function innerContent(heading: HTMLElement): TemplateResult {
  const go = () => {
    heading.scrollIntoView({ block: 'start' });
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  return html`<li>
    <button type="button" class="contents-entry contents-inner iconed row-button" @click=${go}>
      <span class="contents-title" dir="auto">${heading.textContent}</span>
    </button>
  </li>`;
}

function mark(name: IconName, words: string, count?: number, extra = ''): TemplateResult {
  return html`<span class="contents-mark ${extra}" title=${words}
    >${icon(name, 'inline')}${count === undefined ? nothing : html`<span aria-hidden="true">${count}</span>`}<span
      class="sr-only"
      >${words}</span
    ></span
  >`;
}

// Answers an open question in place: with the author's choices, or with text.

function answerBox(page: Page, view: RfcView, one: OpenQuestion): TemplateResult {
  const place = questionPlace(one.number);
  const at = page.at(place);
  const busy = at.flight() !== undefined;
  const send = () => {
    page.sendAnswer(one.number);
  };
  const label = t('Answer “{question}”', { question: visibleText(one.text).slice(0, 120) });
  const content = html`${offered(page, one, busy)}
  ${textBox(at, {
    name: `${place}.text`,
    label,
    placeholder: one.choices.length === 0 ? t('Your answer') : t('Reason, or another answer'),
    value: page.box(place).text,
    max: page.snapshot()?.limits.answer ?? 0,
    disabled: busy,
    edit: (written) => page.setBox(place, { text: written }),
  })}
  ${formEnd(
    at,
    view.answersAs,
    html`<div class="actions">
      ${button(t('Answer'), send, { act: 'answer', label, once: true })}
      ${button(t('Needs no answer'), () => page.sendAnswer(one.number, true), { act: 'needless', once: true })}
    </div>`,
  )}`;
  return formOf(at, content, { act: send, kind: 'answer-box' });
}

/** A second click clears the choice, since text alone may answer. */
function offered(page: Page, { number, text, choices: all }: OpenQuestion, disabled: boolean): unknown {
  if (all.length === 0) return nothing;
  const picked = page.box(questionPlace(number)).choices;
  return choices({
    ...{ name: `choice-${number}`, disabled },
    legend: html`<legend class="sr-only">${visible(text)}</legend>`,
    rows: all.map(({ label, description, recommended }) => ({
      ...{ label: visible(label), recommended, picked: picked.includes(label) },
      more: description === undefined ? undefined : visible(description),
      pick: () => page.setBox(questionPlace(number), { choices: picked.includes(label) ? [] : [label] }),
    })),
  });
}

// The open questions of a section and their answers. A model's answer is marked, and can be overruled.

const confidenceWords = {
  low: t('low confidence'),
  medium: t('medium confidence'),
  high: t('high confidence'),
};

function questions(page: Page, view: RfcView, { questions: all }: Section): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<ol class="questions stack">
    ${all.map((one) => html`<li class="stack indented" data-question=${one.number}>${question(page, view, one)}</li>`)}
  </ol>`;
}

function question(page: Page, view: RfcView, one: OpenQuestion): TemplateResult {
  const place = questionPlace(one.number);
  const at = page.at(place);
  return html`<div class="rfc-question-text" data-focus=${place} tabindex="-1">
      ${markdown(page, view.key, place, one.text)}
    </div>
    ${one.more === '' ? nothing : markdown(page, view.key, `${place}.more`, one.more)} ${statusNote(page, view, one)}
    ${asks(view, one) ? answerBox(page, view, one) : formEnd(at, undefined, nothing)}`;
}

function asks({ may, locked }: RfcView, { state }: OpenQuestion): boolean {
  return may.answer && !locked && (state === 'unanswered' || state === 'human_required');
}

function statusNote(page: Page, view: RfcView, one: OpenQuestion): TemplateResult {
  const { state, author_answer: settled, ai_answer: model, human } = one;
  const place = questionPlace(one.number);
  switch (state) {
    case 'unanswered':
      return html`<p class="flow quiet open">${icon('circle-outline', 'inline')}${t('Not answered yet')}</p>`;
    case 'author_answered':
      return html`<p class="flow quiet">${icon('check', 'inline')}${t('Settled in the document')}</p>
        ${settled === null ? nothing : markdown(page, view.key, `${place}.answer`, settled)}`;
    case 'human_required':
      return html`<p class="flow">
        <span class="warning">${icon('question', 'inline')}<strong>${t('Waiting for your answer')}</strong></span>
        ${
          human === null
            ? nothing
            : link(
                t('Open {id}', { id: visibleText(human.question_id) }),
                () => page.dispatch({ type: 'openQuestion', key: view.key, id: human.question_id }),
                { act: 'open-question' },
              )
        }
      </p>`;
    case 'human_answered':
      return html`<p class="flow quiet">
          ${icon('pass', 'inline')}<span
            >${th('{who} answered {time}', { who: personName(view, human?.by ?? ''), time: timeOf(human?.at) })}</span
          >
        </p>
        <div class="stack">${markdown(page, view.key, `${place}.answer`, human?.answer ?? '')}</div>`;
    case 'ai_answered':
      return html`<div class="answer-model stack">
        <p class="flow">
          <span class="ai">${icon('sparkle', 'inline')}<strong>${t('AI answer')}</strong></span>
          <span class="quiet">${th('by {model}', { model: bdi(model?.model ?? t('a language model')) })}</span>
          ${model?.confidence ? html`<span class="quiet">· ${confidenceWords[model.confidence]}</span>` : nothing}
          <span class="quiet">· ${timeOf(model?.at)}</span>
        </p>
        ${markdown(page, view.key, `${place}.answer`, model?.answer ?? '')}
        ${
          !model?.evidence.length
            ? html`<p class="quiet">${t('No evidence was given.')}</p>`
            : part(
                page,
                `${place}.evidence`,
                t('Evidence'),
                markdown(page, view.key, `${place}.evidence`, listOf(model.evidence)),
              )
        }
        ${overrule(page, view, one)}
      </div>`;
  }
}

/** Null only for an answer whose record is missing. */
function timeOf(at: string | null | undefined): unknown {
  return at ? agoTag(at) : nothing;
}

/** In Markdown. */
function listOf(evidence: readonly string[]): string {
  return evidence.map((line) => `- ${line.replaceAll('\n', '\n  ')}`).join('\n');
}

/** Overrules a model's answer: a human answers instead. */
function overrule(page: Page, view: RfcView, one: OpenQuestion): TemplateResult | typeof nothing {
  if (view.locked || !view.may.comment) return nothing;
  const looks = {
    act: 'overrule',
    label: t('Reject the AI answer to “{question}” and ask me instead', {
      question: visibleText(one.text).slice(0, 120),
    }),
    disabled: page.busy(),
  };
  return html`<p>${link(t('Reject and ask me'), () => page.overrule(one.number), looks)}</p>`;
}

export function section(page: Page, view: RfcView, one: Section): TemplateResult {
  return html`<section class="rfc-section ${hasMargin(page, one) ? 'has-threads' : ''}" data-section=${one.id}>
    <div class="rfc-body">
      <h2 class="rfc-heading flow" tabindex="-1" dir="auto">
        <span>${visible(one.title)}</span> ${one.change === 'none' ? nothing : changeMark(one.change)}
      </h2>
      ${content(page, view, one)} ${questions(page, view, one)}
    </div>
    ${threads(page, view, one)}
  </section>`;
}

function hasMargin(page: Page, { id, threads: all }: Section): boolean {
  return all.some(({ resolved }) => !resolved) || page.draft().open === commentOn(id);
}

function changeMark(change: Exclude<Section['change'], 'none'>): TemplateResult {
  const { icon: name, mark, words } = changeMarks[change];
  return html`<span class="change" title=${words}>${icon(name, 'inline')}${mark}</span>`;
}

function content(page: Page, view: RfcView, one: Section): unknown {
  if (view.compared === undefined || one.text === undefined) return wholeSection(page, view, one);
  if (one.difference) return html`<div class="difference" dir="auto">${difference(one.difference)}</div>`;
  return one.text === '' ? nothing : part(page, `same.${one.id}`, t('Not changed'), wholeSection(page, view, one));
}

function wholeSection(page: Page, view: RfcView, one: Section): TemplateResult | typeof nothing {
  const text = one.text?.trim() ?? '';
  if (text !== '') return html`<div class="rfc-text">${sectionText(page, view.key, one)}</div>`;
  if (one.text === undefined || one.questions.length > 0) return nothing;
  return html`<p class="quiet">
    ${one.change === 'gone' ? t('no longer in this revision') : t('This section is empty.')}
  </p>`;
}
