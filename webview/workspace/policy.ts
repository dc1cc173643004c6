/** The policy of a workspace, as a form: its fields are data, and so are the list of changes and the message. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PolicyMessage } from '../../src/ui/answer/messages.ts';
import type { PolicyView } from '../../src/ui/answer/workspace.ts';
import { browserNote, done, formOf, inTwoSteps, isFrozen, refusal, wideTitle } from '../shared/deciding.ts';
import { button, link, notice, visible, visibleText } from '../shared/elements.ts';
import {
  entriesOf,
  field,
  hintFor,
  linesOf,
  nameField,
  problemOf,
  sameText,
  urgencies,
  wordsOf,
  type FieldDef,
  type Values,
} from '../shared/fields.ts';
import type { FormActs, OneFormPage } from '../shared/oneForm.ts';
import type { Missing } from '../shared/signing.ts';
import { t, th, tn } from '../shared/strings.ts';

type Page = OneFormPage &
  ReturnType<typeof createPolicyActs> & {
    readonly dispatch: (
      message: { readonly type: 'back' } | { readonly type: 'select' | 'openInBrowser'; readonly key: string },
    ) => void;
  };

const hour = (n: number) => tn(n, 'hour', 'hours');
const minute = (n: number) => tn(n, 'minute', 'minutes');
const second = (n: number) => tn(n, 'second', 'seconds');
const minutesOrNever = (n: number) => (n === 0 ? t('never') : t('{n} min', { n }));
const wrongMinutes = t('Enter a whole number of minutes up to 1,440 (a day), or leave it empty.');

const toolsIn = (text: string): string[] => [...new Set(text.split(/[\s,;]+/).filter((one) => one !== ''))];
const globsIn = (text: string): string[] => [...new Set(linesOf(text))];

/** In the format that the host accepts (core/kit/serverTool.ts). */
function wrongTool(one: string): string | undefined {
  if (/^[\w.-]{1,99}\/[\w.:-]{1,100}$/.test(one)) return undefined;
  return t('“{name}” is not a tool. Use server/tool, for example docs/search.', {
    name: visibleText(one.slice(0, 200)),
  });
}

function wrongGlob(one: string): string | undefined {
  const max = 300;
  if (one.length <= max) return undefined;
  return t('“{name}…” is longer than {max} characters.', { name: visibleText(one.slice(0, 40)), max });
}

const lease: readonly FieldDef[] = [
  {
    ...{ type: 'number', name: 'lease', max: 3_600, unit: second },
    label: t('Without the team’s server, agents can continue for'),
    hint: t('Held work stays held. At most an hour (3,600).'),
    wrong: t('Enter a whole number of seconds up to 3,600.'),
    words: (n) => (n === 0 ? t('not at all') : t('{n} s', { n })),
  },
  {
    ...{ type: 'select', name: 'after', label: t('After this time') },
    options: [
      { value: 'deny', label: t('Agents change nothing until the server answers') },
      { value: 'allow', label: t('Agents continue with work that is not held') },
    ],
  },
  {
    ...{ type: 'lines', name: 'globs', max: 100, split: globsIn, wrong: wrongGlob },
    label: t('Files that always need the server'),
    example: t('for example payments/**'),
    hint: t('Agents cannot change these while the server does not answer. One path or pattern per line.'),
    tooMany: (n, max) => t('{n} patterns; the limit is {max}.', { n, max }),
  },
];

