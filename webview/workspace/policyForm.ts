/** How questions age in a workspace, what hooks always allow, and the name this editor signs with. */
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import type { PolicyView } from '../../src/protocol/workspace/forms.ts';
import { button, notice } from '../shared/buttons.ts';
import { radios } from '../shared/radios.ts';
import { t, th, tn } from '../shared/strings.ts';
import type { Key } from '../shared/strings.ts';
import { visible, visibleText } from '../shared/visible.ts';
import { daysOf, policyChanges, rulesOf, toolsOf, undoSecondsOf } from './policyActs.ts';
import type { PolicyDraft } from './policyDraft.ts';
import { interruptionFields, interruptionsOf, interruptionsWords } from './interruptions.ts';
import { linesField } from './linesField.ts';
import { leaseFields, leaseOf, leaseWords } from './lease.ts';
import { lifeWords, remindersOf, reminderWords, timeFields } from './reminders.ts';
import { resumingFields, resumingWords } from './resuming.ts';
import { ruleFields, ruleWords } from './rules.ts';
import { formOf, refusal } from '../shared/deciding.ts';
import { browserNote } from '../shared/inBrowser.ts';
import { hintFor, nameField, numberInput, selectField } from '../shared/fields.ts';
import type { WorkspacePage as Page } from './acts.ts';
import { done, inTwoSteps, isFrozen, wideTitle } from '../shared/wide.ts';

const ends = {
  expire: ['policy.expire', 'policy.expireMore'],
  escalate: ['policy.escalate', 'policy.escalateMore'],
} as const satisfies Record<PolicyView['onExpiry'], readonly [Key, Key]>;

