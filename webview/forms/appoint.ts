/** Appoints stewards and humans that can receive requests; only a human can. */
import { html, nothing, type TemplateResult } from 'lit';
import type { AppointView } from '../../src/ui/answer/requests.ts';
import { wideTitle } from '../shared/deciding.ts';
import { labelledText, visible } from '../shared/elements.ts';
import { field, type FieldDef, type Values } from '../shared/fields.ts';
import type { Missing } from '../shared/signing.ts';
import { t, tn } from '../shared/strings.ts';
import { bdi, filled, formWith, ifStale, listOf } from './kit.ts';
import type { OneFormPage } from './page.ts';

const kindWords = { human: t('A human'), steward: t('A steward') };
export const isWords = { human: t('human'), steward: t('steward'), agent: t('agent'), automation: t('automation') };

const fields: readonly FieldDef[] = [
  {
    ...{ type: 'radios', name: 'kind', label: t('Type') },
    options: [
      { value: 'human', label: kindWords.human, more: t('Requests to this person are answered in this view.') },
      {
        ...{ value: 'steward', label: kindWords.steward },
        more: t('The agents named below act for it; without any, you do so in this view.'),
      },
    ],
  },
  {
    ...{ type: 'code', name: 'id', label: t('ID') },
    hint: t('For example jane@app. An existing ID gets the new name and agents.'),
  },
  { type: 'code', name: 'called', label: t('Name') },
  {
    ...{ type: 'code', name: 'agents', label: t('Agents that act for it (optional)') },
    hint: t('Their IDs, separated by commas, for example copilot-001.'),
  },
];

function problem(id: string, called: string): Missing | undefined {
  if (!/^[a-z0-9][a-z0-9._@-]{0,99}$/.test(id))
    return { field: 'id', text: t('Use lower-case letters, digits and . _ @ -') };
  return called === '' ? { field: 'called', text: t('Enter a name.') } : undefined;
}

export function appointForm(page: OneFormPage, view: AppointView): TemplateResult {
  const form = filled(page, view, { kind: 'human' });
  const { id = '', called = '', agents = '', kind } = form.values;
  const isSteward = kind === 'steward';
  return html`<article class="plain">
    ${wideTitle('shield', t('Stewards and humans'), view.folder)}
    <p class="quiet">
      ${t('Agents register themselves. Only you appoint stewards and humans. A steward reviews new context and passes it on.')}
    </p>
    ${knownAgents(page, view)}
    ${formWith(
      page,
      view,
      html`${ifStale(page, view, t('The list has changed since you started.'))}
      ${fields.filter(({ name }) => isSteward || name !== 'agents').map((one) => field(page, one, form))}`,
      {
        ...{ lacking: problem(id.trim(), called.trim()), send: t('Save') },
        confirm: { ask: t('Save this?'), content: summary(form.values), yes: t('Yes, save it') },
        make: (marks) => ({
          ...{ type: 'appoint', ...marks, id: id.trim(), called: called.trim(), kind: isSteward ? 'steward' : 'human' },
          ...{ agents: isSteward ? agents.split(/[\s,]+/).filter((one) => one !== '') : [], confirmed: true },
        }),
      },
    )}
  </article>`;
}

function knownAgents(page: OneFormPage, view: AppointView): TemplateResult | typeof nothing {
  if (view.known.length === 0) return nothing;
  return html`<h2 class="plain-head">${tn(view.known.length, '{n} responsibility', '{n} responsibilities')}</h2>
    ${listOf(
      page,
      { name: 'known', all: view.known, kind: 'all-list' },
      ({ id, name, kind, agents }) =>
        html`${bdi(name)}
          <span class="quiet"
            >${bdi(id)} ·
            ${isWords[kind]}${agents.length === 0 ? nothing : html` · ${visible(agents.join(', '))}`}</span
          >`,
    )}`;
}

function summary({ id = '', called = '', kind, agents = '' }: Values): TemplateResult {
  const isSteward = kind === 'steward';
  return labelledText(
    [`${isSteward ? kindWords.steward : kindWords.human}: ${called.trim()}`],
    isSteward && agents.trim() !== '' ? `${id.trim()} · ${agents.trim()}` : id.trim(),
  );
}