/** In the order of the form. */
const fields: readonly FieldDef[] = [
  {
    ...{ type: 'times', name: 'wait', least: 1, max: 8_760, unit: hour },
    label: t('A question waits for'),
    hint: t('From 1 hour to a year (8,760). Applies to new questions.'),
    wrong: t('Enter a whole number of hours from 1 to 8,760.'),
    words: (n) => t('{n} h', { n }),
  },
  {
    ...{ type: 'radios', name: 'end', label: t('If there is no answer by then') },
    options: [
      {
        ...{ value: 'expire', label: t('It expires') },
        more: t('Its task fails. Its work stays held until you answer or dismiss it.'),
      },
      {
        ...{ value: 'escalate', label: t('It becomes critical') },
        more: t('It keeps waiting and holds its whole workflow. Questions that hold no work still expire.'),
      },
    ],
  },
  {
    ...{ type: 'ways', name: 'how', label: t('New questions notify me') },
    options: [
      { value: 'now', label: t('immediately') },
      { value: 'digest', label: t('in a digest') },
      { value: 'silent', label: t('only in the list') },
    ],
    hint: t(
      'A digest is one notification for everything since the last digest. This changes notifications and reminders only: whatever you choose, questions hold their work, and the list shows them.',
    ),
  },
  {
    ...{ type: 'number', name: 'digest', least: 1, max: 1_440, unit: minute },
    label: t('A digest comes at most every'),
    wrong: t('Enter a whole number of minutes from 1 to 1,440 (a day).'),
    words: (n) => t('{n} min', { n }),
  },
  {
    ...{ type: 'number', name: 'perHour', max: 1_000 },
    label: t('Maximum notifications per agent per hour'),
    hint: t('Any further questions wait for the digest, except critical ones. Leave empty for no limit.'),
    wrong: t('Enter a whole number up to 1,000, or leave it empty.'),
    words: (n) => (n === 0 ? t('no limit') : String(n)),
  },
  {
    ...{ type: 'lines', name: 'agents', max: 50, joined: '; ' },
    label: t('Exceptions for agents'),
    example: t('for example build-bot low: silent'),
    hint: t(
      'One per line: the agent’s ID (or its type, for all agents of that type), urgencies if not for all, then now, digest or silent. Critical questions only follow a line that names “critical”. The first line that matches is used.',
    ),
  },
  {
    ...{ type: 'times', name: 'remind', max: 1_440, unit: minute, words: minutesOrNever, wrong: wrongMinutes },
    label: t('Remind me of open questions every'),
    hint: t('Leave a field empty for no reminders. None appear while the list of questions is in view.'),
  },
  {
    ...{ type: 'times', name: 'park', max: 1_440, unit: minute, words: minutesOrNever, wrong: wrongMinutes },
    label: t('Agents that pay for waiting park after'),
    hint: t(
      'Claude Code, Codex and opencode pay for their whole context again once its cache has expired. After this time they are asked to leave a resume brief and end their turn. Everything stays held. Leave a field empty to let them wait.',
    ),
  },
  {
    ...{ type: 'ticks', name: 'resume', none: t('None') },
    label: t('When you answer, restart these parked agents'),
    options: [
      { value: 'claude-code', label: t('Claude Code (claude --resume)') },
      { value: 'codex', label: t('Codex (codex resume)') },
      { value: 'copilot-cli', label: t('Copilot CLI (copilot --resume)') },
      { value: 'opencode', label: t('opencode (opencode run --session)') },
    ],
    hint: t(
      'Off: the form offers a button instead. On: the window starts the program in a terminal, in the folder of its session, with your account, as the form shows before you answer.',
    ),
  },
  ...lease,
  {
    ...{ type: 'number', name: 'undo', max: 60, unit: second },
    label: t('Undo window'),
    hint: t(
      'In “Answer One After Another”, a decision is signed and sent after this time. Leave empty to send it immediately.',
    ),
    wrong: t('Enter a whole number of seconds up to 60, or leave it empty.'),
    words: (n) => (n === 0 ? t('never') : t('{n} s', { n })),
  },
  {
    ...{ type: 'select', name: 'ticked', label: t('Preselect assumptions up to') },
    options: [
      { value: 'high', label: t('all but critical ones') },
      { value: 'medium', label: t('those up to medium urgency') },
      { value: 'low', label: t('those of low urgency') },
      { value: 'none', label: t('none') },
    ],
  },
  {
    ...{ type: 'radios', name: 'overdue', label: t('If an accepted request is overdue') },
    options: [
      {
        ...{ value: 'alert', label: t('You are notified once') },
        more: t('It is marked overdue in lists and in its history.'),
      },
      {
        ...{ value: 'escalate', label: t('It moves to the top') },
        more: t('You are notified once, and it gets the highest priority.'),
      },
      {
        ...{ value: 'reassign', label: t('It is reassigned') },
        more: t('It is offered to the new assignee, with the full agreed time.'),
      },
    ],
  },
  { type: 'select', name: 'reassign', label: t('New assignee') },
  {
    ...{ type: 'radios', name: 'review', label: t('When an agent submits an RFC') },
    options: [
      {
        ...{ value: 'human', label: t('You are notified immediately') },
        more: t('You can start a review by a language model yourself.'),
      },
      {
        ...{ value: 'model', label: t('A language model reviews it first') },
        more: t('You are notified afterwards, with the questions that are left. Only you can approve it.'),
      },
    ],
  },
  {
    ...{ type: 'number', name: 'days', max: 3_650, unit: (n) => tn(n, 'day', 'days') },
    label: t('Hide notes that nothing has mentioned for'),
    hint: t(
      'Leave empty to keep all notes. Warnings, critical notes and decisions always stay; a search finds the others.',
    ),
    wrong: t('Enter a whole number of days up to 3,650, or leave it empty.'),
    words: (n) => (n === 0 ? t('never') : t('{n} days', { n })),
  },
  {
    ...{ type: 'lines', name: 'tools', max: 100, split: toolsIn, wrong: wrongTool },
    label: t('Read-only MCP tools'),
    example: t('for example docs/search'),
    hint: t(
      'Hooks allow these while work is held; every other MCP tool is assumed to change something. One per line: server name, slash, tool name.',
    ),
    tooMany: (n, max) => t('{n} tools; the limit is {max}.', { n, max }),
  },
  {
    ...{ type: 'lines', name: 'rules', max: 50, joined: '; ' },
    label: t('Decisions by several people'),
    example: t('for example payments/**: 2 of ada, grace, linus'),
    hint: t(
      'One rule per line: the items it covers (file patterns, urgencies, clarification, decision, approval, rfc, or everything), how many, and of whom. Changing a rule needs the approvals it requires. “critical: passkey” asks for a passkey instead. Then only passkeys of this workspace sign such decisions, in a browser, and only a passkey loosens that rule.',
    ),
    tooMany: (_, max) => t('At most {max} rules.', { max }),
  },
];

