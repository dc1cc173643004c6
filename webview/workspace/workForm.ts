/** A work item, and its deletion: what goes with it, what stays open, and what no longer waits for it. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { WorkView } from '../../src/protocol/workspace/forms.ts';
import { link } from '../shared/buttons.ts';
import { formOf, refusal } from '../shared/deciding.ts';
import { nameField } from '../shared/fields.ts';
import { few } from '../shared/folding.ts';
import { t, tn } from '../shared/strings.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { inTwoSteps, isFrozen, wideTitle } from '../shared/wide.ts';
import type { WorkspacePage as Page } from './acts.ts';

export function workForm(page: Page, view: WorkView): TemplateResult {
  const { work, kind, parts, holders, dependants } = view;
  const changes = [
    part(page, 'parts', tn('work.parts', parts.length), parts.map(named)),
    part(
      page,
      'holders',
      tn('work.holders', holders.length),
      holders.map(
        (one) =>
          html`${link(html`<bdi>${visible(one.text)}</bdi>`, () => page.dispatch({ type: 'select', key: one.key }), { title: visibleText(one.text) })}
            <span class="quiet">${visible(one.id)}</span>`,
      ),
    ),
    part(page, 'dependants', tn('work.dependants', dependants.length), dependants.map(named)),
  ];
  return html`<article class="plain">
    ${wideTitle('checklist', html`<bdi>${visible(work.title)}</bdi>`, view.folder)}
    <p class="quiet">${t(`impact.kind.${kind}`)} · ${visible(work.id)}</p>
    ${changes}
    ${formOf(
      page,
      html`${view.answersAs.editable ? nameField(page, view.answersAs.name, isFrozen(page, view)) : nothing}
      ${refusal(page)}
      ${inTwoSteps(page, view, {
        ask: t(`work.ask.${kind}`),
        content: html`<p>${t('work.stays')}</p>`,
        yes: t('work.yes'),
        send: t('work.send'),
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
