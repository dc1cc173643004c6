/** The threads of a section, in its margin: comments, replies, and a box for a new reply. */
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { shownAgent } from '../../src/core/kit/persons.ts';
import type { FeedbackType } from '../../src/core/records/rfc.ts';
import type { RfcView, Section, Thread } from '../../src/ui/rfc/model.ts';
import { formOf, refusal, waitingNote } from '../shared/deciding.ts';
import { button, icon, link, visible, visibleText, type IconName } from '../shared/elements.ts';
import { signsAs, textBox } from '../shared/fields.ts';
import { markdown, markdownOf } from '../shared/markdown.ts';
import { part } from '../shared/parts.ts';
import { t, th, tn } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import type { Page } from './page.ts';
import { commentOn, replyTo } from './saved.ts';

/** "You", or the name of somebody who signed. Names come from outside, so they keep their own text direction. */
export function personName({ you }: RfcView, name: string): string | TemplateResult {
  return name === you ? t('You') : html`<bdi>${visible(name)}</bdi>`;
}

export function authorName({ own }: RfcView, { by }: Pick<Thread, 'by'>): string {
  return shownAgent(by, own);
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

/** The form in which a comment quotes a text. */
export function quoteOf(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > longest ? line.slice(0, longest) : line;
}

const longest = 500;

// The box for a new comment on a section or the words that were selected there.

function commentBox(page: Page, view: RfcView, section: Section, place: string): TemplateResult {
  const label = t('Comment on {section}', { section: visibleText(section.title) });
  if (page.draft().open !== place) {
    return html`<p>
      ${link(html`${icon('comment', 'inline')}${t('Comment')}`, () => page.commentAbout(section.id, ''), { kind: 'comment-open', act: 'comment', focus: place, label })}
    </p>`;
  }
  const at = page.at(place);
  const draft = page.box(place);
  const busy = at.flight() !== undefined;
  const send = () => {
    page.sendComment(section.id);
  };
  const content = html`${quotedPassage(draft.quote)}
    ${textBox(at, {
      name: `${place}.text`,
      label: t('Your comment on {section}', { section: visibleText(section.title) }),
      placeholder: t('Your comment on {section}', { section: visibleText(section.title) }),
      value: draft.text,
      max: page.snapshot()?.limits.text ?? 0,
      disabled: busy,
      edit: (text) => page.setBox(place, { text }),
    })}
    <label class="comment-blocks iconed">
      <input
        type="checkbox"
        .checked=${live(draft.blocking)}
        ?disabled=${busy}
        @change=${(event: Event) => {
          page.setBox(place, { blocking: (event.currentTarget as HTMLInputElement).checked });
        }}
      />
      <span>${t('Blocks the approval until you resolve it')}</span>
    </label>
    ${signsAs(view.answersAs)} ${refusal(at)}
    ${boxActions(page, place, { act: 'send-comment', label: t('Comment'), send })}`;
  return html`<div class="thread boxed stack" .about=${draft.quote} data-focus=${place}>
    ${formOf(at, content, { act: send })}
  </div>`;
}

interface BoxSend {
  readonly act: string;
  readonly label: string;
  readonly send: () => void;
}

/** The buttons of a box in the document, or the progress while the host works. */
function boxActions(page: Page, place: string, { act, label, send }: BoxSend): TemplateResult {
  const at = page.at(place);
  if (at.flight()) return waitingNote(at);
  return html`<div class="actions">
    ${button(label, send, { act, primary: true })}
    ${link(t('Back'), () => page.openBox(place, false), { act: 'close-box' })}
  </div>`;
}

/** What a model says its comment is; a human's is text. */
const types: Record<FeedbackType, readonly [IconName, string]> = {
  question: ['question', t('question')],
  concern: ['warning', t('concern')],
  suggestion: ['lightbulb', t('suggestion')],
  approval: ['thumbsup', t('approval')],
};

export function threads(page: Page, view: RfcView, section: Section): TemplateResult | typeof nothing {
  const open = section.threads.filter(({ resolved }) => !resolved);
  const resolved = section.threads.filter((one) => one.resolved);
  const mayComment = view.may.comment && !view.locked && section.change !== 'gone';
  if (open.length === 0 && resolved.length === 0 && !mayComment) return nothing;
  const title = visibleText(section.title);
  return html`<aside class="threads stack" aria-label=${t('Threads about {section}', { section: title })}>
    ${inOrder(page, view, section, open).map((one) => thread(page, view, one))}
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
  if ((section.text ?? '') === '' || !all.some(({ quote }) => quote !== null)) return [...all];
  const text = sectionText(page, view.key, section);
  const found = new Map(all.map((one) => [one, findQuote(text, one.quote ?? '')]));
  const rank = (one: Thread) => (one.quote === null ? 0 : found.get(one) ? 1 : 2);
  return [...all].sort((a, b) => {
    const [first, second] = [found.get(a), found.get(b)];
    return first && second ? first.compareBoundaryPoints(Range.START_TO_START, second) : rank(a) - rank(b);
  });
}

function quotedPassage(quote: string | null): TemplateResult | typeof nothing {
  if (quote === null || quote === '') return nothing;
  return html`<blockquote class="said quiet quote cut" dir="auto">${visible(quote)}</blockquote>`;
}

function thread(page: Page, view: RfcView, one: Thread): TemplateResult {
  const place = replyTo(one.number);
  const at = page.at(place);
  const isHuman = one.signed || one.by_kind === 'human';
  const writing = page.draft().open === place && !one.resolved;
  const mayAct = view.may.comment && !view.locked && !one.resolved;
  return html`<article
    class="thread boxed stack ${one.blocking && !one.resolved ? 'thread-blocking' : ''}"
    data-thread=${one.number}
    data-focus=${place}
    tabindex="-1"
    .about=${one.quote ?? ''}
  >
    <p class="flow">
      ${isHuman ? nothing : html`<span>${icon(types[one.type][0], 'inline')}<strong>${types[one.type][1]}</strong></span>`}
      ${one.blocking ? html`<span class="blocking">${t('blocking')}</span>` : nothing}
      <span class="quiet">${authorLine(view, one)} · ${timeTag(one.at, ago(one.at))}</span>
    </p>
    ${quotedPassage(one.quote)} ${markdown(page, view.key, `thread.${one.number}`, one.text)}
    ${one.outdated ? html`<p class="quiet small">${t('written on revision {n}; this section has changed since', { n: one.revision })}</p>` : nothing}
    ${one.replies.map(
      (reply, index) =>
        html`<div class="indented">
          <p class="quiet small">${authorLine(view, reply)} · ${timeTag(reply.at, ago(reply.at))}</p>
          ${markdown(page, view.key, `thread.${one.number}.${index}`, reply.text)}
        </div>`,
    )}
    ${
      one.resolved
        ? html`<p class="quiet small">
            ${th('{who} resolved this {time}', {
              who: personName(view, one.resolved.by),
              time: timeTag(one.resolved.at, ago(one.resolved.at)),
            })}
          </p>`
        : nothing
    }
    ${refusal(at)} ${mayAct ? (writing ? replyBox(page, one, place) : threadActs(page, view, one)) : nothing}
  </article>`;
}

/** The author; a model is marked. Without a signature, a program wrote the name of a human. */
function authorLine(view: RfcView, one: Pick<Thread, 'by' | 'by_kind' | 'signed'>): TemplateResult {
  if (one.signed) return html`${personName(view, one.by)}`;
  const name = html`<bdi>${visible(authorName(view, one))}</bdi>`;
  if (one.by_kind === 'reviewer') return html`${icon('sparkle', 'inline')}${t('AI')} ${name}`;
  return one.by_kind === 'human' ? html`${name} (${t('not signed')})` : name;
}

function threadActs(page: Page, view: RfcView, one: Thread): TemplateResult {
  const place = replyTo(one.number);
  const at = page.at(place);
  if (at.flight()) return waitingNote(at);
  return html`<p class="flow">
    ${link(t('Reply'), () => page.openBox(place, true), { act: 'reply' })}
    ${link(t('Resolve'), () => page.resolve(one.number), { act: 'resolve', label: t('Resolve the comment of {who}', { who: visibleText(authorName(view, one)) }), disabled: page.busy() })}
  </p>`;
}

function replyBox(page: Page, one: Thread, place: string): TemplateResult {
  const at = page.at(place);
  const send = () => {
    page.sendReply(one.number);
  };
  const content = html`${textBox(at, {
    name: `${place}.text`,
    label: t('Your reply'),
    placeholder: t('Your reply'),
    value: page.box(place).text,
    max: page.snapshot()?.limits.text ?? 0,
    disabled: at.flight() !== undefined,
    edit: (text) => page.setBox(place, { text }),
  })}
  ${boxActions(page, place, { act: 'send-reply', label: t('Send reply'), send })}`;
  return formOf(at, content, { act: send });
}