const name: FieldDef = { type: 'line', name: 'name', label: t('Your name') };

/** The fields that apply now. */
function fieldsOf(view: PolicyView, { overdue }: Values): FieldDef[] {
  const known = view.responsibilities.map(({ id, name }) => {
    return { value: id, label: `${visibleText(name)} (${visibleText(id)})` };
  });
  return fields
    .filter(
      (one) =>
        (view.lease !== undefined || !lease.includes(one)) && (overdue === 'reassign' || one.name !== 'reassign'),
    )
    .map((one) => (one.name === 'reassign' ? { ...one, options: [{ value: '', label: '' }, ...known] } : one));
}

type ByUrgency<T> = Readonly<Record<(typeof urgencies)[number], T>>;

const amount = (n: number): string => (n === 0 ? '' : String(n));
const spread = (name: string, all: ByUrgency<string>): Values =>
  Object.fromEntries(urgencies.map((one) => [`${name}-${one}`, all[one]]));
const amounts = (name: string, { critical, high, medium, low }: ByUrgency<number>): Values =>
  spread(name, { critical: amount(critical), high: amount(high), medium: amount(medium), low: amount(low) });

/** The policy as the form shows it before anything was entered. */
function shownValues(view: PolicyView): Values {
  const { interruptions, lease: without } = view;
  return {
    ...amounts('wait', view.lifeHours),
    ...amounts('remind', view.reminders),
    ...amounts('park', view.parking),
    ...spread('how', interruptions.urgencies),
    ...{ end: view.onExpiry, overdue: view.overdue, reassign: view.reassignTo ?? '', ticked: view.tickedUpTo },
    ...{ digest: String(interruptions.digestMinutes), perHour: amount(interruptions.perHour) },
    ...{ agents: interruptions.agents.join('\n'), resume: view.resuming.join('\n') },
    ...{ undo: amount(view.undoSeconds), days: amount(view.ageDays), review: view.reviewOnSubmit ? 'model' : 'human' },
    ...{ tools: view.readOnlyTools.join('\n'), rules: view.rules.join('\n'), name: view.answersAs.name },
    ...(without && {
      ...{ lease: String(without.seconds), after: without.after ?? 'deny', globs: without.strictGlobs.join('\n') },
    }),
  };
}

