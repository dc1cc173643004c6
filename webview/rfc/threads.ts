/** The threads of a section, in its margin: comments, replies, and a box for a new reply. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { link } from '../shared/buttons.ts';
import type { Author, Section, Thread } from '../../src/ui/rfc/sections.ts';
import type { FeedbackType } from '../../src/core/records/rfcWords.ts';
import type { RfcView } from '../../src/ui/rfc/model.ts';
import { onFormKey, refusal, waiting } from '../shared/deciding.ts';
import { textBox } from '../shared/fields.ts';
import { part } from '../shared/folding.ts';
import { icon } from '../shared/icons.ts';
import type { IconName } from '../shared/icons.ts';
import { markdown } from '../shared/markdownSlot.ts';
import { t, th, tn } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { boxActions, commentBox, typeWords } from './commentBox.ts';
import { personName } from './people.ts';
import type { Page } from './page.ts';
import { commentOn, replyTo } from './places.ts';
import { findQuote } from './quotes.ts';
import type { PendingComment } from './saved.ts';
import { sectionText } from './sectionText.ts';

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

export function quoted(quote: string | undefined): TemplateResult | typeof nothing {
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
            ${th('{who} resolved it {time}', {
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
