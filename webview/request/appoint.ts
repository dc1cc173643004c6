/** Appoints stewards and humans that can receive requests; only a human can. */
import { html, nothing, type TemplateResult } from 'lit';
import type { AppointMessage } from '../../src/ui/answer/messages.ts';
import type { AppointView } from '../../src/ui/answer/requests.ts';
import { done, formOf, inTwoSteps, isFrozen, refusal, wideTitle } from '../shared/deciding.ts';
import { notice, said, visible } from '../shared/elements.ts';
import { field, signsAs, type FieldDef, type Values } from '../shared/fields.ts';
import type { FormActs, OneFormPage } from '../shared/oneForm.ts';
import { few } from '../shared/parts.ts';
import type { Missing } from '../shared/signing.ts';
import { t, tn } from '../shared/strings.ts';

type Page = OneFormPage &
  ReturnType<typeof createAppointActs> & { readonly dispatch: (message: { readonly type: 'back' }) => void };

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

export function createAppointActs(acts: FormActs<AppointMessage>, view: () => AppointView | undefined) {
  const appointDraft = ({ key }: AppointView) => acts.fieldsOf(key);
  const appointValues = (of: AppointView): Values => {
    const { kind, ...others } = appointDraft(of)?.fields ?? {};
    return { ...others, kind: kind === 'steward' ? kind : 'human' };
  };
  return {
    appointDraft,
    appointValues,
    editAppointment: (of: AppointView, change: Values): void =>
      acts.keepFields(of, { ...appointValues(of), ...change }),

    appoint: (): void => {
      const target = view();
      if (!target || target.locked !== undefined) return;
      const { id = '', called = '', agents = '', kind } = appointValues(target);
      const isSteward = kind === 'steward';
      acts.attempt({
        ...{ target, lacking: problem(id.trim(), called.trim()), twice: true },
        make: (marks) => ({
          ...{ type: 'appoint', ...marks, id: id.trim(), called: called.trim(), kind: isSteward ? 'steward' : 'human' },
          ...{ agents: isSteward ? agents.split(/[\s,]+/).filter((one) => one !== '') : [], confirmed: true },
        }),
      });
    },
  };
}

export function appointForm(page: Page, view: AppointView): TemplateResult {
  const draft = page.appointDraft(view);
  const values = page.appointValues(view);
  const disabled = isFrozen(page, view);
  const isSteward = values['kind'] === 'steward';
  const edit = (change: Values) => {
    page.editAppointment(view, change);
  };
  return html`<article class="plain">
    ${wideTitle('shield', t('Stewards and humans'), view.folder)}
    <p class="quiet">
      ${t('Agents register themselves. Only you appoint stewards and humans. A steward reviews new context and passes it on.')}
    </p>
    ${known(page, view)}
    ${formOf(
      page,
      html`${draft && draft.shown !== view.shown ? notice('info', 'history', t('The list has changed since you started.')) : nothing}
      ${fields.filter(({ name }) => isSteward || name !== 'agents').map((one) => field(page, one, { values, disabled, edit }))}
      ${signsAs(view.answersAs)} ${refusal(page)} ${done(page)}
      ${inTwoSteps(page, view, {
        ask: t('Save this?'),
        content: summary(values),
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

function summary({ id = '', called = '', kind, agents = '' }: Values): TemplateResult {
  const isSteward = kind === 'steward';
  return said(
    [`${isSteward ? kindWords.steward : kindWords.human}: ${called.trim()}`],
    isSteward && agents.trim() !== '' ? `${id.trim()} · ${agents.trim()}` : id.trim(),
  );
}