/** With what was entered; a choice that is not offered any more has no effect. */
function withEdited(view: PolicyView, edited: Values): Values {
  const shown = shownValues(view);
  const known = [view.reassignTo, ...view.responsibilities.map(({ id }) => id)];
  const { reassign = '' } = { ...shown, ...edited };
  return { ...shown, ...edited, reassign: known.includes(reassign) ? reassign : '' };
}

function changesOf(view: PolicyView, values: Values): FieldDef[] {
  const shown = shownValues(view);
  const all = fieldsOf(view, values).filter((one) => sameText(one, values) !== sameText(one, shown));
  const isNamed = sameText(name, values) === view.answersAs.name && !view.answersAs.editable;
  return isNamed ? all : [...all, name];
}

function problem(view: PolicyView, values: Values): Missing | undefined {
  for (const one of fieldsOf(view, values)) {
    const wrong = problemOf(one, values);
    if (wrong) return wrong;
    if (one.name === 'reassign' && values['reassign'] === '')
      return { field: 'reassign', text: t('Choose a new assignee.') };
  }
  if (sameText(name, values) === '') return { field: 'name', text: t('Enter your name first.') };
  return changesOf(view, values).length > 0 ? undefined : { field: 'confirm', text: t('Nothing has changed yet.') };
}

function contentOf(view: PolicyView, values: Values): Omit<PolicyMessage, 'type' | 'act' | 'key' | 'shown' | 'render'> {
  const text = (name: string) => values[name] ?? '';
  const number = (name: string) => Number(text(name).trim());
  const all = <T>(name: string, of: (field: string) => T) => {
    const [critical, high, medium, low] = urgencies.map((one) => of(`${name}-${one}`)) as [T, T, T, T];
    return { critical, high, medium, low };
  };
  const lines = (name: string) => entriesOf(fields.find((one) => one.name === name) ?? {}, values[name]);
  const overdue = text('overdue') as PolicyView['overdue'];
  return {
    ...{ name: text('name').trim(), overdue, confirmed: true },
    lifeHours: all('wait', number),
    reminders: all('remind', number),
    parking: all('park', number),
    onExpiry: text('end') as PolicyView['onExpiry'],
    interruptions: {
      urgencies: all('how', (one) => text(one) as PolicyView['interruptions']['urgencies']['low']),
      ...{ digestMinutes: number('digest'), perHour: number('perHour'), agents: lines('agents') },
    },
    resuming: lines('resume') as PolicyMessage['resuming'],
    ...(view.lease && {
      lease: {
        ...{ seconds: number('lease'), strictGlobs: lines('globs') },
        ...(text('after') === 'allow' ? { after: 'allow' as const } : {}),
      },
    }),
    ...(overdue === 'reassign' ? { reassignTo: text('reassign') } : {}),
    ...{ undoSeconds: number('undo'), ageDays: number('days'), tickedUpTo: text('ticked') as PolicyView['tickedUpTo'] },
    ...{ reviewOnSubmit: text('review') === 'model', readOnlyTools: lines('tools'), rules: lines('rules') },
  };
}

