/** The threads of a section, in its margin: comments, replies, and a box for a new reply. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { FeedbackType } from '../../src/core/records/rfcWords.ts';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import type { Author, Section, Thread } from '../../src/ui/rfc/sections.ts';
import { onFormKey, refusal, waiting } from '../shared/deciding.ts';
import { button, byHuman, icon, link, visible, visibleText, type IconName } from '../shared/elements.ts';
import { signsAs, textBox } from '../shared/fields.ts';
import { markdown, markdownOf } from '../shared/markdown.ts';
import { part } from '../shared/parts.ts';
import { t, th, tn } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import type { Page } from './page.ts';
import { commentOn, replyTo, type PendingComment } from './saved.ts';

/** "You", or the name. Names come from outside, so they keep their own text direction. */
export function personName({ name, you }: { readonly name: string; readonly you: boolean }): string | TemplateResult {
  return you ? t('You') : html`<bdi>${visible(name)}</bdi>`;
}

// The text of a section, as one element that is kept between renders.

export function sectionText(page: Page, key: string, { id, text = '' }: Section): HTMLElement {
  return markdownOf(page, { key, place: `section.${id}`, text: text.trim(), kind: 'document' });
}

// Finds quoted words in the text, ignoring white space and Markdown syntax.

const ignored = /[\s*_`~#>]/g;

interface Place {
  readonly node: Text;
  readonly offset: number;
}

/** The range of a quotation in a text; undefined if the text no longer contains it. */
export function findQuote(root: Node, quote: string): Range | undefined {
  const wanted = quote.replace(ignored, '');
  if (wanted === '') return undefined;
  const places: Place[] = [];
  let text = '';
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { data } = node as Text;
    for (let offset = 0; offset < data.length; offset++) {
      if (data.charAt(offset).replace(ignored, '') === '') continue;
      text += data.charAt(offset);
      places.push({ node: node as Text, offset });
    }
  }
  const at = text.indexOf(wanted);
  const [start, end] = [places[at], places[at + wanted.length - 1]];
  if (at < 0 || !start || !end) return undefined;
  const range = document.createRange();
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset + 1);
  return range;
}

/** The parts that can have their own comments, as quotations: paragraphs, lists, tables and code, in order. */
function blockQuotes(text: Element): string[] {
  return [...text.children].map(quoteOfBlock).filter((quote) => quote !== '');
}

/** The text of a block; for a diagram, its code. */
export function quoteOfBlock(block: Element): string {
  return quoteOf((block.matches('.diagram') ? block.querySelector('pre') : block)?.textContent ?? '');
}

/** The form in which a comment quotes a text. */
export function quoteOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > longest ? line.slice(0, longest) : line;
}

const longest = 500;

// The box for a new comment on a section: its type, whether it blocks, and its text.

export const typeWords = {
  question: t('question'),
  concern: t('concern'),
  suggestion: t('suggestion'),
  approval: t('approval'),
};

const types = ['concern', 'question', 'suggestion', 'approval'] as const satisfies FeedbackType[];

function commentBox(page: Page, view: RfcView, section: Section, place: string): TemplateResult {
  const title = visibleText(section.title);
  if (page.draft().open !== place) {
    return html`<p>
      ${link(html`${icon('comment')}${t('Comment')}`, () => page.openBox(place, true), { kind: 'comment-open', act: 'comment', focus: place, label: t('Comment on {section}', { section: title }) })}
    </p>`;
  }
  const at = page.at(place);
  const draft = page.comment(section.id);
  const busy = at.flight() !== undefined;
  const send = () => {
    page.sendComment(section.id);
  };
  return html`<form
    class="form thread"
    .about=${draft.quote}
    data-focus=${place}
    aria-busy=${busy ? 'true' : 'false'}
    @submit=${(event: Event) => {
      event.preventDefault();
    }}
    @keydown=${onFormKey(at, send)}
  >
    ${about(page, view, section, busy)}
    <p class="comment-type">
      <label for="${place}.type">${t('Kind')}</label>
      <select
        id="${place}.type"
        ?disabled=${busy}
        @change=${(event: Event) => {
          const { value } = event.currentTarget as HTMLSelectElement;
          page.setComment(section.id, { type: types.find((one) => one === value) ?? draft.type });
        }}
      >
        ${types.map((one) => html`<option value=${one} .selected=${one === draft.type}>${typeWords[one]}</option>`)}
      </select>
    </p>
    ${textBox(at, {
      name: `${place}.text`,
      label: t('Your comment on {section}', { section: title }),
      placeholder: t('Your comment on {section}', { section: title }),
      value: draft.text,
      max: page.snapshot()?.limits.text ?? 0,
      disabled: busy,
      edit: (text) => page.setComment(section.id, { text }),
    })}
    <label class="comment-blocks">
      <input
        type="checkbox"
        .checked=${live(draft.blocking)}
        ?disabled=${busy}
        @change=${(event: Event) => {
          page.setComment(section.id, { blocking: (event.currentTarget as HTMLInputElement).checked });
        }}
      />
      <span>${t('Blocks the approval until you resolve it')}</span>
    </label>
    ${signsAs(view.answersAs)} ${refusal(at)}
    ${boxActions(page, place, { act: 'send-comment', label: t('Add comment'), send }, reviewButton(page, section))}
  </form>`;
}

/** As on a pull request: pending comments are sent with the decision. */
function reviewButton(page: Page, { id }: Section): TemplateResult {
  const begun = page.draft().pending.length > 0;
  return button(begun ? t('Add to review') : t('Start review'), () => page.addToReview(id), {
    act: 'add-to-review',
    primary: true,
  });
}

/** The subject of the comment: the whole section, a paragraph, or the selected words. */
function about(page: Page, view: RfcView, section: Section, disabled: boolean): TemplateResult | typeof nothing {
  if ((section.text ?? '').trim() === '') return nothing;
  const { quote } = page.comment(section.id);
  const blocks = blockQuotes(sectionText(page, view.key, section)).slice(0, blocksAtMost);
  const all = ['', ...new Set(quote === '' || blocks.includes(quote) ? blocks : [quote, ...blocks])];
  return html`<p class="comment-type">
    <label for="about-${section.id}">${t('About')}</label>
    <select
      id="about-${section.id}"
      class="comment-about"
      ?disabled=${disabled}
      @change=${byHuman((event) => {
        page.setComment(section.id, { quote: (event.currentTarget as HTMLSelectElement).value });
      })}
    >
      ${all.map(
        (one) =>
          html`<option value=${one} .selected=${one === quote}>
            ${one === '' ? t('the whole section') : visibleText(one.length > 60 ? `${one.slice(0, 59)}…` : one)}
          </option>`,
      )}
    </select>
  </p>`;
}

const blocksAtMost = 100;

interface BoxSend {
  readonly act: string;
  readonly label: string;
  readonly send: () => void;
}

/** The buttons of a box in the document, or the progress while the host works. */
function boxActions(
  page: Page,
  place: string,
  { act, label, send }: BoxSend,
  first: unknown = nothing,
): TemplateResult {
  const at = page.at(place);
  if (at.flight()) return waiting(at);
  return html`<div class="actions">
    ${first} ${button(label, send, { act: act })}
    ${link(t('Back'), () => page.openBox(place, false), { act: 'close-box' })}
  </div>`;
}

export const typeIcon: Record<FeedbackType, IconName> = {
  question: 'question',
  concern: 'warning',
  suggestion: 'lightbulb',
  approval: 'thumbsup',
};

export function threads(page: Page, view: RfcView, section: Section): TemplateResult | typeof nothing {
  const open = section.threads.filter(({ resolved }) => !resolved);
  const resolved = section.threads.filter((one) => one.resolved);
  const mayComment = view.may.comment && !view.locked && section.change !== 'gone';
  const pending = page.draft().pending.flatMap((one, index) => (one.section === section.id ? [{ one, index }] : []));
  if (open.length === 0 && resolved.length === 0 && !mayComment) return nothing;
  const title = visibleText(section.title);
  return html`<aside class="threads" aria-label=${t('Threads about {section}', { section: title })}>
    ${inOrder(page, view, section, open).map((one) => thread(page, view, one))}
    ${pending.map(({ one, index }) => pendingComment(page, one, index))}
    ${
      resolved.length === 0
        ? nothing
        : part(
            page,
            `resolved.${section.id}`,
            tn(resolved.length, '{n} resolved thread', '{n} resolved threads'),
            resolved.map((one) => thread(page, view, one)),
          )
    }
    ${mayComment ? commentBox(page, view, section, commentOn(section.id)) : nothing}
  </aside>`;
}

/** In the order of the quoted words: threads on the whole section first, those on removed words last. */
function inOrder(page: Page, view: RfcView, section: Section, all: readonly Thread[]): Thread[] {
  if ((section.text ?? '') === '' || !all.some(({ quote }) => quote !== undefined)) return [...all];
  const text = sectionText(page, view.key, section);
  const found = new Map(all.map((one) => [one, findQuote(text, one.quote ?? '')]));
  const rank = (one: Thread) => (one.quote === undefined ? 0 : found.get(one) ? 1 : 2);
  return [...all].sort((a, b) => {
    const [first, second] = [found.get(a), found.get(b)];
    return first && second ? first.compareBoundaryPoints(Range.START_TO_START, second) : rank(a) - rank(b);
  });
}

/** A comment that is not sent yet. */
function pendingComment(page: Page, { type, blocking, text, quote }: PendingComment, index: number): TemplateResult {
  const remove = link(t('Remove'), () => page.removePending(index), {
    act: 'remove-pending',
    disabled: page.busy(),
  });
  return html`<article class="thread thread-pending" .about=${quote}>
    <p class="thread-head">
      <span class="thread-type">${icon(typeIcon[type])}<strong>${typeWords[type]}</strong></span>
      ${blocking ? html`<span class="blocking">${t('blocking')}</span>` : nothing}
      <span class="quiet">${t('not sent yet')}</span>
    </p>
    ${quoted(quote)}
    <p class="pending-text" dir="auto">${visible(text)}</p>
    <p class="thread-acts">${remove}</p>
  </article>`;
}

function quoted(quote: string | undefined): TemplateResult | typeof nothing {
  if (quote === undefined || quote === '') return nothing;
  return html`<blockquote class="said quiet quote" dir="auto">${visible(quote)}</blockquote>`;
}

function thread(page: Page, view: RfcView, one: Thread): TemplateResult {
  const place = replyTo(one.key);
  const at = page.at(place);
  const writing = page.draft().open === place && !one.resolved;
  const mayAct = view.may.comment && !view.locked && !one.resolved;
  return html`<article
    class="thread ${one.blocking && !one.resolved ? 'thread-blocking' : ''}"
    data-thread=${one.key}
    data-focus=${place}
    tabindex="-1"
    .about=${one.quote}
  >
    <p class="thread-head">
      <span class="thread-type">${icon(typeIcon[one.type])}<strong>${typeWords[one.type]}</strong></span>
      ${one.blocking ? html`<span class="blocking">${t('blocking')}</span>` : nothing}
      <span class="quiet">${said(one.by)} · ${timeTag(one.at, ago(one.at))}</span>
    </p>
    ${quoted(one.quote)} ${markdown(page, view.key, `thread.${one.key}`, one.text)}
    ${one.outdated ? html`<p class="quiet small">${t('written on revision {n}; this section has changed since', { n: one.revision })}</p>` : nothing}
    ${one.replies.map(
      (reply, index) =>
        html`<div class="reply">
          <p class="quiet small">${said(reply.by)} · ${timeTag(reply.at, ago(reply.at))}</p>
          ${markdown(page, view.key, `thread.${one.key}.${index}`, reply.text)}
        </div>`,
    )}
    ${
      one.resolved
        ? html`<p class="quiet small">
            ${th('{who} resolved this {time}', {
              who: personName(one.resolved.by),
              time: timeTag(one.resolved.at, ago(one.resolved.at)),
            })}
          </p>`
        : nothing
    }
    ${refusal(at)} ${mayAct ? (writing ? replyBox(page, one, place) : threadActs(page, one, place)) : nothing}
  </article>`;
}

/** The author; a model is marked. */
function said(by: Author): TemplateResult {
  const name = by.unsigned === true ? html`${personName(by)} (${t('not signed')})` : personName(by);
  return by.kind === 'reviewer' ? html`<span class="ai">${icon('sparkle')}${t('AI')}</span> ${name}` : html`${name}`;
}

function threadActs(page: Page, one: Thread, place: string): TemplateResult {
  const at = page.at(place);
  if (at.flight()) return waiting(at);
  return html`<p class="thread-acts">
    ${link(t('Reply'), () => page.openBox(place, true), { act: 'reply' })}
    ${link(t('Resolve'), () => page.resolve(one.key), { act: 'resolve', label: t('Resolve the {type} of {who}', { type: typeWords[one.type], who: visibleText(one.by.name) }), disabled: page.busy() })}
  </p>`;
}

function replyBox(page: Page, one: Thread, place: string): TemplateResult {
  const at = page.at(place);
  const send = () => {
    page.sendReply(one.key);
  };
  const busy = at.flight() !== undefined;
  return html`<form
    class="form"
    aria-busy=${busy ? 'true' : 'false'}
    @submit=${(event: Event) => {
      event.preventDefault();
    }}
    @keydown=${onFormKey(at, send)}
  >
    ${textBox(at, {
      name: `${place}.text`,
      label: t('Your reply'),
      placeholder: t('Your reply'),
      value: page.draft().replies[one.key] ?? '',
      max: page.snapshot()?.limits.text ?? 0,
      disabled: busy,
      edit: (text) => page.setReply(one.key, text),
    })}
    ${boxActions(page, place, { act: 'send-reply', label: t('Send reply'), send })}
  </form>`;
}
