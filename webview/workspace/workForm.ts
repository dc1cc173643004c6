/** A work item, and its deletion: what goes with it, what stays open, and what no longer waits for it. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { WorkView } from '../../src/ui/answer/workspace.ts';
import { formOf, inTwoSteps, isFrozen, refusal, wideTitle } from '../shared/deciding.ts';
import { link, visible, visibleText } from '../shared/elements.ts';
import { nameField } from '../shared/fields.ts';
import { few } from '../shared/parts.ts';
import { t, tn } from '../shared/strings.ts';
import type { WorkspacePage as Page } from './acts.ts';

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
      tn(parts.length, 'In it, and deleted with it: {n} item', 'In it, and deleted with it: {n} items'),
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
      html`${view.answersAs.editable ? nameField(page, view.answersAs, isFrozen(page, view)) : nothing} ${refusal(page)}
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
