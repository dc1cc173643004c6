/** The rules of a workspace, as a form: the host sends its fields, and this draws them, the changes and the message. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PolicyMessage } from '../../src/ui/answer/messages.ts';
import type { PolicyView } from '../../src/ui/answer/workspace.ts';
import { browserNote, done, formOf, inTwoSteps, isFrozen, refusal, wideTitle } from '../shared/deciding.ts';
import { button, link, notice, visible } from '../shared/elements.ts';
import {
  field,
  fieldsFor,
  hintFor,
  nameField,
  problemOf,
  radios,
  sameText,
  wordsOf,
  type FieldDef,
  type Values,
} from '../shared/fields.ts';
import type { FormActs, OneFormPage } from '../shared/oneForm.ts';
import { part } from '../shared/parts.ts';
import type { Missing } from '../shared/signing.ts';
import { t } from '../shared/strings.ts';

type Page = OneFormPage &
  ReturnType<typeof createPolicyActs> & {
    readonly dispatch: (
      message: { readonly type: 'back' } | { readonly type: 'select' | 'openInBrowser'; readonly key: string },
    ) => void;
  };

const name: FieldDef = { type: 'line', name: 'name', label: t('Your name') };
const advanced = 'advanced';
type Preset = PolicyView['presets'][number];

/** The policy as the form shows it before anything was entered. */
const shownValues = ({ values, answersAs }: PolicyView): Values => ({ ...values, name: answersAs.name });

function changesOf(view: PolicyView, values: Values): FieldDef[] {
  const shown = shownValues(view);
  const all = fieldsFor(view.fields, values).filter((one) => sameText(one, values) !== sameText(one, shown));
  const isNamed = sameText(name, values) === view.answersAs.name && !view.answersAs.editable;
  return isNamed ? all : [...all, name];
}

function problem(view: PolicyView, values: Values): Missing | undefined {
  for (const one of fieldsFor(view.fields, values)) {
    const wrong = problemOf(one, values);
    if (wrong) return wrong;
  }
  if (sameText(name, values) === '') return { field: 'name', text: t('Enter your name first.') };
  return changesOf(view, values).length > 0 ? undefined : { field: 'confirm', text: t('Nothing has changed yet.') };
}

export function createPolicyActs(acts: FormActs<PolicyMessage>, view: () => PolicyView | undefined) {
  let wanted = '';
  const policyValues = (of: PolicyView): Values => {
    const values = { ...shownValues(of), ...acts.fieldsOf(of.key)?.fields };
    // A choice that is not offered any more has no effect.
    const gone = of.fields.filter(
      ({ type, name, options = [] }) => type === 'select' && !options.some(({ value }) => value === values[name]),
    );
    return { ...values, ...Object.fromEntries(gone.map((one) => [one.name, of.values[one.name] ?? ''])) };
  };
  return {
    policyValues,
    /** What was entered and not saved. */
    policyDraft: ({ key }: PolicyView) => acts.fieldsOf(key),
    /** What the folded fields are searched for. */
    policySearch: (): string => wanted,

    searchPolicy: (text: string): void => {
      wanted = text;
      acts.edited();
    },

    /** Keeps only what differs from the policy, so that the changes of others show, and saving does not undo them. */
    editPolicy: (change: Values): void => {
      const of = view();
      if (!of) return;
      const shown = shownValues(of);
      const edited = Object.entries({ ...policyValues(of), ...change }).filter(([one, text]) => shown[one] !== text);
      acts.keepFields(of, edited.length === 0 ? undefined : Object.fromEntries(edited));
    },

    discardPolicy: (): void => {
      const of = view();
      if (!of) return;
      acts.keepFields(of, undefined);
      acts.turn('form');
    },

    changePolicy: (): void => {
      const target = view();
      if (!target || target.locked !== undefined) return;
      const { name: typed = '', ...values } = policyValues(target);
      const lacking = problem(target, { ...values, name: typed });
      const isFolded = target.fields.some((one) => one.subject !== undefined && lacking?.field.startsWith(one.name));
      if (isFolded && acts.ready()) {
        wanted = '';
        acts.unfold(advanced, true);
      }
      acts.attempt({
        ...{ target, name: typed, lacking, twice: true },
        make: (marks) => ({ type: 'policy', ...marks, name: typed.trim(), values, confirmed: true }),
      });
    },
  };
}

