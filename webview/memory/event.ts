/** One event: a row that expands to its details, and the forms that close it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { BriefingView, EventView } from '../../src/ui/briefing/model.ts';
import { backButton, formOf, refusal, waitingNote } from '../shared/deciding.ts';
import { button, icon, importedMark, link, notice, visible, visibleText } from '../shared/elements.ts';
import { field, signsAs, textBox } from '../shared/fields.ts';
import { markdown } from '../shared/markdown.ts';
import { fileChips } from '../shared/parts.ts';
import { t, th } from '../shared/strings.ts';
import { ago, timeTag } from '../shared/time.ts';
import { eventIcons, eventsOf, priorityWords, typeWords, type Page } from './page.ts';

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
          ${facts(event, grouped)}
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

function facts(
  { id, type, priority, author, human, at, imported, closed, proposal }: EventView,
  grouped: boolean,
): TemplateResult {
  const who = visible(author);
  return html`<span class="facts small quiet">
    ${priority === 'normal' ? nothing : html`<span class="event-priority">${priorityWords[priority]}</span>`}
    ${grouped ? nothing : html`<span>${typeWords[type]}</span>`}
    ${proposal ? html`<span>${proposalWords(proposal)}</span>` : nothing}
    ${
      closed
        ? html`<span>${closedWords(closed)}</span>`
        : html`<span><span class="ellipsis">${human ? th('{name} (human)', { name: who }) : who}</span></span
            ><span>${timeTag(at, ago(at))}</span>`
    }
    ${imported ? importedMark(imported) : nothing}
    <span>${visible(id)}</span>
  </span>`;
}

function closedWords({ at, by, successor }: NonNullable<EventView['closed']>): TemplateResult {
  const values = { name: html`<bdi>${visible(by)}</bdi>`, time: timeTag(at, ago(at)) };
  return successor === undefined
    ? th('Closed by {name} {time}', values)
    : th('Replaced by {successor}, {name} {time}', { ...values, successor: visible(successor) });
}

function proposalWords({ agent, by }: NonNullable<EventView['proposal']>): TemplateResult {
  const name = html`<bdi>${visible(agent)}</bdi>`;
  return by === undefined
    ? th('{agent} proposes to close it', { agent: name })
    : th('{agent} proposes to replace it by {successor}', { agent: name, successor: visible(by) });
}

function content(page: Page, view: BriefingView, event: EventView): TemplateResult {
  const { key, id, text, scopes, closed, lineage, proposal } = event;
  return html`<div class="event-content stack">
    ${text === event.title ? nothing : markdown(page, key, 'text', text)}
    ${closed?.reason === undefined ? nothing : html`<blockquote class="said">${visible(closed.reason)}</blockquote>`}
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
  { agent, by, reason }: NonNullable<EventView['proposal']>,
): TemplateResult {
  const form = page.at(event.key);
  const name = html`<strong><bdi>${visible(agent)}</bdi></strong>`;
  const words =
    by === undefined
      ? th('{agent} proposes to close it', { agent: name })
      : th('{agent} proposes to replace it by {successor}', { agent: name, successor: visible(by) });
  return html`<section class="boxed stack">
    <p>${words}${reason === undefined ? '' : ':'}</p>
    ${reason === undefined ? nothing : html`<blockquote class="said">${visible(reason)}</blockquote>`}
    ${
      view.locked !== undefined
        ? nothing
        : form.flight()
          ? waitingNote(form)
          : html`${signsAs(view.answersAs)} ${refusal(form)}
              <div class="actions">
                ${button(t('Accept'), () => page.accept(event), { act: 'accept' })}
                ${button(t('Reject'), () => page.decline(event), { act: 'decline' })}
              </div>`
    }
  </section>`;
}

/** Two links; each is replaced by its form when it is clicked. */
function acts(page: Page, view: BriefingView, event: EventView): TemplateResult | typeof nothing {
  if (view.locked !== undefined) return nothing;
  const draft = page.closing(event);
  if (draft) return closingForm(page, view, event, draft);
  const opener = (way: 'resolve' | 'supersede', words: string) =>
    link(words, () => page.openClosing(event, way), { act: way });
  return html`<p class="other-ways">${opener('resolve', t('Close…'))} ${opener('supersede', t('Replace…'))}</p>`;
}

function closingForm(page: Page, view: BriefingView, event: EventView, draft: Draft): TemplateResult {
  const form = page.at(event.key);
  const disabled = form.flight() !== undefined;
  const send = () => {
    page.sendClosing(event);
  };
  const resolving = draft.way === 'resolve';
  const box = (name: 'reason' | 'text', label: string) =>
    textBox(form, {
      ...{ name: `${event.key}.${name}`, label, value: draft[name], max: page.snapshot()?.limits.text ?? 0, disabled },
      edit: (text) => page.editClosing(event, { [name]: text }),
    });
  const by = `${event.key}.by`;
  const others = successors(view, event, draft);
  const options = others.map(({ id, title }) => ({
    value: id,
    label: visibleText(title === '' ? id : `${id} · ${title}`),
  }));
  const content = html`${draft.shown === event.shown ? nothing : notice('warning', 'warning', t('This has changed since you started. Read it again first.'), 'alert')}
  ${
    resolving
      ? box('reason', t('Reason'))
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
  ${resolving || draft.by !== '' ? nothing : box('text', t('New note'))}
  ${event.proposal ? nothing : signsAs(view.answersAs)} ${event.proposal ? nothing : refusal(form)}
  ${
    disabled
      ? waitingNote(form)
      : html`<div class="actions">
          ${button(resolving ? t('Resolve') : t('Replace'), send, { primary: true, act: 'decide' })} ${backButton(form)}
        </div>`
  }`;
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
