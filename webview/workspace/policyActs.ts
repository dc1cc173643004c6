/** The act of the form for the policy. */
import type { PolicyMessage } from '../../src/ui/answer/messages.ts';
import type { PolicyView } from '../../src/ui/answer/workspace.ts';
import { visibleText } from '../shared/elements.ts';
import { linesOf } from '../shared/fields.ts';
import type { FieldsDraft, FormActs } from '../shared/oneForm.ts';
import type { Missing } from '../shared/signing.ts';
import { t } from '../shared/strings.ts';
import { interruptionsChanges, interruptionsOf, interruptionsShown, missingInterruptions } from './interruptions.ts';
import type { InterruptionsDraft } from './interruptions.ts';
import { leaseChanges, leaseOf, leaseShown, missingLease } from './lease.ts';
import type { LeaseDraft } from './lease.ts';
import { missingReminders, remindersOf, remindersShown, sameReminders } from './reminders.ts';
import type { RemindersDraft } from './reminders.ts';
import { resumableHosts, resumingWords } from './resuming.ts';

// The policy as entered in its form.

export interface PolicyDraft {
  readonly life: RemindersDraft;
  readonly onExpiry: PolicyView['onExpiry'];
  readonly overdue: PolicyView['overdue'];
  /** Empty: not chosen yet. */
  readonly reassignTo: string;
  /** One per line. */
  readonly tools: string;
  readonly reviewOnSubmit: boolean;
  readonly tickedUpTo: PolicyView['tickedUpTo'];
  /** Rules on people, one per line. */
  readonly rules: string;
  /** Empty: never. */
  readonly days: string;
  readonly reminders: RemindersDraft;
  /** Empty: they wait on. */
  readonly parking: RemindersDraft;
  readonly interruptions: InterruptionsDraft;
  readonly resuming: PolicyView['resuming'];
  /** Empty: decisions are signed at once. */
  readonly undo: string;
  readonly name: string;
  readonly lease: LeaseDraft | null;
}

/** For a page that does not show the form. */
const noPolicy: PolicyDraft = {
  lease: null,
  ...{ onExpiry: 'expire', overdue: 'alert' },
  life: { critical: '', high: '', medium: '', low: '' },
  ...{ reassignTo: '', tools: '', reviewOnSubmit: false, days: '', undo: '', name: '' },
  reminders: { critical: '', high: '', medium: '', low: '' },
  parking: { critical: '', high: '', medium: '', low: '' },
  interruptions: {
    urgencies: { critical: 'now', high: 'now', medium: 'now', low: 'now' },
    ...{ digest: '', perHour: '', agents: '' },
  },
  resuming: [],
  tickedUpTo: 'high',
  rules: '',
};

/** The policy as the form shows it before anything was entered. */
function policyShown(view: PolicyView): PolicyDraft {
  const { lifeHours, onExpiry, overdue, reassignTo = '', readOnlyTools, answersAs, reviewOnSubmit } = view;
  const tools = readOnlyTools.join('\n');
  const days = view.ageDays === 0 ? '' : String(view.ageDays);
  const undo = view.undoSeconds === 0 ? '' : String(view.undoSeconds);
  return {
    ...{ life: remindersShown(lifeHours), onExpiry, overdue, reassignTo },
    ...{ tools, reviewOnSubmit, days, undo, name: answersAs.name },
    lease: leaseShown(view.lease),
    reminders: remindersShown(view.reminders),
    parking: remindersShown(view.parking),
    interruptions: interruptionsShown(view.interruptions),
    resuming: view.resuming,
    ...{ tickedUpTo: view.tickedUpTo },
    rules: view.rules.join('\n'),
  };
}

// What was entered in the form of the policy, as fields that the page keeps.

type Fields = FieldsDraft['fields'];
type Urgency = keyof PolicyDraft['reminders'];

