/** The view "Briefing": connects the host, the state and the drawing. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { shownAgent } from '../../src/core/kit/persons.ts';
import type { BriefingMessage } from '../../src/ui/briefing/messages.ts';
import type {
  BriefingSnapshot,
  BriefingView,
  ConflictView,
  EventView,
  GroupOf,
  WaitingView,
} from '../../src/ui/briefing/model.ts';
import { addKeyLink, answerKeys, formOf, lockedNote, formEnd } from '../shared/deciding.ts';
import { button, byHuman, icon, link, notice, visible, visibleText, bdi, picker } from '../shared/elements.ts';
import { field, textBox, type FieldDef } from '../shared/fields.ts';
import { parseSaved, type Saved } from '../shared/signing.ts';
import { t, th, tn } from '../shared/strings.ts';
import { startSurface, unavailable } from '../shared/surface.ts';
import { eventRow } from './event.ts';
import {
  createPage,
  postIn,
  postPlace,
  priorities,
  priorityWords,
  types,
  typeWords,
  type EventType,
  type Page,
  type PostDraft,
} from './page.ts';
import { sinceTag } from '../shared/time.ts';
import '../shared/form.css';
import './memory.css';

// The form for a new event, above the existing ones.

const inPost = (name: keyof PostDraft) => `${postPlace}.${name}`;

const kinds = [
  { name: 'type', label: t('Type'), options: types.map((value) => ({ value, label: typeWords[value] })) },
  {
    name: 'priority',
    label: t('Priority'),
    options: priorities.map((value) => ({ value, label: priorityWords[value] })),
  },
] as const;

function postForm(page: Page, view: BriefingView, draft: PostDraft): TemplateResult {
  const form = page.at(view.key);
  const disabled = form.flight() !== undefined;
  const drawn = (name: keyof PostDraft, def: Omit<FieldDef, 'name'>) =>
    field(
      form,
      { ...def, name: inPost(name) },
      {
        ...{ values: { [inPost(name)]: draft[name] }, disabled },
        edit: (change) => page.editPost({ [name]: change[inPost(name)] ?? '' }),
      },
    );
  const content = html`<h2>${t('Post a note')}</h2>
    <div class="post-kinds flow">${kinds.map(({ name, ...def }) => drawn(name, { type: 'select', ...def }))}</div>
    <div class="field">
      ${textBox(form, {
        ...{ name: inPost('text'), label: t('What should others know?'), value: draft.text, disabled },
        max: page.snapshot()?.limits.text ?? 0,
        edit: (text) => page.editPost({ text }),
      })}
    </div>
    ${drawn('scopes', {
      ...{ type: 'lines', label: t('About') },
      hint: t('Files or folders, one per line. Empty: the whole project.'),
    })}
    ${formEnd(
      form,
      view.answersAs,
      html`<div class="actions">
        ${button(t('Record'), page.sendPost, { wide: true, primary: true, title: `${t('Record')} (${answerKeys})`, act: 'post' })}
        ${button(t('Close'), () => form.back(), { act: 'back' })}
      </div>`,
    )}`;
  return formOf(form, content, { act: page.sendPost, kind: 'post', focus: postIn(view.key) });
}

// The briefing: its focus, the form for a new note, and the sections in reading order.

const groupWords = {
  warning: t('Warnings'),
  decision: t('Decisions'),
  mutation: t('Recent changes'),
  discovery: t('Discoveries'),
  outcome: t('Outcomes'),
};

function briefing(page: Page, view: BriefingView): TemplateResult {
  const draft = page.post();
  const { proposals, critical, waiting, conflicts, relevant, other, resolved, focus, aged } = view;
  const filter = page.filter();
  const shown = ({ items, more }: GroupOf<EventView>) => ({
    items: items.filter(({ type }) => filter === '' || type === filter),
    more: filter === '' ? more : 0,
  });
  const row = (event: EventView) => eventRow(page, view, event);
  const grouped = (event: EventView) => eventRow(page, view, event, true);
  const groups = types
    .map((type) => ({ type, group: shown(relevant[type]) }))
    .filter(({ group }) => countOf(group) > 0);
  const total = [critical, waiting, ...Object.values(relevant), other, resolved].reduce(
    (sum, one) => sum + countOf(one),
    proposals.length + aged,
  );
  const none = filter === '' ? t('None') : t('None of this type');
  return html`
    ${topBar(page, view)} ${notices(page, view)}
    ${draft && view.locked === undefined ? postForm(page, view, draft) : nothing}
    ${total === 0 && !draft ? html`<p class="quiet empty">${t('Notes for people and agents appear here.')}</p>` : nothing}
    ${
      proposals.length === 0
        ? nothing
        : section(page, {
            ...{ name: 'proposals', heading: t('Proposed by agents'), count: proposals.length },
            content: list({ items: proposals, more: 0 }, row),
          })
    }
    ${focus === undefined ? nothing : section(page, { ...relevantTo(focus, groups, grouped), none })}
    ${
      countOf(waiting) === 0
        ? nothing
        : section(page, {
            ...{ name: 'waiting', heading: t('Holds this file'), count: countOf(waiting) },
            content: list(waiting, (item) => waitingRow(page, view, item)),
          })
    }
    ${section(page, {
      ...{ name: 'critical', heading: t('Critical warnings'), count: countOf(shown(critical)) },
      ...{ content: list(shown(critical), grouped), none },
    })}
    ${
      countOf(conflicts) === 0 || (filter !== '' && filter !== 'decision')
        ? nothing
        : section(page, {
            ...{ name: 'conflicts', heading: t('Decisions on the same scope'), count: countOf(conflicts) },
            content: html`${list(conflicts, conflictRow)}
              <p class="quiet small none">
                ${t('If one no longer applies, replace it. If both apply, post a note that explains how they fit together.')}
              </p>`,
          })
    }
    ${section(page, {
      ...{ name: 'other', heading: t('Other active items'), count: countOf(shown(other)), none },
      content: list(shown(other), row),
    })}
    ${aged === 0 ? nothing : html`<p class="quiet small none">${tn(aged, '{n} older note is hidden; a search finds it.', '{n} older notes are hidden; a search finds them.')}</p>`}
    ${section(page, {
      ...{ name: 'resolved', heading: t('Recently closed'), count: countOf(shown(resolved)), none },
      content: list(shown(resolved), row),
    })}
  `;
}

/** Both as plain text: each has its own row in its section. */
function conflictRow({ scope, decisions }: ConflictView): TemplateResult {
  return html`<li class="event conflict stack">
    <span class="small quiet">${bdi(scope)}</span>
    ${decisions.map(
      ({ id, title }) =>
        html`<span class="conflict-side indented"
          ><span class="quiet">${visible(id)}</span> <span dir="auto">${visible(title)}</span></span
        >`,
    )}
  </li>`;
}

