/** One event: a row that expands to its details, and the forms that close it. */
import { html, nothing, type TemplateResult } from 'lit';
import { shownAgent } from '../../src/core/kit/persons.ts';
import type { BriefingView, EventView } from '../../src/ui/briefing/model.ts';
import { backButton, formOf, waitingNote, formEnd } from '../shared/deciding.ts';
import { button, icon, importedMark, link, notice, visible, visibleText, bdi } from '../shared/elements.ts';
import { field, textBox } from '../shared/fields.ts';
import { markdown } from '../shared/markdown.ts';
import { fileChips } from '../shared/parts.ts';
import { t, th } from '../shared/strings.ts';
import { eventIcons, eventsOf, priorityWords, typeWords, type Page } from './page.ts';
import { agoTag } from '../shared/time.ts';

const statusWords = {
  active: t('active'),
  resolved: t('closed'),
  superseded: t('replaced'),
};

type Draft = NonNullable<ReturnType<Page['closing']>>;

/** @param grouped the heading above names the type */
export function eventRow(page: Page, view: BriefingView, event: EventView, grouped = false): TemplateResult {
  const open = page.isUnfolded(event.id);
  const toggled = (toggle: Event): void => {
    const details = toggle.currentTarget as HTMLDetailsElement;
    if (details.open !== page.isUnfolded(event.id)) page.unfold(event.id, details.open);
  };
  return html`<li class="event event-${event.priority} ${event.status === 'active' ? '' : 'event-closed'}">
    <details ?open=${open} @toggle=${toggled}>
      <summary class="row-button iconed" data-focus=${event.id}>
        ${sign(event)}
        <span class="event-head">
          <span class="event-title" dir="auto">${visible(event.title)}</span>
          ${facts(view, event, grouped)}
        </span>
      </summary>
      ${open ? content(page, view, event) : nothing}
    </details>
  </li>`;
}

/** Never by colour alone: there is an icon and a word as well. */
function sign({ type, priority, status }: EventView): TemplateResult {
  const critical = type === 'warning' && priority === 'critical' && status === 'active';
  return icon(critical ? 'error' : eventIcons[type], critical ? 'error' : priority === 'high' ? 'warning' : 'quiet');
}

function facts({ own }: BriefingView, event: EventView, grouped: boolean): TemplateResult {
  const { id, type, priority, author_kind, posted_at: at, source, proposal } = event;
  const who = visible(shownAgent(event.author, own));
  return html`<span class="facts small quiet">
    ${priority === 'normal' ? nothing : html`<span class="event-priority">${priorityWords[priority]}</span>`}
    ${grouped ? nothing : html`<span>${typeWords[type]}</span>`}
    ${proposal ? html`<span>${proposalWords(proposal, nameOf(own, proposal.agent))}</span>` : nothing}
    ${
      event.closed_at !== null
        ? html`<span>${closedWords(own, event, event.closed_at)}</span>`
        : html`<span
              ><span class="cut ellipsis"
                >${author_kind === 'human' ? th('{name} (human)', { name: who }) : who}</span
              ></span
            ><span>${agoTag(at)}</span>`
    }
    ${source ? importedMark(source) : nothing}
    <span>${visible(id)}</span>
  </span>`;
}

/** Names come from outside, so they keep their own text direction. */
function nameOf(own: string | null, name: string): TemplateResult {
  return bdi(shownAgent(name, own));
}

function closedWords(own: string | null, event: EventView, at: string): TemplateResult {
  const { author, closed_by: by, superseded_by_event_id: successor } = event;
  const values = { name: nameOf(own, by ?? author), time: agoTag(at) };
  return successor === null
    ? th('Closed by {name} {time}', values)
    : th('Replaced by {successor}, {name} {time}', { ...values, successor: visible(successor) });
}

function proposalWords({ by }: NonNullable<EventView['proposal']>, agent: TemplateResult): TemplateResult {
  return by === null
    ? th('{agent} proposes to close it', { agent })
    : th('{agent} proposes to replace it by {successor}', { agent, successor: visible(by) });
}

function content(page: Page, view: BriefingView, event: EventView): TemplateResult {
  const { key, id, text, scopes, resolved_reason: reason, lineage, proposal } = event;
  return html`<div class="event-content stack">
    ${text === event.title ? nothing : markdown(page, key, 'text', text)}
    ${reason === null ? nothing : html`<blockquote class="said">${visible(reason)}</blockquote>`}
    ${scopes.length === 0 ? nothing : fileChips(page, key, `${id}.scopes`, scopes)}
    ${lineage.length === 0 ? nothing : chain(event)} ${proposal ? proposalView(page, view, event, proposal) : nothing}
    ${event.status === 'active' ? acts(page, view, event) : nothing}
  </div>`;
}