const urgencies = ['critical', 'high', 'medium', 'low'] as const satisfies readonly Urgency[];
const ways = ['now', 'digest', 'silent'] as const satisfies readonly InterruptionsDraft['urgencies'][Urgency][];
const ends = ['expire', 'escalate'] as const satisfies readonly PolicyView['onExpiry'][];
const overdues = ['alert', 'escalate', 'reassign'] as const satisfies readonly PolicyView['overdue'][];
const ticks = ['none', 'low', 'medium', 'high'] as const satisfies readonly PolicyView['tickedUpTo'][];

/** The fields in which a draft differs from the policy as shown; undefined if there are none. */
function editedFields(draft: PolicyDraft, shown: PolicyDraft): Fields | undefined {
  const was = fieldsOf(shown);
  const edited = Object.entries(fieldsOf(draft)).filter(([name, text]) => was[name] !== text);
  return edited.length === 0 ? undefined : Object.fromEntries(edited);
}

/** The policy as shown, with the fields that were edited; what does not fit a field has no effect. */
function withFields(shown: PolicyDraft, edited: Fields): PolicyDraft {
  const all: Fields = { ...fieldsOf(shown), ...edited };
  const text = (name: string) => all[name] ?? '';
  const times = (kind: string, was: PolicyDraft['reminders']) => each((one) => all[`${kind}-${one}`] ?? was[one]);
  return {
    ...{ days: text('days'), undo: text('undo'), name: text('name') },
    life: times('wait', shown.life),
    ...{ tools: text('tools'), rules: text('rules'), reassignTo: text('reassignTo') },
    onExpiry: oneOf(ends, all['onExpiry'], shown.onExpiry),
    overdue: oneOf(overdues, all['overdue'], shown.overdue),
    tickedUpTo: oneOf(ticks, all['tickedUpTo'], shown.tickedUpTo),
    reviewOnSubmit: text('review') === 'true',
    resuming: resumableHosts(text('resuming').split('\n')),
    ...{ reminders: times('remind', shown.reminders), parking: times('park', shown.parking) },
    interruptions: {
      urgencies: each((one) => oneOf(ways, all[`how-${one}`], shown.interruptions.urgencies[one])),
      ...{ digest: text('digest'), perHour: text('perHour'), agents: text('agents') },
    },
    lease: shown.lease && {
      seconds: text('lease'),
      globs: text('globs'),
      after: oneOf(['deny', 'allow'], all['after'], shown.lease.after),
    },
  };
}

function fieldsOf(draft: PolicyDraft): Fields {
  const { life, reminders, parking, interruptions, lease, resuming, reviewOnSubmit, ...texts } = draft;
  const { urgencies: how, ...limits } = interruptions;
  return {
    ...texts,
    ...limits,
    ...named('wait', life),
    ...named('remind', reminders),
    ...named('park', parking),
    ...named('how', how),
    ...{ review: String(reviewOnSubmit), resuming: resumableHosts(resuming).join('\n') },
    ...(lease ? { lease: lease.seconds, globs: lease.globs, after: lease.after } : {}),
  };
}

function named(kind: string, values: Readonly<Record<Urgency, string>>): Fields {
  return Object.fromEntries(urgencies.map((one) => [`${kind}-${one}`, values[one]]));
}

function each<T>(of: (urgency: Urgency) => T): Record<Urgency, T> {
  return { critical: of('critical'), high: of('high'), medium: of('medium'), low: of('low') };
}

function oneOf<T extends string>(all: readonly T[], text: string | undefined, otherwise: T): T {
  return all.find((one) => one === text) ?? otherwise;
}

interface PolicyActsOptions {
  readonly acts: FormActs<PolicyMessage>;
  readonly view: () => PolicyView | undefined;
}