function countOf({ items, more }: GroupOf<unknown>): number {
  return items.length + more;
}

function relevantTo(
  focus: string,
  groups: readonly { readonly type: EventType; readonly group: GroupOf<EventView> }[],
  row: (event: EventView) => TemplateResult,
): Section {
  const name = html`<bdi class="focus-name" title=${visibleText(focus)}>${visible(nameOf(focus))}</bdi>`;
  return {
    name: 'relevant',
    heading: th('Relevant to {focus}', { focus: name }),
    count: groups.reduce((sum, { group }) => sum + countOf(group), 0),
    content: html`${groups.map(
      ({ type, group }) =>
        html`<h3 class="group">${groupWords[type]}</h3>
          ${list(group, row)}`,
    )}`,
  };
}

function nameOf(path: string): string {
  return path === '.' ? path : path.slice(path.lastIndexOf('/') + 1);
}

function topBar(page: Page, view: BriefingView): TemplateResult {
  const { focus, folder, pinned, project } = view;
  const words = pinned ? t('Follow the editor') : t('Pin this file');
  return html`<header class="iconed" data-focus="top" tabindex="-1">
      <h1 class="focus" title=${focus === undefined ? nothing : visibleText(focus)}>
        ${
          focus === undefined
            ? html`<bdi class="focus-name">${visible(project)}</bdi>
                <span class="quiet">${t('The whole project')}</span>`
            : html`<bdi class="focus-name">${visible(nameOf(focus))}</bdi
                >${focus.includes('/') ? html` <bdi class="quiet focus-folder">${visible(focus.slice(0, focus.lastIndexOf('/')))}</bdi>` : nothing}`
        }
        ${folder === undefined && focus === undefined ? nothing : html` <bdi class="quiet">${visible(folder ?? project)}</bdi>`}
      </h1>
      ${
        focus === undefined
          ? nothing
          : html`<button
              type="button"
              class="icon-button"
              aria-pressed=${pinned ? 'true' : 'false'}
              title=${words}
              aria-label=${words}
              data-act="pin"
              @click=${byHuman(() => page.dispatch({ type: 'pin', on: !pinned }))}
            >
              ${icon(pinned ? 'pinned' : 'pin')}
            </button>`
      }
    </header>
    <div class="tools flow">
      ${picker({
        ...{ name: 'filter', label: t('Show'), isLabelHidden: true, value: page.filter() },
        options: [['', t('All types')], ...types.map((type) => [type, groupWords[type]] as const)],
        pick: (value) => page.setFilter(types.find((one) => one === value) ?? ''),
      })}
      ${view.locked !== undefined || page.post() ? nothing : link(t('Post…'), page.openPost, { act: 'open-post' })}
    </div>`;
}

