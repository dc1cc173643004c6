/** The policy: each value that changes, before and after, in the words of its form. */
import { formatInterruption } from '../../core/records/interruptionText.ts';
import { formatExclusion } from '../../core/records/precedentPolicyText.ts';
import { formatPasskeyRule, formatRule } from '../../core/records/quorumText.ts';
import { anyRecord } from '../../core/records/records.ts';
import type { Policy, Reminders } from '../../core/state/state.ts';
import { canonicalJson } from '../../trust/canonical.ts';
import { list, main, noEnvelope, RefusedRequest } from './kind.ts';
import type { Decision, Row, Show, Translator } from './kind.ts';

interface Field<Value> {
  readonly label: (l10n: Translator) => string;
  readonly words: (value: Value, l10n: Translator) => string;
}

type Given = Required<{ readonly [Name in keyof Policy]: NonNullable<Policy[Name]> }>;

/** The compiler asks for each field. */
const fields: { readonly [Name in keyof Given]: Field<Given[Name]> } = {
  questionLifeHours: {
    label: (l10n) => l10n.t('A question waits for'),
    words: (hours, l10n) => l10n.t('{0} hours', hours),
  },
  onExpiry: {
    label: (l10n) => l10n.t('If there is no answer by then'),
    words: (how, l10n) => (how === 'expire' ? l10n.t('It expires') : l10n.t('It becomes critical')),
  },
  overdue: {
    label: (l10n) => l10n.t('If an accepted request is overdue'),
    words: ({ action, reassignTo }, l10n) => overdueWords(action, reassignTo, l10n),
  },
  hooks: {
    label: (l10n) => l10n.t('Read-only MCP tools'),
    words: ({ readOnlyTools }, l10n) => lines(readOnlyTools, l10n),
  },
  review: {
    label: (l10n) => l10n.t('When an agent submits an RFC'),
    words: ({ onSubmit }, l10n) =>
      onSubmit ? l10n.t('A language model reviews it first') : l10n.t('You are notified at once'),
  },
  memory: {
    label: (l10n) => l10n.t('Hide notes that nothing has mentioned for'),
    words: ({ ageDays }, l10n) => (ageDays === 0 ? l10n.t('never') : l10n.t('{0} days', ageDays)),
  },
  reminders: { label: (l10n) => l10n.t('Remind me of open questions every'), words: remindersWords },
  undo: {
    label: (l10n) => l10n.t('Let me undo a decision for'),
    words: ({ seconds }, l10n) => l10n.t('{0} seconds', seconds),
  },
  assumptions: {
    label: (l10n) => l10n.t('In a list of assumptions to confirm, tick in advance'),
    words: ({ tickedUpTo }, l10n) =>
      tickedUpTo === 'none' ? l10n.t('none') : l10n.t('those up to this urgency: {0}', tickedUpTo),
  },
  parking: {
    label: (l10n) => l10n.t('Agents that pay for waiting park after'),
    words: ({ minutes }, l10n) => remindersWords(minutes, l10n),
  },
  interruptions: {
    label: (l10n) => l10n.t('New questions notify me'),
    words: ({ urgencies, agents, digestMinutes, perHour }, l10n) =>
      list([
        ...Object.entries(urgencies).map(([urgency, how]) => `${urgency}: ${how}`),
        ...agents.map(formatInterruption),
        l10n.t('A digest comes at most every {0} minutes', digestMinutes),
        ...(perHour === 0 ? [] : [l10n.t('At most {0} per agent per hour', perHour)]),
      ]),
  },
  resuming: {
    label: (l10n) => l10n.t('When you answer, restart these parked agents'),
    words: ({ hosts }, l10n) => lines(hosts, l10n),
  },
  fence: {
    label: (l10n) => l10n.t('While files are held'),
    words: ({ heldFiles }, l10n) => (heldFiles ? l10n.t('They are read-only') : l10n.t('They stay writable')),
  },
  lease: {
    label: (l10n) => l10n.t('Without the team’s server, agents can continue for'),
    words: ({ seconds, strictGlobs, after }, l10n) =>
      list([
        l10n.t('{0} seconds', seconds),
        ...(after === 'allow' ? [l10n.t('Then they continue with everything that is not held')] : []),
        ...(strictGlobs.length === 0 ? [] : [l10n.t('Never with these files: {0}', strictGlobs.join(', '))]),
      ]),
  },
  quorum: {
    label: (l10n) => l10n.t('Decisions that take several people'),
    words: ({ rules }, l10n) => lines(rules.map(formatRule), l10n),
  },
  passkeys: {
    label: (l10n) => l10n.t('Decisions that only a passkey signs'),
    words: ({ rules }, l10n) => lines(rules.map(formatPasskeyRule), l10n),
  },
  precedents: {
    label: (l10n) => l10n.t('Precedents never answer'),
    words: ({ never }, l10n) => lines(never.map(formatExclusion), l10n),
  },
};

export const shownPolicy: Show<Decision<'policy.changed'>> = ({ record, shown }) => {
  const before = policyOf(shown);
  return (l10n) => ({
    title: l10n.t('Change the policy'),
    rows: names.flatMap((name) => changeOf(name, before, record, l10n)),
  });
};

const names = Object.keys(fields) as (keyof Policy)[];

/** A field that the record does not have keeps its value. */
function changeOf(name: keyof Policy, before: Policy, after: Policy, l10n: Translator): Row[] {
  const { label, words } = fields[name] as Field<unknown>;
  const [was, now] = [before[name], after[name]];
  if (now === undefined || canonicalJson(now) === canonicalJson(was ?? null)) return [];
  const earlier = was === undefined ? l10n.t('not set: the default') : words(was, l10n);
  return [{ ...main(label(l10n), words(now, l10n)), before: l10n.t('Before: {0}', earlier) }];
}

/** The policy in force, exactly as it was hashed. */
function policyOf(shown: unknown): Policy {
  const { data } = anyRecord.safeParse({ kind: 'policy.changed', v: 1, ...Object(shown), envelope: noEnvelope });
  if (data?.kind !== 'policy.changed') throw new RefusedRequest('the content is of another item');
  const { kind: _, v: __, envelope: ___, ...policy } = data;
  if (canonicalJson(policy) !== canonicalJson(shown)) throw new RefusedRequest('the content is of another item');
  return policy;
}

function remindersWords(minutes: Reminders, l10n: Translator): string {
  return list(
    Object.entries(minutes).map(([urgency, every]) =>
      every === 0 ? l10n.t('{0}: never', urgency) : l10n.t('{0}: {1} minutes', urgency, every),
    ),
  );
}

function overdueWords(action: Given['overdue']['action'], reassignTo: string | undefined, l10n: Translator): string {
  switch (action) {
    case 'alert':
      return l10n.t('You are notified once');
    case 'escalate':
      return l10n.t('It moves to the top');
    case 'reassign':
      return l10n.t('It is reassigned to {0}', reassignTo ?? '');
  }
}

function lines(entries: readonly string[], l10n: Translator): string {
  return entries.length === 0 ? l10n.t('none') : list(entries);
}