export function createPolicyActs({ acts, view }: PolicyActsOptions) {
  function policyDraft(): PolicyDraft {
    const shown = view();
    if (!shown) return noPolicy;
    const draft = withFields(policyShown(shown), acts.fieldsOf(shown.key)?.fields ?? {});
    const known = [shown.reassignTo, ...shown.responsibilities.map(({ id }) => id)];
    return known.includes(draft.reassignTo) ? draft : { ...draft, reassignTo: '' };
  }

  return {
    acts: {
      policyDraft,

      /** Whether something was entered and not saved. */
      isPolicyEdited: ({ key }: PolicyView): boolean => acts.fieldsOf(key) !== undefined,
      /** Whether the policy has changed since something was entered. */
      isPolicyStale: ({ key, shown }: PolicyView): boolean => {
        const kept = acts.fieldsOf(key);
        return kept !== undefined && kept.shown !== shown;
      },

      /** Keeps only what differs from the policy, so that the changes of others show, and saving does not undo them. */
      editPolicy: (change: Partial<PolicyDraft>): void => {
        const target = view();
        if (target) acts.keepFields(target, editedFields({ ...policyDraft(), ...change }, policyShown(target)));
      },

      discardPolicy: (): void => {
        const target = view();
        if (!target) return;
        acts.keepFields(target, undefined);
        acts.turn('form');
      },

      changePolicy: (): void => {
        const target = view();
        if (!target || target.locked !== undefined) return;
        const { onExpiry, overdue, reassignTo, reviewOnSubmit, tickedUpTo, ...typed } = policyDraft();
        const name = typed.name.trim();
        acts.attempt({
          ...{ target, name, lacking: missingPolicy(target, policyDraft()), twice: true },
          make: (marks) => ({
            ...{ type: 'policy', ...marks, name, onExpiry, overdue },
            lifeHours: remindersOf(typed.life, 'wait') ?? target.lifeHours,
            ...leaseMember(typed, target),
            ...(overdue === 'reassign' ? { reassignTo } : {}),
            ...{ readOnlyTools: toolsOf(typed), reviewOnSubmit, ageDays: daysOf(typed) ?? 0 },
            ...{ reminders: remindersOf(typed.reminders) ?? target.reminders, tickedUpTo },
            parking: remindersOf(typed.parking) ?? target.parking,
            interruptions: interruptionsOf(typed.interruptions) ?? target.interruptions,
            resuming: [...typed.resuming],
            ...{ undoSeconds: undoSecondsOf(typed) ?? target.undoSeconds, rules: rulesOf(typed), confirmed: true },
          }),
        });
      },
    },
  };
}

/** The member of the message; none where the workspace is not shared. */
function leaseMember({ lease }: Pick<PolicyDraft, 'lease'>, shown: PolicyView): Pick<PolicyView, 'lease'> {
  return lease ? { lease: leaseOf(lease) ?? shown.lease } : {};
}

/** The entered days, if they are a whole number in range; 0 if empty. */
export function daysOf({ days }: Pick<PolicyDraft, 'days'>): number | undefined {
  const text = days.trim();
  if (text === '') return 0;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  return value <= 3_650 ? value : undefined;
}

const mostUndoSeconds = 60;

/** The entered seconds, if they are a whole number in range; 0 if empty. */
export function undoSecondsOf({ undo }: Pick<PolicyDraft, 'undo'>): number | undefined {
  const text = undo.trim();
  if (text === '') return 0;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  return value <= mostUndoSeconds ? value : undefined;
}

/** Combines both fields: the assignee only matters for reassignment. */
function overdueOf({
  overdue,
  reassignTo = '',
}: {
  readonly overdue: string;
  readonly reassignTo?: string | undefined;
}): string {
  return overdue === 'reassign' ? `${overdue} ${reassignTo}` : overdue;
}

/** The entered tools without duplicates, separated by lines or commas. */
export function toolsOf({ tools }: Pick<PolicyDraft, 'tools'>): string[] {
  return [...new Set(tools.split(/[\s,;]+/).filter((one) => one !== ''))];
}

/** The entered rules, one per line. */
export function rulesOf({ rules }: Pick<PolicyDraft, 'rules'>): string[] {
  return linesOf(rules);
}

const rulesAtMost = 50;

const toolsAtMost = 100;

