/** Appoints stewards and humans that can receive requests; only a human can. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { notice } from '../shared/buttons.ts';
import type { AppointView } from '../../src/protocol/request/forms.ts';
import { formOf, refusal } from '../shared/deciding.ts';
import { inputField, nameField } from '../shared/fields.ts';
import { few } from '../shared/folding.ts';
import { radios } from '../shared/radios.ts';
import { t, tn } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import type { RequestPage as Page } from './page.ts';
import type { AppointDraft } from './acts.ts';
import { done, inTwoSteps, isFrozen, wideTitle } from '../shared/wide.ts';

export function appointForm(page: Page, view: AppointView): TemplateResult {
  const draft = page.appointDraft(view);
  const frozen = isFrozen(page, view);
  const edit = (change: Partial<AppointDraft>) => {
    page.editAppointment(view, change);
  };
  const field = (name: 'id' | 'called' | 'agents', change: (text: string) => void, hint?: string) =>
    inputField(page, {
      ...{ name, label: t(`appoint.${name}`), value: draft[name], disabled: frozen, edit: change, hint },
      ...{ kind: 'appoint-field', isCode: true },
    });
  return html`<article class="plain">
    ${wideTitle('shield', t('appoint.title'), view.folder)}
    <p class="quiet">${t('appoint.about')}</p>
    ${known(page, view)}
    ${formOf(
      page,
      html`${page.isStale(view) ? notice('info', 'history', t('appoint.changed')) : nothing}
      ${radios({
        name: 'kind',
        legend: t('appoint.kind'),
        options: (['human', 'steward'] as const).map((kind) => ({
          value: kind,
          label: t(`appoint.kind.${kind}`),
          more: t(`appoint.more.${kind}`),
        })),
        picked: draft.kind,
        disabled: frozen,
        pick: (kind) => edit({ kind }),
      })}
      ${field('id', (id) => edit({ id }), t('appoint.idHint'))} ${field('called', (called) => edit({ called }))}
      ${draft.kind === 'steward' ? field('agents', (agents) => edit({ agents }), t('appoint.agentsHint')) : nothing}
      ${view.answersAs.editable ? nameField(page, view.answersAs.name, frozen) : nothing} ${refusal(page)} ${done(page)}
      ${inTwoSteps(page, view, {
        ask: t('appoint.confirm'),
        content: summary(draft),
        yes: t('appoint.yes'),
        send: t('appoint.send'),
        act: page.appoint,
      })}`,
      { act: page.appoint },
    )}
  </article>`;
}

function known(page: Page, view: AppointView): TemplateResult | typeof nothing {
  if (view.known.length === 0) return nothing;
  const { items, more } = few(page, 'known', view.known);
  return html`<h2 class="plain-head">${tn('appoint.known', view.known.length)}</h2>
    <ul class="agents all-list">
      ${items.map(
        (one) =>
          html`<li>
            <bdi>${visible(one.name)}</bdi>
            <span class="quiet"
              ><bdi>${visible(one.id)}</bdi> ·
              ${t(`appoint.is.${one.kind}`)}${one.agents.length === 0 ? nothing : html` · ${visible(one.agents.join(', '))}`}</span
            >
          </li>`,
      )}
      ${more === nothing ? nothing : html`<li>${more}</li>`}
    </ul>`;
}

function summary(draft: AppointDraft): TemplateResult {
  const agents = draft.kind === 'steward' ? draft.agents.trim() : '';
  return html`<blockquote class="said" dir="auto">
    <p class="said-choice">${t(`appoint.kind.${draft.kind}`)}: ${visible(draft.called.trim())}</p>
    <p class="said-text">${visible(agents === '' ? draft.id.trim() : `${draft.id.trim()} · ${agents}`)}</p>
  </blockquote>`;
}
