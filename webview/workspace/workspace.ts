/** Two forms about a workspace: dismissing all questions of an agent, and deleting a work item. */
import { html, nothing, type TemplateResult } from 'lit';
import type { DeleteWorkMessage, ReleaseAllMessage } from '../../src/ui/answer/messages.ts';
import type { ReleaseAllView, WorkView } from '../../src/ui/answer/workspace.ts';
import { formOf, inTwoSteps, isFrozen, refusal, wideTitle } from '../shared/deciding.ts';
import { link, notice, said, urgencyMark, visible, visibleText } from '../shared/elements.ts';
import { signsAs, textBox } from '../shared/fields.ts';
import type { FieldsDraft, FormActs, OneFormPage } from '../shared/oneForm.ts';
import { few } from '../shared/parts.ts';
import type { Missing } from '../shared/signing.ts';
import { t, th, tn } from '../shared/strings.ts';

interface ActsOptions {
  readonly acts: FormActs<ReleaseAllMessage | DeleteWorkMessage>;
  readonly view: () => ReleaseAllView | WorkView | undefined;
  readonly maxText: () => number;
}

type Page = OneFormPage &
  ReturnType<typeof createWorkspaceActs> & {
    readonly dispatch: (message: { readonly type: 'back' } | { readonly type: 'select'; readonly key: string }) => void;
  };

export function createWorkspaceActs({ acts, view, maxText }: ActsOptions) {
  const noteOf = ({ key }: ReleaseAllView): string => acts.fieldsOf(key)?.fields['note'] ?? '';

  return {
    /** The note to the agent, and the list that it was written for. */
    noteDraft: ({ key }: ReleaseAllView): FieldsDraft | undefined => acts.fieldsOf(key),

    setNote(note: string): void {
      const shown = view();
      if (shown) acts.keepFields(shown, note === '' ? undefined : { note });
    },

    releaseAll: (): void => {
      const target = view();
      if (target?.type !== 'releaseAll' || target.locked !== undefined) return;
      const note = noteOf(target).trim();
      acts.attempt({
        ...{ target, lacking: missingNote(note, maxText()), twice: true },
        make: (marks) => ({ type: 'releaseAll', ...marks, note, confirmed: true }),
      });
    },

    deleteWork: (): void => {
      const target = view();
      if (target?.type !== 'work' || target.locked !== undefined) return;
      acts.attempt({
        ...{ target, lacking: undefined, twice: true },
        make: (marks) => ({ type: 'deleteWork', ...marks, confirmed: true }),
      });
    },
  };
}

function missingNote(note: string, max: number): Missing | undefined {
  if (note === '') return { field: 'text', text: t('Write a note first; it is all the agent gets.') };
  const over = note.length - max;
  return over > 0
    ? { field: 'text', text: t('{n} of {max}: shorten it by {over}.', { n: note.length, max, over }) }
    : undefined;
}

export function releaseAllForm(page: Page, view: ReleaseAllView): TemplateResult {
  const draft = page.noteDraft(view);
  const note = draft?.fields['note'] ?? '';
  const frozen = isFrozen(page, view);
  const stale = draft !== undefined && draft.shown !== view.shown;
  const agent = html`<bdi>${visible(view.agent)}</bdi>`;
  const count = view.questions.length;
  return html`<article class="plain">
    ${wideTitle('debug-continue', th('Dismiss all questions of {agent}', { agent }), view.folder)}
    <p class="quiet">
      ${th('All open questions of {agent} end without an answer, and their work is released. The agent gets your note.', { agent })}
    </p>
    <h2 class="plain-head">${tn(count, '{n} question to dismiss', '{n} questions to dismiss')}</h2>
    ${list(page, view)}
    ${formOf(
      page,
      html`${stale ? notice('info', 'history', t('The list has changed since you started. Read it again before you continue.')) : nothing}
      ${textBox(page, {
        label: t('Note to the agent'),
        value: note,
        max: page.reasonLimit(),
        disabled: frozen,
        edit: page.setNote,
      })}
      ${signsAs(view.answersAs)} ${refusal(page)}
      ${inTwoSteps(page, view, {
        ask: tn(count, 'Dismiss {n} question without an answer?', 'Dismiss {n} questions without an answer?'),
        content: said([], note.trim()),
        yes: t('Yes, dismiss all'),
        send: t('Dismiss all'),
        act: page.releaseAll,
      })}`,
      { act: page.releaseAll },
    )}
  </article>`;
}

/** Each question can be opened and read before it is released. */
function list(page: Page, view: ReleaseAllView): TemplateResult {
  const { items, more } = few(page, 'all', view.questions);
  return html`<ul class="agents all-list">
    ${items.map(
      (one) =>
        html`<li>
          ${link(html`<bdi>${visible(one.text)}</bdi>`, () => page.dispatch({ type: 'select', key: one.key }), { title: visibleText(one.text) })}
          <span class="quiet"
            >${visible(one.id)} · ${urgencyMark(one.urgency)} ·
            ${one.holds === undefined ? t('holds nothing') : tn(one.holds, 'holds {n} work item', 'holds {n} work items')}${
              one.expired ? html` · ${t('expired, still held')}` : nothing
            }</span
          >
        </li>`,
    )}
    ${more === nothing ? nothing : html`<li>${more}</li>`}
  </ul>`;
}

const kindWords = {
  task: t('task'),
  workflow: t('workflow'),
};

const askWords = {
  task: t('Delete this task?'),
  workflow: t('Delete this workflow and everything in it?'),
};

export function workForm(page: Page, view: WorkView): TemplateResult {
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
      parts.map(named),
    ),
    part(
      page,
      'holders',
      tn(
        holders.length,
        'Held by {n} question or RFC, which stays open',
        'Held by {n} questions and RFCs, which stay open',
      ),
      holders.map(
        (one) =>
          html`${link(html`<bdi>${visible(one.text)}</bdi>`, () => page.dispatch({ type: 'select', key: one.key }), { title: visibleText(one.text) })}
            <span class="quiet">${visible(one.id)}</span>`,
      ),
    ),
    part(
      page,
      'dependants',
      tn(
        dependants.length,
        'Waiting for it: {n} item, which then no longer waits',
        'Waiting for it: {n} items, which then no longer wait',
      ),
      dependants.map(named),
    ),
  ];
  return html`<article class="plain">
    ${wideTitle('checklist', html`<bdi>${visible(work.title)}</bdi>`, view.folder)}
    <p class="quiet">${kindWords[kind]} · ${visible(work.id)}</p>
    ${changes}
    ${formOf(
      page,
      html`${signsAs(view.answersAs)} ${refusal(page)}
      ${inTwoSteps(page, view, {
        ask: askWords[kind],
        content: html`<p>
          ${t('Its history stays, and its id stays taken. Files that a question or an RFC holds stay held until that is decided.')}
        </p>`,
        yes: t('Yes, delete'),
        send: t('Delete'),
        act: page.deleteWork,
      })}`,
      { act: page.deleteWork },
    )}
  </article>`;
}

function named({ id, title }: WorkView['work']): TemplateResult {
  return html`<bdi>${visible(title)}</bdi> <span class="quiet">${visible(id)}</span>`;
}

function part(page: Page, name: string, head: string, all: readonly TemplateResult[]): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const { items, more } = few(page, `work.${name}`, all);
  return html`<h2 class="plain-head">${head}</h2>
    <ul class="agents">
      ${items.map((item) => html`<li>${item}</li>`)} ${more === nothing ? nothing : html`<li>${more}</li>`}
    </ul>`;
}