/** In the format that the host accepts (core/kit/serverTool.ts). */
function missingTools(draft: PolicyDraft): Missing | undefined {
  const tools = toolsOf(draft);
  const wrong = tools.find((one) => !/^[\w.-]{1,99}\/[\w.:-]{1,100}$/.test(one));
  if (wrong !== undefined)
    return {
      field: 'tools',
      text: t('“{name}” is not a tool. Use server/tool, for example docs/search.', {
        name: visibleText(wrong.slice(0, 200)),
      }),
    };
  if (tools.length > toolsAtMost)
    return { field: 'tools', text: t('{n} tools; the limit is {max}.', { n: tools.length, max: toolsAtMost }) };
  return undefined;
}

type InterruptionsChange = ReturnType<typeof interruptionsChanges>[number];
type LeaseChange = ReturnType<typeof leaseChanges>[number];

/** The pending changes of the policy form, in display order. */
export function policyChanges(
  view: PolicyView,
  draft: PolicyDraft,
): (
  | 'life'
  | 'onExpiry'
  | 'reminders'
  | 'parking'
  | InterruptionsChange
  | 'resuming'
  | LeaseChange
  | 'undo'
  | 'ticked'
  | 'overdue'
  | 'review'
  | 'age'
  | 'tools'
  | 'rules'
  | 'name'
)[] {
  const name = draft.name.trim();
  return [
    ...(sameReminders(remindersOf(draft.life, 'wait'), view.lifeHours) ? [] : ['life' as const]),
    ...(draft.onExpiry === view.onExpiry ? [] : ['onExpiry' as const]),
    ...(sameReminders(remindersOf(draft.reminders), view.reminders) ? [] : ['reminders' as const]),
    ...(sameReminders(remindersOf(draft.parking), view.parking) ? [] : ['parking' as const]),
    ...interruptionsChanges(draft.interruptions, view.interruptions),
    ...(resumingWords(draft.resuming) === resumingWords(view.resuming) ? [] : ['resuming' as const]),
    ...leaseChanges(draft.lease, view.lease),
    ...(undoSecondsOf(draft) === view.undoSeconds ? [] : ['undo' as const]),
    ...(draft.tickedUpTo === view.tickedUpTo ? [] : ['ticked' as const]),
    ...(overdueOf(view) === overdueOf(draft) ? [] : ['overdue' as const]),
    ...(draft.reviewOnSubmit === view.reviewOnSubmit ? [] : ['review' as const]),
    ...(daysOf(draft) === view.ageDays ? [] : ['age' as const]),
    ...(toolsOf(draft).join('\n') === view.readOnlyTools.join('\n') ? [] : ['tools' as const]),
    ...(rulesOf(draft).join('\n') === view.rules.join('\n') ? [] : ['rules' as const]),
    ...(name === view.answersAs.name && !view.answersAs.editable ? [] : ['name' as const]),
  ];
}

function missingPolicy(view: PolicyView, draft: PolicyDraft): Missing | undefined {
  const wrong =
    missingReminders('wait', draft.life) ??
    missingReminders('remind', draft.reminders) ??
    missingReminders('park', draft.parking) ??
    missingInterruptions(draft.interruptions);
  if (wrong) return wrong;
  if (undoSecondsOf(draft) === undefined)
    return { field: 'undo', text: t('Enter a whole number of seconds up to 60, or leave it empty.') };
  const unfit = missingLease(draft.lease);
  if (unfit) return unfit;
  if (draft.overdue === 'reassign' && draft.reassignTo === '')
    return { field: 'reassign', text: t('Choose a new assignee.') };
  if (daysOf(draft) === undefined)
    return { field: 'days', text: t('Enter a whole number of days up to 3,650, or leave it empty.') };
  const tools = missingTools(draft);
  if (tools) return tools;
  if (rulesOf(draft).length > rulesAtMost)
    return { field: 'rules', text: t('At most {max} rules.', { max: rulesAtMost }) };
  if (draft.name.trim() === '') return { field: 'name', text: t('Enter your name first.') };
  return policyChanges(view, draft).length === 0
    ? { field: 'confirm', text: t('Nothing has changed yet.') }
    : undefined;
}