export function createPolicyActs(acts: FormActs<PolicyMessage>, view: () => PolicyView | undefined) {
  const policyValues = (of: PolicyView): Values => withEdited(of, acts.fieldsOf(of.key)?.fields ?? {});
  return {
    policyValues,
    /** What was entered and not saved. */
    policyDraft: ({ key }: PolicyView) => acts.fieldsOf(key),

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
      const values = policyValues(target);
      acts.attempt({
        ...{ target, name: values['name'] ?? '', lacking: problem(target, values), twice: true },
        make: (marks) => ({ type: 'policy', ...marks, ...contentOf(target, values) }),
      });
    },
  };
}

export function policyForm(page: Page, view: PolicyView): TemplateResult {
  const values = page.policyValues(view);
  const draft = page.policyDraft(view);
  const disabled = isFrozen(page, view);
  const form = { values, disabled, edit: page.editPolicy };
  return html`<article class="plain">
    ${wideTitle('settings-gear', t('Rules'), view.folder)}
    <p class="quiet">
      ${t('The rules of this workspace: how long questions wait, what happens to overdue requests and submitted RFCs, when old notes are hidden, and which tools hooks always allow. Stored here and signed by you; no settings file can change it.')}
    </p>
    ${formOf(
      page,
      html`${draft && draft.shown !== view.shown ? notice('info', 'history', t('The policy has changed since you started. Check it before you save.')) : nothing}
      ${fieldsOf(view, values).map((one) => field(page, one.name === 'rules' ? { ...one, more: people(page, view, disabled) } : one, form))}
      ${view.inBrowser === undefined ? nothing : browserNote(page, view.key, view.inBrowser)}
      ${nameField(page, { value: values['name'] ?? '', disabled: disabled || view.nameIsManaged === true, edit: (text) => page.editPolicy({ name: text }) })}
      ${view.nameIsManaged === true ? html`<p class="quiet small">${t('This name is set in the key ring and cannot be changed here.')}</p>` : nothing}
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

/** Below the rules: whom one can name, and changes that need more people, who must sign the same. */
function people(page: Page, { ring, proposedRules }: PolicyView, disabled: boolean): TemplateResult {
  return html`${ring.length === 0 ? nothing : html`<p class="quiet small">${t('Keys here: {names}.', { names: visibleText(ring.join(', ')) })}</p>`}
  ${
    proposedRules.length === 0
      ? nothing
      : html`<ul class="list">
          ${proposedRules.map(
            ({ text, rules }) =>
              html`<li>
                <bdi>${visible(text)}</bdi>: <bdi>${visible(rules.length === 0 ? t('none') : rules.join('; '))}</bdi>
                ${disabled ? nothing : link(t('Use this answer'), () => page.editPolicy({ rules: rules.join('\n') }), { act: 'same-rules' })}
              </li>`,
          )}
        </ul>`
  }`;
}

/** The list of changes: old and new values. */
function changes(view: PolicyView, values: Values): TemplateResult {
  const shown = shownValues(view);
  // The assignee belongs to what happens then.
  const words = (def: FieldDef, of: Values) =>
    def.name === 'overdue' && of['overdue'] === 'reassign'
      ? `${wordsOf(def, of)} (${visibleText(of['reassign'] ?? '')})`
      : wordsOf(def, of);
  const changed = changesOf(view, values);
  const overdue = fields.find((one) => one.name === 'overdue');
  const listed = changed.flatMap((one) =>
    one.name !== 'reassign' ? one : overdue && !changed.includes(overdue) ? overdue : [],
  );
  return html`<dl class="changes">
    ${listed.map((def) => {
      const [was, becomes] = [words(def, shown), words(def, values)];
      return html`<dt>${def.label}</dt>
        <dd>
          <strong><bdi>${visible(becomes)}</bdi></strong>
          ${was === becomes ? nothing : html` <span>${th('(was: {value})', { value: html`<bdi>${visible(was)}</bdi>` })}</span>`}
        </dd>`;
    })}
  </dl>`;
}
