/** How questions age in a workspace, what hooks always allow, and the name this editor signs with. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { PolicyView } from '../../src/ui/answer/workspace.ts';
import { browserNote, done, formOf, inTwoSteps, isFrozen, refusal, wideTitle } from '../shared/deciding.ts';
import { button, notice, visible, visibleText } from '../shared/elements.ts';
import { hintFor, nameField, numberInput, radios, selectField } from '../shared/fields.ts';
import { t, th, tn } from '../shared/strings.ts';
import type { WorkspacePage as Page } from './acts.ts';
import { interruptionFields, interruptionsOf, interruptionsWords } from './interruptions.ts';
import { leaseFields, leaseOf, leaseWords } from './lease.ts';
import { linesField } from './linesField.ts';
import { daysOf, policyChanges, rulesOf, toolsOf, undoSecondsOf } from './policyActs.ts';
import type { PolicyDraft } from './policyActs.ts';
import { lifeWords, remindersOf, reminderWords, timeFields } from './reminders.ts';
import { resumingFields, resumingWords } from './resuming.ts';
import { ruleFields, ruleWords } from './rules.ts';

const ends = {
  expire: [t('It expires'), t('Its task fails. Its work stays held until you answer or dismiss it.')],
  escalate: [
    t('It becomes critical'),
    t('It keeps waiting and holds its whole workflow. Questions that hold no work still expire.'),
  ],
} as const satisfies Record<PolicyView['onExpiry'], readonly [string, string]>;

export function policyForm(page: Page, view: PolicyView): TemplateResult {
  const draft = page.policyDraft();
  const frozen = isFrozen(page, view);
  return html`<article class="plain">
    ${wideTitle('settings-gear', t('Policy'), view.folder)}
    <p class="quiet">
      ${t('The rules of this workspace: how long questions wait, what happens to overdue requests and submitted RFCs, when old notes are hidden, and which tools hooks always allow. Stored here and signed by you; no settings file can change it.')}
    </p>
    ${formOf(
      page,
      html`${page.isPolicyStale(view) ? notice('info', 'history', t('The policy has changed since you started. Check it before you save.')) : nothing}
      ${timeFields(page, 'wait', draft.life, { disabled: frozen, edit: (life) => page.editPolicy({ life }) })}
      ${atTheEnd(page, draft, frozen)}
      ${interruptionFields(page, draft.interruptions, { disabled: frozen, edit: (interruptions) => page.editPolicy({ interruptions }) })}
      ${timeFields(page, 'remind', draft.reminders, { disabled: frozen, edit: (reminders) => page.editPolicy({ reminders }) })}
      ${timeFields(page, 'park', draft.parking, { disabled: frozen, edit: (parking) => page.editPolicy({ parking }) })}
      ${resumingFields(draft.resuming, { disabled: frozen, edit: (resuming) => page.editPolicy({ resuming }) })}
      ${leaseFields(page, draft.lease, { disabled: frozen, edit: (lease) => page.editPolicy({ lease }) })}
      ${undo(page, draft, frozen)} ${tickedUpTo(page, draft, frozen)} ${overdue(page, view, draft, frozen)}
      ${review(page, draft, frozen)} ${age(page, draft, frozen)} ${readOnlyTools(page, draft, frozen)}
      ${ruleFields(page, view, draft, frozen)}
      ${view.inBrowser === undefined ? nothing : browserNote(page, view.key, view.inBrowser)}
      ${nameField(page, view.answersAs, frozen || view.nameIsManaged === true, { value: draft.name, edit: (name) => page.editPolicy({ name }) })}
      ${view.nameIsManaged === true ? html`<p class="quiet small">${t('This name is set in the key ring and cannot be changed here.')}</p>` : nothing}
      ${refusal(page)} ${done(page)}
      ${inTwoSteps(page, view, {
        ask: t('Change the policy?'),
        content: changes(view, draft),
        yes: t('Yes, change it'),
        send: t('Save'),
        before: hintFor(page, 'confirm'),
        after: discard(page, view),
        act: page.changePolicy,
      })}`,
      { act: page.changePolicy, kind: 'policy' },
    )}
  </article>`;
}

/** What was entered stays when the form is left, so a button shows the policy that is in force again. */
function discard(page: Page, view: PolicyView): TemplateResult | typeof nothing {
  return page.isPolicyEdited(view) ? button(t('Discard changes'), page.discardPolicy, { act: 'discard' }) : nothing;
}

interface Amount {
  readonly name: 'undo' | 'days';
  readonly label: string;
  readonly unit: string;
  readonly hint: string;
}

