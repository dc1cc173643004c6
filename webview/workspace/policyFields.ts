/** What was entered in the form of the policy, as fields that the page keeps. */
import type { PolicyView } from '../../src/ui/answer/workspace.ts';
import type { FieldsDraft } from '../shared/oneForm.ts';
import type { InterruptionsDraft } from './interruptions.ts';
import type { PolicyDraft } from './policyDraft.ts';
import { resumableHosts } from './resuming.ts';

type Fields = FieldsDraft['fields'];
type Urgency = keyof PolicyDraft['reminders'];

const urgencies = ['critical', 'high', 'medium', 'low'] as const satisfies readonly Urgency[];
const ways = ['now', 'digest', 'silent'] as const satisfies readonly InterruptionsDraft['urgencies'][Urgency][];
const ends = ['expire', 'escalate'] as const satisfies readonly PolicyView['onExpiry'][];
const overdues = ['alert', 'escalate', 'reassign'] as const satisfies readonly PolicyView['overdue'][];
const ticks = ['none', 'low', 'medium', 'high'] as const satisfies readonly PolicyView['tickedUpTo'][];

/** The fields in which a draft differs from the policy as shown; undefined if there are none. */
export function editedFields(draft: PolicyDraft, shown: PolicyDraft): Fields | undefined {
  const was = fieldsOf(shown);
  const edited = Object.entries(fieldsOf(draft)).filter(([name, text]) => was[name] !== text);
  return edited.length === 0 ? undefined : Object.fromEntries(edited);
}

/** The policy as shown, with the fields that were edited; what does not fit a field has no effect. */
export function withFields(shown: PolicyDraft, edited: Fields): PolicyDraft {
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