function chain({ id, lineage }: EventView): TemplateResult {
  return html`<div>
    <p class="quiet small">${t('History')}</p>
    ${lineage.map(
      (branch) =>
        html`<ol class="chain stack">
          ${branch.map(
            (link) =>
              html`<li aria-current=${link.id === id ? 'true' : nothing}>
                <span class="quiet">${visible(link.id)}</span>
                <span dir="auto">${visible(link.text)}</span>
                <span class="quiet small">${statusWords[link.status]}</span>
              </li>`,
          )}
        </ol>`,
    )}
  </div>`;
}

function proposalView(
  page: Page,
  view: BriefingView,
  event: EventView,
  proposal: NonNullable<EventView['proposal']>,
): TemplateResult {
  const form = page.at(event.key);
  const { agent, reason } = proposal;
  const buttons = html`<div class="actions">
    ${button(t('Accept'), () => page.settle(event, 'accept'), { act: 'accept' })}
    ${button(t('Reject'), () => page.settle(event, 'decline'), { act: 'decline' })}
  </div>`;
  const words = proposalWords(proposal, html`<strong>${nameOf(view.own, agent)}</strong>`);
  return html`<section class="boxed stack">
    <p>${words}${reason === null ? '' : ':'}</p>
    ${reason === null ? nothing : html`<blockquote class="said">${visible(reason)}</blockquote>`}
    ${view.locked === undefined ? formEnd(form, view.answersAs, buttons) : nothing}
  </section>`;
}

/** Two links; each is replaced by its form when it is clicked. */
function acts(page: Page, view: BriefingView, event: EventView): TemplateResult | typeof nothing {
  if (view.locked !== undefined) return nothing;
  const draft = page.closing(event);
  if (draft) return closingForm(page, view, event, draft);
  const opener = (way: 'resolve' | 'supersede', words: string) =>
    link(words, () => page.openClosing(event, way), { act: way });
  return html`<p class="flow small">${opener('resolve', t('Close…'))} ${opener('supersede', t('Replace…'))}</p>`;
}

function closingForm(page: Page, view: BriefingView, event: EventView, draft: Draft): TemplateResult {
  const form = page.at(event.key);
  const disabled = form.flight() !== undefined;
  const send = () => {
    page.sendClosing(event);
  };
  const resolving = draft.way === 'resolve';
  const box = (label: string) =>
    textBox(form, {
      ...{ name: `${event.key}.text`, label, value: draft.text, max: page.snapshot()?.limits.text ?? 0, disabled },
      edit: (text) => page.editClosing(event, { text }),
    });
  const by = `${event.key}.by`;
  const others = successors(view, event, draft);
  const options = others.map(({ id, title }) => ({
    value: id,
    label: visibleText(title === '' ? id : `${id} · ${title}`),
  }));
  const buttons = html`<div class="actions">
    ${button(resolving ? t('Resolve') : t('Replace'), send, { primary: true, act: 'decide' })} ${backButton(form)}
  </div>`;
  const content = html`${draft.shown === event.shown ? nothing : notice('warning', 'warning', t('This has changed since you started. Read it again first.'), { role: 'alert' })}
  ${
    resolving
      ? box(t('Reason'))
      : field(
          form,
          {
            ...{ type: 'select', name: by, label: t('Replaced by') },
            options: [{ value: '', label: t('A new note, written below') }, ...options],
          },
          {
            ...{ values: { [by]: draft.by }, disabled },
            edit: ({ [by]: id = '' }) =>
              page.editClosing(event, { by: id, byTitle: others.find((one) => one.id === id)?.title ?? '' }),
          },
        )
  }
  ${resolving || draft.by !== '' ? nothing : box(t('New note'))}
  ${event.proposal ? (disabled ? waitingNote(form) : buttons) : formEnd(form, view.answersAs, buttons)}`;
  return formOf(form, content, { act: send, focus: event.key });
}

/** The events that can be chosen. The chosen one stays among them: the view may show another file since. */
function successors(
  view: BriefingView,
  { id: own }: EventView,
  { by, byTitle }: Draft,
): Pick<EventView, 'id' | 'title'>[] {
  const others = eventsOf(view).filter(({ id, status }) => id !== own && status === 'active');
  const isMissing = by !== '' && !others.some(({ id }) => id === by);
  return isMissing ? [{ id: by, title: byTitle }, ...others] : others;
}