function amount(
  page: Page,
  draft: PolicyDraft,
  disabled: boolean,
  { name, label, unit, hint }: Amount,
): TemplateResult {
  return html`<div class="policy-field">
    <label class="field-label" for=${name}>${label}</label>
    <p class="hours">
      ${numberInput(page, { name, value: draft[name], disabled, edit: (value) => page.editPolicy({ [name]: value }) })}
      <span id="${name}-unit">${unit}</span>
    </p>
    ${hintFor(page, name)}
    <p class="quiet small" id="${name}-hint">${hint}</p>
  </div>`;
}

/** How long a decision can be taken back in the queue. */
function undo(page: Page, draft: PolicyDraft, disabled: boolean): TemplateResult {
  const unit = tn(undoSecondsOf(draft) ?? 0, 'second', 'seconds');
  return amount(page, draft, disabled, {
    name: 'undo',
    label: t('Undo window'),
    unit,
    hint: t(
      'In “Answer One After Another”, a decision is signed and sent after this time. Leave empty to send it immediately.',
    ),
  });
}

function undoWords(seconds: number): string {
  return seconds === 0 ? t('never') : t('{n} s', { n: seconds });
}

const reviewers = {
  human: [t('You are notified immediately'), t('You can start a review by a language model yourself.')],
  model: [
    t('A language model reviews it first'),
    t('You are notified afterwards, with the questions that are left. Only you can approve it.'),
  ],
} as const satisfies Record<string, readonly [string, string]>;

const reviewerOf = (onSubmit: boolean) => (onSubmit ? 'model' : 'human');

/** Who sees a submitted RFC first. */
function review(page: Page, draft: PolicyDraft, disabled: boolean): TemplateResult {
  return radios({
    name: 'review',
    legend: t('When an agent submits an RFC'),
    options: (['human', 'model'] as const).map((one) => ({
      value: one,
      label: reviewers[one][0],
      more: reviewers[one][1],
    })),
    picked: reviewerOf(draft.reviewOnSubmit),
    disabled,
    pick: (one) => page.editPolicy({ reviewOnSubmit: one === 'model' }),
  });
}

/** When informational events leave the briefing. */
function age(page: Page, draft: PolicyDraft, disabled: boolean): TemplateResult {
  const unit = tn(daysOf(draft) ?? 0, 'day', 'days');
  return amount(page, draft, disabled, {
    name: 'days',
    label: t('Hide notes that nothing has mentioned for'),
    unit,
    hint: t(
      'Leave empty to keep all notes. Warnings, critical notes and decisions always stay; a search finds the others.',
    ),
  });
}

function daysWords(days: number): string {
  return days === 0 ? t('never') : t('{n} days', { n: days });
}

function atTheEnd(page: Page, draft: PolicyDraft, disabled: boolean): TemplateResult {
  return radios({
    name: 'end',
    legend: t('If there is no answer by then'),
    options: (['expire', 'escalate'] as const).map((one) => ({
      value: one,
      label: ends[one][0],
      more: ends[one][1],
    })),
    picked: draft.onExpiry,
    disabled,
    pick: (onExpiry) => page.editPolicy({ onExpiry }),
  });
}

const ticks = {
  none: t('none'),
  low: t('those of low urgency'),
  medium: t('those up to medium urgency'),
  high: t('all but critical ones'),
} as const satisfies Record<PolicyView['tickedUpTo'], string>;

/** Which assumptions a human need only look at, and which take a tick of their own. */
function tickedUpTo(page: Page, draft: PolicyDraft, disabled: boolean): TemplateResult {
  const all = ['high', 'medium', 'low', 'none'] as const;
  const edit = (value: string) => {
    page.editPolicy({ tickedUpTo: all.find((one) => one === value) ?? 'none' });
  };
  return selectField(
    page,
    {
      name: 'ticked',
      label: t('Preselect assumptions up to'),
      value: draft.tickedUpTo,
      disabled,
      edit,
      kind: 'policy-field',
    },
    all.map((value) => ({ value, text: ticks[value] })),
  );
}

const overdues = {
  alert: [t('You are notified once'), t('It is marked overdue in lists and in its history.')],
  escalate: [t('It moves to the top'), t('You are notified once, and it gets the highest priority.')],
  reassign: [t('It is reassigned'), t('It is offered to the new assignee, with the full agreed time.')],
} as const satisfies Record<PolicyView['overdue'], readonly [string, string]>;

/** What happens to overdue accepted requests. */
function overdue(page: Page, view: PolicyView, draft: PolicyDraft, disabled: boolean): TemplateResult {
  return html`${radios({
    name: 'overdue',
    legend: t('If an accepted request is overdue'),
    options: (['alert', 'escalate', 'reassign'] as const).map((one) => ({
      value: one,
      label: overdues[one][0],
      more: overdues[one][1],
    })),
    picked: draft.overdue,
    disabled,
    pick: (action) => page.editPolicy({ overdue: action }),
  })}
  ${draft.overdue === 'reassign' ? heir(page, view, draft, disabled) : nothing}`;
}

