/** Appoints stewards and humans that can receive requests; only a human can. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { notice } from '../shared/buttons.ts';
import type { AppointView } from '../../src/ui/answer/requests.ts';
import { formOf, refusal } from '../shared/deciding.ts';
import { inputField, nameField } from '../shared/fields.ts';
import { few } from '../shared/folding.ts';
import { radios } from '../shared/radios.ts';
import { t, tn } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import type { RequestPage as Page } from './page.ts';
import type { AppointDraft } from './acts.ts';
import { done, inTwoSteps, isFrozen, wideTitle } from '../shared/wide.ts';

const fieldWords = {
  id: t('ID'),
  called: t('Name'),
  agents: t('Agents that act for it (optional)'),
};

const kindWords = {
  human: t('A human'),
  steward: t('A steward'),
};

const kindMore = {
  human: t('Requests to this person are answered in this view.'),
  steward: t('The agents named below act for it; without any, you do so in this view.'),
};

export const isWords = {
  human: t('human'),
  steward: t('steward'),
  agent: t('agent'),
  automation: t('automation'),
};

export function appointForm(page: Page, view: AppointView): TemplateResult {
  const draft = page.appointDraft(view);
  const frozen = isFrozen(page, view);
  const edit = (change: Partial<AppointDraft>) => {
    page.editAppointment(view, change);
  };
  const field = (name: 'id' | 'called' | 'agents', change: (text: string) => void, hint?: string) =>
    inputField(page, {
      ...{ name, label: fieldWords[name], value: draft[name], disabled: frozen, edit: change, hint },
      ...{ kind: 'appoint-field', isCode: true },
    });
  return html`<article class="plain">
    ${wideTitle('shield', t('Stewards and humans'), view.folder)}
    <p class="quiet">
      ${t('Agents register themselves. Only you appoint stewards and humans. A steward reviews new context and passes it on.')}
    </p>
    ${known(page, view)}
    ${formOf(
      page,
      html`${page.isStale(view) ? notice('info', 'history', t('The list has changed since you started.')) : nothing}
      ${radios({
        name: 'kind',
        legend: t('Type'),
        options: (['human', 'steward'] as const).map((kind) => ({
          value: kind,
          label: kindWords[kind],
          more: kindMore[kind],
        })),
        picked: draft.kind,
        disabled: frozen,
        pick: (kind) => edit({ kind }),
      })}
      ${field('id', (id) => edit({ id }), t('For example jane@app. An existing ID gets the new name and agents.'))}
      ${field('called', (called) => edit({ called }))}
      ${draft.kind === 'steward' ? field('agents', (agents) => edit({ agents }), t('Their IDs, separated by commas, for example copilot-001.')) : nothing}
      ${view.answersAs.editable ? nameField(page, view.answersAs, frozen) : nothing} ${refusal(page)} ${done(page)}
      ${inTwoSteps(page, view, {
        ask: t('Save this?'),
        content: summary(draft),
        yes: t('Yes, save it'),
        send: t('Save'),
        act: page.appoint,
      })}`,
      { act: page.appoint },
    )}
  </article>`;
}

function known(page: Page, view: AppointView): TemplateResult | typeof nothing {
  if (view.known.length === 0) return nothing;
  const { items, more } = few(page, 'known', view.known);
  return html`<h2 class="plain-head">${tn(view.known.length, '{n} responsibility', '{n} responsibilities')}</h2>
    <ul class="agents all-list">
      ${items.map(
        (one) =>
          html`<li>
            <bdi>${visible(one.name)}</bdi>
            <span class="quiet"
              ><bdi>${visible(one.id)}</bdi> ·
              ${isWords[one.kind]}${one.agents.length === 0 ? nothing : html` · ${visible(one.agents.join(', '))}`}</span
            >
          </li>`,
      )}
      ${more === nothing ? nothing : html`<li>${more}</li>`}
    </ul>`;
}

function summary(draft: AppointDraft): TemplateResult {
  const agents = draft.kind === 'steward' ? draft.agents.trim() : '';
  return html`<blockquote class="said" dir="auto">
    <p class="said-choice">${kindWords[draft.kind]}: ${visible(draft.called.trim())}</p>
    <p class="said-text">${visible(agents === '' ? draft.id.trim() : `${draft.id.trim()} · ${agents}`)}</p>
  </blockquote>`;
}