export function policyForm(page: Page, view: PolicyView): TemplateResult {
  const values = page.policyValues(view);
  const draft = page.policyDraft(view);
  const disabled = isFrozen(page, view);
  const form = { values, disabled, edit: page.editPolicy };
  const shown = fieldsFor(view.fields, values);
  const draw = (one: FieldDef) => field(page, one, form, one.name === 'rules' ? proposed(page, view, one) : nothing);
  return html`<article class="plain">
    ${wideTitle('settings-gear', t('Rules'), view.folder)}
    <p class="quiet">
      ${t('The policy of this workspace. You sign it; no settings file can change it, and none of it releases a hold.')}
    </p>
    ${formOf(
      page,
      html`${draft && draft.shown !== view.shown ? notice('info', 'history', t('The policy has changed since you started. Check it before you save.')) : nothing}
      ${disabled ? nothing : presets(page, view, values)}
      ${shown.filter(({ subject }) => subject === undefined).map(draw)}
      ${part(page, advanced, t('Advanced'), folded(page, shown, draw))}
      ${view.inBrowser === undefined ? nothing : browserNote(page, view.key, view.inBrowser)}
      ${nameField(page, { value: values['name'] ?? '', disabled: disabled || view.nameIsManaged === true, edit: (text) => page.editPolicy({ name: text }) })}
      ${view.nameIsManaged === true ? html`<p class="quiet small">${t('This name is set in the team’s list of keys and cannot be changed here.')}</p>` : nothing}
      ${refusal(page)} ${done(page)}
      ${inTwoSteps(page, view, {
        ask: t('Change the policy?'),
        content: changes(view, values),
        yes: t('Yes, change it'),
        send: t('Save'),
        before: hintFor(page, 'confirm'),
        // What was entered stays when the form is left; this shows the policy that is in force again.
        after: draft ? button(t('Discard changes'), page.discardPolicy, { act: 'discard' }) : nothing,
        act: page.changePolicy,
      })}`,
      { act: page.changePolicy, kind: 'policy' },
    )}
  </article>`;
}

/** They fill in the form; nothing is saved yet. */
function presets(page: Page, view: PolicyView, values: Values): TemplateResult {
  const isOn = (one: Preset) => Object.entries(one.values).every(([name, text]) => values[name] === text);
  return radios({
    ...{ name: 'preset', legend: t('Start from'), disabled: false, picked: view.presets.find(isOn)?.label },
    options: view.presets.map(({ label, more }) => ({ value: label, label, more })),
    pick: (label) => page.editPolicy(view.presets.find((one) => one.label === label)?.values ?? {}),
  });
}

/** By subject, and only those that have all words of the search. */
function folded(page: Page, shown: readonly FieldDef[], draw: (one: FieldDef) => TemplateResult): TemplateResult {
  const words = page.policySearch().toLowerCase().split(/\s+/);
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
      .value=${page.policySearch()}
      @input=${(event: Event) => {
        page.searchPolicy((event.currentTarget as HTMLInputElement).value);
      }}
    />
    ${subjects.map(
      (subject) =>
        html`<h2 class="plain-head">${subject}</h2>
          ${found.filter((one) => one.subject === subject).map(draw)}`,
    )}
    ${found.length === 0 ? html`<p class="quiet" role="status">${t('No matches.')}</p>` : nothing}`;
}

/** Changes of the rules that need more people, who must sign the same. */
function proposed(page: Page, view: PolicyView, def: FieldDef): TemplateResult | typeof nothing {
  if (view.proposedRules.length === 0) return nothing;
  return html`<ul class="list">
    ${view.proposedRules.map(
      ({ text, rules }) =>
        html`<li>
          <bdi>${visible(text)}</bdi>: <bdi>${visible(wordsOf(def, { rules }).join('; '))}</bdi>
          ${isFrozen(page, view) ? nothing : link(t('Use this answer'), () => page.editPolicy({ rules }), { act: 'same-rules' })}
        </li>`,
    )}
  </ul>`;
}

function changes(view: PolicyView, values: Values): TemplateResult {
  return html`<dl class="changes">
    ${changesOf(view, values).map((def) => {
      const [was, becomes] = [wordsOf(def, shownValues(view)), wordsOf(def, values)];
      return html`<dt>${def.label}</dt>
        <dd>
          ${was.filter((one) => !becomes.includes(one)).map((one) => html`<del>${visible(one)}</del>`)}
          ${becomes.filter((one) => !was.includes(one)).map((one) => html`<ins>${visible(one)}</ins>`)}
          ${was.join('\n') === becomes.join('\n') ? html`<ins>${visible(becomes.join())}</ins>` : nothing}
        </dd>`;
    })}
  </dl>`;
}