function heir(page: Page, view: PolicyView, draft: PolicyDraft, disabled: boolean): TemplateResult {
  const edit = (reassignTo: string) => {
    page.editPolicy({ reassignTo });
  };
  const known = view.responsibilities.map(({ id, name }) => {
    return { value: id, text: `${visibleText(name)} (${visibleText(id)})` };
  });
  return selectField(
    page,
    { name: 'reassign', label: t('New assignee'), value: draft.reassignTo, disabled, edit, kind: 'policy-field' },
    [{ value: '', text: '' }, ...known],
  );
}

/** The tools that hooks always allow. */
function readOnlyTools(page: Page, draft: PolicyDraft, disabled: boolean): TemplateResult {
  return linesField(page, {
    name: 'tools',
    label: t('Read-only MCP tools'),
    example: t('for example docs/search'),
    hint: t(
      'Hooks allow these while work is held; every other MCP tool is assumed to change something. One per line: server name, slash, tool name.',
    ),
    value: draft.tools,
    disabled,
    edit: (tools) => {
      page.editPolicy({ tools });
    },
  });
}

function toolWords(tools: readonly string[]): string {
  return tools.length === 0 ? t('none') : tools.join(', ');
}

function overdueWords(action: PolicyView['overdue'], to: string): string {
  const label = overdues[action][0];
  return action === 'reassign' ? `${label} (${visibleText(to)})` : label;
}

/** The list of changes: old and new values. */
function changes(view: PolicyView, draft: PolicyDraft): TemplateResult {
  const was = {
    ...leaseWords(view.lease),
    ...interruptionsWords(view.interruptions),
    life: lifeWords(view.lifeHours),
    onExpiry: ends[view.onExpiry][0],
    reminders: reminderWords(view.reminders),
    parking: reminderWords(view.parking),
    resuming: resumingWords(view.resuming),
    undo: undoWords(view.undoSeconds),
    ticked: ticks[view.tickedUpTo],
    overdue: overdueWords(view.overdue, view.reassignTo ?? ''),
    review: reviewers[reviewerOf(view.reviewOnSubmit)][0],
    age: daysWords(view.ageDays),
    tools: toolWords(view.readOnlyTools),
    rules: ruleWords(view.rules),
    name: view.answersAs.name,
  };
  const becomes = {
    ...interruptionsWords(interruptionsOf(draft.interruptions)),
    ...leaseWords(draft.lease ? leaseOf(draft.lease) : undefined),
    life: lifeWords(remindersOf(draft.life, 'wait') ?? view.lifeHours),
    onExpiry: ends[draft.onExpiry][0],
    reminders: reminderWords(remindersOf(draft.reminders) ?? view.reminders),
    parking: reminderWords(remindersOf(draft.parking) ?? view.parking),
    resuming: resumingWords(draft.resuming),
    undo: undoWords(undoSecondsOf(draft) ?? 0),
    ticked: ticks[draft.tickedUpTo],
    overdue: overdueWords(draft.overdue, draft.reassignTo),
    review: reviewers[reviewerOf(draft.reviewOnSubmit)][0],
    age: daysWords(daysOf(draft) ?? 0),
    tools: toolWords(toolsOf(draft)),
    rules: ruleWords(rulesOf(draft)),
    name: draft.name.trim(),
  };
  const labels = {
    lease: t('Without the team’s server, agents can continue for'),
    afterLease: t('After this time'),
    strict: t('Files that always need the server'),
    life: t('A question waits for'),
    onExpiry: t('If there is no answer by then'),
    reminders: t('Remind me of open questions every'),
    parking: t('Agents that pay for waiting park after'),
    interruptions: t('New questions notify me'),
    digest: t('A digest comes at most every'),
    perHour: t('Maximum notifications per agent per hour'),
    agents: t('Exceptions for agents'),
    resuming: t('When you answer, restart these parked agents'),
    undo: t('Undo window'),
    ticked: t('Preselect assumptions up to'),
    overdue: t('If an accepted request is overdue'),
    review: t('When an agent submits an RFC'),
    age: t('Hide notes that nothing has mentioned for'),
    tools: t('Read-only MCP tools'),
    rules: t('Decisions by several people'),
    name: t('Your name'),
  } as const;
  return html`<dl class="changes">
    ${policyChanges(view, draft).map(
      (one) =>
        html`<dt>${labels[one]}</dt>
          <dd>
            <strong><bdi>${visible(becomes[one])}</bdi></strong>
            ${
              was[one] === becomes[one]
                ? nothing
                : html` <span>${th('(was: {value})', { value: html`<bdi>${visible(was[one])}</bdi>` })}</span>`
            }
          </dd>`,
    )}
  </dl>`;
}
