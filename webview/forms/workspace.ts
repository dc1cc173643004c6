/** Two forms about a workspace: dismissing all questions of an agent, and deleting a work item. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ReleaseAllView, WorkView } from '../../src/ui/answer/workspace.ts';
import { wideTitle } from '../shared/deciding.ts';
import { link, labelledText, urgencyMark, visible, visibleText, bdi } from '../shared/elements.ts';
import { overBy, textBox } from '../shared/fields.ts';
import type { Missing } from '../shared/signing.ts';
import { t, th, tn } from '../shared/strings.ts';
import { filled, formWith, ifStale, listOf, type Drawn } from './kit.ts';
import type { OneFormPage } from './page.ts';

function missingNote(note: string, max: number): Missing | undefined {
  if (note === '') return { field: 'text', text: t('Write a note first; it is all the agent gets.') };
  return note.length > max ? { field: 'text', text: overBy(note.length, max) } : undefined;
}

export function releaseAllForm(page: OneFormPage, view: ReleaseAllView): TemplateResult {
  const { values, disabled } = filled(page, view);
  const { note = '' } = values;
  const agent = bdi(view.agent);
  const count = view.questions.length;
  return html`<article class="plain">
    ${wideTitle('debug-continue', th('Dismiss all questions of {agent}', { agent }), view.folder)}
    <p class="quiet">
      ${th('All open questions of {agent} end without an answer, and their work is released. The agent gets your note.', { agent })}
    </p>
    <h2 class="plain-head">${tn(count, '{n} question to dismiss', '{n} questions to dismiss')}</h2>
    ${list(page, view)}
    ${formWith(
      page,
      view,
      html`${ifStale(page, view, t('The list has changed since you started. Read it again before you continue.'))}
      ${textBox(page, {
        ...{ label: t('Note to the agent'), value: note, max: page.limits().reason, disabled },
        edit: (text) => {
          page.keepFields(view, text === '' ? undefined : { note: text });
        },
      })}`,
      {
        ...{ send: t('Dismiss all'), lacking: missingNote(note.trim(), page.limits().reason) },
        confirm: {
          ask: tn(count, 'Dismiss {n} question without an answer?', 'Dismiss {n} questions without an answer?'),
          content: labelledText([], note.trim()),
          yes: t('Yes, dismiss all'),
        },
        make: (marks) => ({ type: 'releaseAll', ...marks, note: note.trim(), confirmed: true }),
      },
    )}
  </article>`;
}

/** Opens an item of a list, to be read before the act. */
function opener(page: OneFormPage, { key, text }: { readonly key: string; readonly text: string }): TemplateResult {
  return link(bdi(text), () => page.dispatch({ type: 'select', key }), { title: visibleText(text) });
}

function list(page: OneFormPage, { questions }: ReleaseAllView): TemplateResult {
  return listOf(
    page,
    { name: 'all', all: questions, kind: 'all-list' },
    (one) =>
      html`${opener(page, one)}
        <span class="quiet"
          >${visible(one.id)} · ${urgencyMark(one.urgency)} ·
          ${one.holds === undefined ? t('holds nothing') : tn(one.holds, 'holds {n} work item', 'holds {n} work items')}${
            one.expired ? html` · ${t('expired, still held')}` : nothing
          }</span
        >`,
  );
}

const kindWords = {
  task: t('task'),
  workflow: t('workflow'),
};

const askWords = {
  task: t('Delete this task?'),
  workflow: t('Delete this workflow and everything in it?'),
};

export function workForm(page: OneFormPage, view: WorkView): TemplateResult {
  const { work, kind, parts, holders, dependants } = view;
  const changes = [
    part(
      page,
      'parts',
      tn(
        parts.length,
        'Also deleted, because it is in it: {n} item',
        'Also deleted, because they are in it: {n} items',
      ),
      parts.map(workTitle),
    ),
    part(
      page,
      'holders',
      tn(
        holders.length,
        'Held by {n} question or RFC, which stays open',
        'Held by {n} questions and RFCs, which stay open',
      ),
      holders.map((one) => html`${opener(page, one)} <span class="quiet">${visible(one.id)}</span>`),
    ),
    part(
      page,
      'dependants',
      tn(
        dependants.length,
        'Waiting for it: {n} item, which then no longer waits',
        'Waiting for it: {n} items, which then no longer wait',
      ),
      dependants.map(workTitle),
    ),
  ];
  return html`<article class="plain">
    ${wideTitle('checklist', bdi(work.title), view.folder)}
    <p class="quiet">${kindWords[kind]} · ${visible(work.id)}</p>
    ${changes}
    ${formWith(page, view, nothing, {
      send: t('Delete'),
      confirm: {
        ask: askWords[kind],
        content: html`<p>
          ${t('Its history stays, and its id stays taken. Files that a question or an RFC holds stay held until that is decided.')}
        </p>`,
        yes: t('Yes, delete'),
      },
      make: (marks) => ({ type: 'deleteWork', ...marks, confirmed: true }),
    })}
  </article>`;
}

function workTitle({ id, title }: WorkView['work']): TemplateResult {
  return html`${bdi(title)} <span class="quiet">${visible(id)}</span>`;
}

function part(page: OneFormPage, name: string, head: string, all: readonly TemplateResult[]): Drawn {
  if (all.length === 0) return nothing;
  return html`<h2 class="plain-head">${head}</h2>
    ${listOf(page, { name: `work.${name}`, all }, (item) => item)}`;
}
