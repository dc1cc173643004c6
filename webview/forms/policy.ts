/** The rules of a workspace, as a form: the host sends its fields, and this draws them, the changes and the message. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PolicyView } from '../../src/ui/answer/workspace.ts';
import { browserNote, isFrozen, wideTitle } from '../shared/deciding.ts';
import { button, link, visible, bdi } from '../shared/elements.ts';
import {
  field,
  fieldsFor,
  hintFor,
  problemOf,
  radios,
  sameText,
  wordsOf,
  type FieldDef,
  type Filled,
  type Values,
} from '../shared/fields.ts';
import { part } from '../shared/parts.ts';
import type { Missing } from '../shared/signing.ts';
import { t } from '../shared/strings.ts';
import { enteredIn, formWith, ifStale, type Drawn, type OneFormPage } from './kit.ts';

const advanced = 'advanced';
type Preset = PolicyView['presets'][number];

function changesOf(view: PolicyView, values: Values): FieldDef[] {
  return fieldsFor(view.fields, values).filter((one) => sameText(one, values) !== sameText(one, view.values));
}

function problem(view: PolicyView, values: Values): Missing | undefined {
  for (const one of fieldsFor(view.fields, values)) {
    const wrong = problemOf(one, values);
    if (wrong) return wrong;
  }
  return changesOf(view, values).length > 0 ? undefined : { field: 'confirm', text: t('Nothing has changed yet.') };
}

/** What the folded fields are searched for. */
let wanted = '';

function valuesOf(page: OneFormPage, view: PolicyView): Values {
  const values = { ...view.values, ...enteredIn(page, view) };
  // A choice that is not offered any more has no effect.
  const gone = view.fields.filter(
    ({ type, name, options = [] }) => type === 'select' && !options.some(({ value }) => value === values[name]),
  );
  return { ...values, ...Object.fromEntries(gone.map((one) => [one.name, view.values[one.name] ?? ''])) };
}

export function policyForm(page: OneFormPage, view: PolicyView): TemplateResult {
  const values = valuesOf(page, view);
  const hasDraft = page.entered(view.key) !== undefined;
  const disabled = isFrozen(page, view);
  /** Keeps only what differs from the policy, so that the changes of others show, and saving does not undo them. */
  const edit = (change: Values) => {
    const edited = Object.entries({ ...values, ...change }).filter(([one, text]) => view.values[one] !== text);
    page.keepFields(view, edited.length === 0 ? undefined : Object.fromEntries(edited));
  };
  const form: Filled = { values, disabled, edit };
  const shown = fieldsFor(view.fields, values);
  const draw = (one: FieldDef) =>
    field(page, one, form, one.name === 'rules' ? proposedField(view, one, form) : nothing);
  const lacking = problem(view, values);
  const usual = shown.filter(({ subject }) => subject === undefined);
  return html`<article class="plain">
    ${wideTitle('settings-gear', t('Rules'), view.folder)}
    <p class="quiet">
      ${t('The policy of this workspace. You sign it; no settings file can change it, and none of it releases a hold.')}
    </p>
    ${formWith(
      page,
      view,
      html`${ifStale(page, view, t('The policy has changed since you started. Check it before you save.'))}
        ${presets(view, form)}
        <div class="fields">${usual.map(draw)}</div>
        ${part(page, advanced, t('Advanced'), foldedFields(page, shown, draw))}
        ${view.inBrowser === undefined ? nothing : browserNote(page, view.key, view.inBrowser)}`,
      {
        ...{ kind: 'policy', send: t('Save'), lacking },
        begun: () => {
          const isFolded = view.fields.some((one) => one.subject !== undefined && lacking?.field.startsWith(one.name));
          if (!isFolded || !page.ready()) return;
          wanted = '';
          page.unfold(advanced, true);
        },
        confirm: { ask: t('Change the policy?'), content: changes(view, values), yes: t('Yes, change it') },
        before: hintFor(page, 'confirm'),
        // What was entered stays when the form is left; this shows the policy that is in force again.
        after: hasDraft ? button(t('Discard changes'), () => discard(page, view), { act: 'discard' }) : nothing,
        make: (marks) => ({ type: 'policy', ...marks, values, confirmed: true }),
      },
    )}
  </article>`;
}

function discard(page: OneFormPage, view: PolicyView): void {
  page.keepFields(view, undefined);
  page.turn('form');
}

/** They fill in the form; nothing is saved yet. */
function presets(view: PolicyView, { values, disabled, edit }: Filled): TemplateResult {
  const isOn = (one: Preset) => Object.entries(one.values).every(([name, text]) => values[name] === text);
  return radios({
    ...{ name: 'preset', legend: t('Start from'), disabled, picked: view.presets.find(isOn)?.label },
    options: view.presets.map(({ label, more }) => ({ value: label, label, more })),
    pick: (label) => edit(view.presets.find((one) => one.label === label)?.values ?? {}),
  });
}

/** By subject, and only those that have all words of the search. */
function foldedFields(
  page: OneFormPage,
  shown: readonly FieldDef[],
  draw: (one: FieldDef) => TemplateResult,
): TemplateResult {
  const words = wanted.toLowerCase().split(/\s+/);
  const found = shown.filter(({ subject, label, hint = '' }) => {
    const text = `${subject ?? ''} ${label} ${hint}`.toLowerCase();
    return subject !== undefined && words.every((word) => text.includes(word));
  });
  const subjects = [...new Set(found.map(({ subject }) => subject))];
  return html`<input
      type="search"
      class="text"
      aria-label=${t('Search the other rules')}
      placeholder=${t('Search the other rules')}
      .value=${wanted}
      @input=${(event: Event) => {
        wanted = (event.currentTarget as HTMLInputElement).value;
        page.edited();
      }}
    />
    ${subjects.map(
      (subject) =>
        html`<h2 class="plain-head">${subject}</h2>
          <div class="fields">${found.filter((one) => one.subject === subject).map(draw)}</div>`,
    )}
    ${found.length === 0 ? html`<p class="quiet" role="status">${t('No matches.')}</p>` : nothing}`;
}

/** Changes of the rules that need more people, who must sign the same. */
function proposedField(view: PolicyView, def: FieldDef, { disabled, edit }: Filled): Drawn {
  if (view.proposedRules.length === 0) return nothing;
  return html`<ul class="list">
    ${view.proposedRules.map(
      ({ text, rules }) =>
        html`<li>
          ${bdi(text)}: ${bdi(wordsOf(def, { rules }).join('; '))}
          ${disabled ? nothing : link(t('Use this answer'), () => edit({ rules }), { act: 'same-rules' })}
        </li>`,
    )}
  </ul>`;
}

function changes(view: PolicyView, values: Values): TemplateResult {
  return html`<dl class="changes">
    ${changesOf(view, values).map((def) => {
      const [was, becomes] = [wordsOf(def, view.values), wordsOf(def, values)];
      const gone = was.filter((one) => !becomes.includes(one)).map((one) => html`<del>${visible(one)}</del>`);
      const come = becomes.filter((one) => !was.includes(one)).map((one) => html`<ins>${visible(one)}</ins>`);
      return html`<dt>${def.label}</dt>
        <dd>
          ${gone.map((one, n) => [one, come[n]])} ${come.slice(gone.length)}
          ${was.join('\n') === becomes.join('\n') ? html`<ins>${visible(becomes.join())}</ins>` : nothing}
        </dd>`;
    })}
  </dl>`;
}