function notices(page: Page, view: BriefingView): TemplateResult {
  const done = page.done();
  return html`
    ${view.note === undefined ? nothing : html`<p class="quiet small">${visible(view.note)}</p>`}
    ${view.locked === undefined ? nothing : lockedNote(view.locked, addKeyLink(page, view.enrol))}
    ${done === undefined ? nothing : notice('info', 'pass', done)}
  `;
}

interface Section {
  readonly name: string;
  readonly heading: unknown;
  readonly count: number;
  readonly content: unknown;
  /** The text for an empty list. */
  readonly none?: string;
}

/** Sections start open; collapsed ones stay collapsed when the file changes. */
function section(page: Page, { name, heading, count, content, none }: Section): TemplateResult {
  const toggled = (toggle: Event): void => {
    const details = toggle.currentTarget as HTMLDetailsElement;
    if (toggle.target === details && details.open === page.isFolded(name)) page.fold(name, !details.open);
  };
  return html`<details class="section" ?open=${!page.isFolded(name)} data-section=${name} @toggle=${toggled}>
    <summary>
      <h2>${heading}</h2>
      <span class="count-badge">${count === 0 ? '' : count}</span>
    </summary>
    ${count === 0 && none !== undefined ? html`<p class="quiet none">${none}</p>` : content}
  </details>`;
}

function list<T extends { key: string }>(
  { items, more }: GroupOf<T>,
  row: (item: T) => TemplateResult,
): TemplateResult {
  return html`<ul class="events">
    ${repeat(items, ({ key }) => key, row)}
    ${more === 0 ? nothing : html`<li class="quiet small more">${t('and {n} more', { n: more })}</li>`}
  </ul>`;
}

function waitingRow(page: Page, { own }: BriefingView, item: WaitingView): TemplateResult {
  const { key, id, text, for: to, since: from, holds_work: work, all_files_by: by, concerns_focus: here } = item;
  const { answer } = item;
  const time = sinceTag(from);
  return html`<li class="event">
    <button
      type="button"
      class="row-button iconed"
      title=${t('Open {id}', { id: visibleText(id) })}
      data-act="open-form"
      @click=${byHuman(() => page.dispatch({ type: 'openForm', key }))}
    >
      ${icon(answer === null ? 'debug-pause' : 'check', here ? 'warning' : 'quiet')}
      <span class="event-head">
        <span class="event-title" dir="auto">${visible(text)}</span>
        ${
          answer === null || answer === ''
            ? nothing
            : html`<span class="small" dir="auto">${t('Decided: {text}', { text: visibleText(answer) })}</span>`
        }
        <span class="facts small quiet">
          ${here ? html`<span class="event-priority">${t('holds this')}</span>` : nothing}
          ${work === 0 ? nothing : html`<span>${t('holds {n}', { n: work })}</span>`}
          ${by === null ? nothing : html`<span>${th('all files held, by {who}', { who: bdi(by) })}</span>`}
          ${to === undefined ? nothing : html`<span>${th('for {who}', { who: bdi(to) })}</span>`}
          <span><span class="cut ellipsis">${visible(shownAgent(item.agent_id, own))}</span></span>
          <span
            >${
              answer !== null
                ? th('not acknowledged for {time}', { time })
                : item.waits_on === 'author'
                  ? t('draft, not submitted')
                  : th('waiting {time}', { time })
            }</span
          >
          <span>${visible(id)}</span>
        </span>
      </span>
    </button>
  </li>`;
}

const page = startSurface<BriefingSnapshot, BriefingMessage, Saved, Page>({
  label: t('Notes'),
  parse: parseSaved,
  create: createPage,
  content: (opened, { view }) => (view.type === 'briefing' ? briefing(opened, view) : unavailable(opened, view)),
  lost: 'top',
  focus: (root, place) => {
    const target = root.querySelector<HTMLElement>(`[data-focus="${CSS.escape(place)}"]`);
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'nearest' });
  },
});
page.dispatch({ type: 'ready' });