export function policyForm(page: Page, view: PolicyView): TemplateResult {
  const draft = page.policyDraft();
  const frozen = isFrozen(page, view);
  return html`<article class="plain">
    ${wideTitle('settings-gear', t('policy.title'), view.folder)}
    <p class="quiet">${t('policy.about')}</p>
    ${formOf(
      page,
      html`${page.isPolicyStale(view) ? notice('info', 'history', t('policy.changed')) : nothing}
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
      ${nameField(page, view.answersAs.name, frozen || view.nameIsManaged === true, { value: draft.name, edit: (name) => page.editPolicy({ name }) })}
      ${view.nameIsManaged === true ? html`<p class="quiet small">${t('policy.nameIsManaged')}</p>` : nothing}
      ${refusal(page)} ${done(page)}
      ${inTwoSteps(page, view, {
        ask: t('policy.confirm'),
        content: changes(view, draft),
        yes: t('policy.yes'),
        send: t('policy.send'),
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
  return page.isPolicyEdited(view) ? button(t('policy.discard'), page.discardPolicy, { act: 'discard' }) : nothing;
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
  const unit = tn('policy.seconds', undoSecondsOf(draft) ?? 0);
  return amount(page, draft, disabled, { name: 'undo', label: t('policy.undo'), unit, hint: t('policy.undoHint') });
}

function undoWords(seconds: number): string {
  return seconds === 0 ? t('policy.never') : t('time.seconds', { n: seconds });
}

const reviewers = {
  human: ['policy.reviewHuman', 'policy.reviewHumanMore'],
  model: ['policy.reviewModel', 'policy.reviewModelMore'],
} as const satisfies Record<string, readonly [Key, Key]>;

const reviewerOf = (onSubmit: boolean) => (onSubmit ? 'model' : 'human');

/** Who sees a submitted RFC first. */
function review(page: Page, draft: PolicyDraft, disabled: boolean): TemplateResult {
  return radios({
    name: 'review',
    legend: t('policy.review'),
    options: (['human', 'model'] as const).map((one) => ({
      value: one,
      label: t(reviewers[one][0]),
      more: t(reviewers[one][1]),
    })),
    picked: reviewerOf(draft.reviewOnSubmit),
    disabled,
    pick: (one) => page.editPolicy({ reviewOnSubmit: one === 'model' }),
  });
}

/** When informational events leave the briefing. */
function age(page: Page, draft: PolicyDraft, disabled: boolean): TemplateResult {
  const unit = tn('policy.days', daysOf(draft) ?? 0);
  return amount(page, draft, disabled, { name: 'days', label: t('policy.age'), unit, hint: t('policy.ageHint') });
}

function daysWords(days: number): string {
  return days === 0 ? t('policy.never') : t('time.days', { n: days });
}

function atTheEnd(page: Page, draft: PolicyDraft, disabled: boolean): TemplateResult {
  return radios({
    name: 'end',
    legend: t('policy.onExpiry'),
    options: (['expire', 'escalate'] as const).map((one) => ({
      value: one,
      label: t(ends[one][0]),
      more: t(ends[one][1]),
    })),
    picked: draft.onExpiry,
    disabled,
    pick: (onExpiry) => page.editPolicy({ onExpiry }),
  });
}

const ticks = {
  none: 'policy.tickedNone',
  low: 'policy.tickedLow',
  medium: 'policy.tickedMedium',
  high: 'policy.tickedHigh',
} as const satisfies Record<PolicyView['tickedUpTo'], Key>;

/** Which assumptions a human need only look at, and which take a tick of their own. */
function tickedUpTo(page: Page, draft: PolicyDraft, disabled: boolean): TemplateResult {
  const all = ['high', 'medium', 'low', 'none'] as const;
  const edit = (value: string) => {
    page.editPolicy({ tickedUpTo: all.find((one) => one === value) ?? 'none' });
  };
  return selectField(
    page,
    { name: 'ticked', label: t('policy.ticked'), value: draft.tickedUpTo, disabled, edit, kind: 'policy-field' },
    all.map((value) => ({ value, text: t(ticks[value]) })),
  );
}

const overdues = {
  alert: ['policy.alert', 'policy.alertMore'],
  escalate: ['policy.first', 'policy.firstMore'],
  reassign: ['policy.reassign', 'policy.reassignMore'],
} as const satisfies Record<PolicyView['overdue'], readonly [Key, Key]>;

/** What happens to overdue accepted requests. */
function overdue(page: Page, view: PolicyView, draft: PolicyDraft, disabled: boolean): TemplateResult {
  return html`${radios({
    name: 'overdue',
    legend: t('policy.overdue'),
    options: (['alert', 'escalate', 'reassign'] as const).map((one) => ({
      value: one,
      label: t(overdues[one][0]),
      more: t(overdues[one][1]),
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
    { name: 'reassign', label: t('policy.reassignTo'), value: draft.reassignTo, disabled, edit, kind: 'policy-field' },
    [{ value: '', text: '' }, ...known],
  );
}

/** The tools that hooks always allow. */
function readOnlyTools(page: Page, draft: PolicyDraft, disabled: boolean): TemplateResult {
  return linesField(page, {
    name: 'tools',
    label: t('policy.tools'),
    example: t('policy.toolsExample'),
    hint: t('policy.toolsHint'),
    value: draft.tools,
    disabled,
    edit: (tools) => {
      page.editPolicy({ tools });
    },
  });
}

function toolWords(tools: readonly string[]): string {
  return tools.length === 0 ? t('policy.toolsNone') : tools.join(', ');
}

function overdueWords(action: PolicyView['overdue'], to: string): string {
  const label = t(overdues[action][0]);
  return action === 'reassign' ? `${label} (${visibleText(to)})` : label;
}

/** The list of changes: old and new values. */
function changes(view: PolicyView, draft: PolicyDraft): TemplateResult {
  const was = {
    ...leaseWords(view.lease),
    ...interruptionsWords(view.interruptions),
    life: lifeWords(view.lifeHours),
    onExpiry: t(ends[view.onExpiry][0]),
    reminders: reminderWords(view.reminders),
    parking: reminderWords(view.parking),
    resuming: resumingWords(view.resuming),
    undo: undoWords(view.undoSeconds),
    ticked: t(ticks[view.tickedUpTo]),
    overdue: overdueWords(view.overdue, view.reassignTo ?? ''),
    review: t(reviewers[reviewerOf(view.reviewOnSubmit)][0]),
    age: daysWords(view.ageDays),
    tools: toolWords(view.readOnlyTools),
    rules: ruleWords(view.rules),
    name: view.answersAs.name,
  };
  const becomes = {
    ...interruptionsWords(interruptionsOf(draft.interruptions)),
    ...leaseWords(draft.lease ? leaseOf(draft.lease) : undefined),
    life: lifeWords(remindersOf(draft.life, 'wait') ?? view.lifeHours),
    onExpiry: t(ends[draft.onExpiry][0]),
    reminders: reminderWords(remindersOf(draft.reminders) ?? view.reminders),
    parking: reminderWords(remindersOf(draft.parking) ?? view.parking),
    resuming: resumingWords(draft.resuming),
    undo: undoWords(undoSecondsOf(draft) ?? 0),
    ticked: t(ticks[draft.tickedUpTo]),
    overdue: overdueWords(draft.overdue, draft.reassignTo),
    review: t(reviewers[reviewerOf(draft.reviewOnSubmit)][0]),
    age: daysWords(daysOf(draft) ?? 0),
    tools: toolWords(toolsOf(draft)),
    rules: ruleWords(rulesOf(draft)),
    name: draft.name.trim(),
  };
  const labels = {
    lease: 'policy.lease',
    afterLease: 'policy.afterLease',
    strict: 'policy.strict',
    life: 'policy.life',
    onExpiry: 'policy.onExpiry',
    reminders: 'policy.reminders',
    parking: 'policy.parking',
    interruptions: 'policy.interruptions',
    digest: 'policy.digest',
    perHour: 'policy.perHour',
    agents: 'policy.agents',
    resuming: 'policy.resuming',
    undo: 'policy.undo',
    ticked: 'policy.ticked',
    overdue: 'policy.overdue',
    review: 'policy.review',
    age: 'policy.age',
    tools: 'policy.tools',
    rules: 'policy.rules',
    name: 'answer.name',
  } as const;
  return html`<dl class="changes">
    ${policyChanges(view, draft).map(
      (one) =>
        html`<dt>${t(labels[one])}</dt>
          <dd>
            <strong><bdi>${visible(becomes[one])}</bdi></strong>
            ${
              was[one] === becomes[one]
                ? nothing
                : html` <span>${th('policy.from', { value: html`<bdi>${visible(was[one])}</bdi>` })}</span>`
            }
          </dd>`,
    )}
  </dl>`;
}
