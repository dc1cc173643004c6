/** Releases all open questions of one agent in one act: the list, a note and a confirmation. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { ReleaseAllView } from '../../src/ui/answer/workspace.ts';
import { formOf, inTwoSteps, isFrozen, refusal, wideTitle } from '../shared/deciding.ts';
import { link, notice, said, urgencyMark, visible, visibleText } from '../shared/elements.ts';
import { nameField, textBox } from '../shared/fields.ts';
import { few } from '../shared/parts.ts';
import { t, th, tn } from '../shared/strings.ts';
import type { WorkspacePage as Page } from './acts.ts';

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
      ${view.answersAs.editable ? nameField(page, view.answersAs, frozen) : nothing} ${refusal(page)}
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
