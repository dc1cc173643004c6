/** Who is a steward and which humans can be asked: only a human says so. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { notice } from '../shared/buttons.ts';
import type { AppointView } from '../../src/protocol/request/forms.ts';
import { decideButton, formOf, refusal, secondStep, waiting } from '../shared/deciding.ts';
import { hintFor, nameField } from '../shared/fields.ts';
import { few } from '../shared/folding.ts';
import { radios } from '../shared/radios.ts';
import { t, tn } from '../shared/strings.ts';
import { visible } from '../shared/visible.ts';
import type { Page } from './page.ts';
import type { AppointDraft } from './requestActs.ts';
import { done, leave, locked, wideTitle } from './wide.ts';

export function appointForm(page: Page, view: AppointView): TemplateResult {
  const draft = page.appointDraft(view);
  const busy = page.flight() !== undefined;
  const confirming = page.step() === 'confirm' && !busy;
  const frozen = busy || confirming || view.locked !== undefined;
  const edit = (change: Partial<AppointDraft>) => {
    page.editAppointment(view, change);
  };
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
      ${field(page, { name: 'id', label: t('appoint.id'), hint: t('appoint.idHint'), value: draft.id, frozen }, (id) =>
        edit({ id }),
      )}
      ${field(page, { name: 'called', label: t('appoint.called'), value: draft.called, frozen }, (called) => edit({ called }))}
      ${
        draft.kind === 'steward'
          ? field(
              page,
              {
                name: 'agents',
                label: t('appoint.agents'),
                hint: t('appoint.agentsHint'),
                value: draft.agents,
                frozen,
              },
              (agents) => edit({ agents }),
            )
          : nothing
      }
      ${view.answersAs.editable ? nameField(page, view.answersAs.name, frozen) : nothing} ${refusal(page)} ${done(page)}
      ${
        view.locked !== undefined
          ? locked(view.locked)
          : confirming
            ? secondStep(page, {
                ask: t('appoint.confirm'),
                content: summary(draft),
                yes: t('appoint.yes'),
                act: page.appoint,
              })
            : busy
              ? waiting(page)
              : html`<div class="actions">${decideButton(t('appoint.send'), page.appoint, true)} ${leave(page)}</div>`
      }`,
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

interface Field {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly frozen: boolean;
}

function field(page: Page, { name, label, hint, value, frozen }: Field, edit: (text: string) => void): TemplateResult {
  return html`<div class="appoint-field">
    <label class="field-label" for=${name}>${label}</label>
    <input
      id=${name}
      class="text"
      autocomplete="off"
      spellcheck="false"
      data-focus=${name}
      aria-invalid=${page.hint()?.field === name ? 'true' : nothing}
      aria-describedby=${hint === undefined ? nothing : `${name}-more`}
      ?disabled=${frozen}
      .value=${live(value)}
      @input=${(event: Event) => {
        edit((event.currentTarget as HTMLInputElement).value);
      }}
    />
    ${hintFor(page, name)} ${hint === undefined ? nothing : html`<p class="quiet small" id="${name}-more">${hint}</p>`}
  </div>`;
}

function summary(draft: AppointDraft): TemplateResult {
  const agents = draft.kind === 'steward' ? draft.agents.trim() : '';
  return html`<blockquote class="said" dir="auto">
    <p class="said-choice">${t(`appoint.kind.${draft.kind}`)}: ${visible(draft.called.trim())}</p>
    <p class="said-text">${visible(agents === '' ? draft.id.trim() : `${draft.id.trim()} · ${agents}`)}</p>
  </blockquote>`;
}
