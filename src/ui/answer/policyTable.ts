/** The values of the policy's form: each value's field, its text under a policy, and what a policy has for a text. */
import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { limits } from '../../core/kit/limits.ts';
import { serverTool, serverToolPattern } from '../../core/kit/fields.ts';
import { visibleText } from '../../core/kit/visible.ts';
import { afterLease, interruption, onExpiry, tickedUpTo, urgencies } from '../../core/kit/words.ts';
import {
  agentInterruption,
  interruptionLimits,
  quorumLimits,
  quorumRule,
  ruledType,
  type RuleConditions,
  resumableHost,
} from '../../core/records/policy.ts';
import { onOverdue, responsibilityId } from '../../core/records/request.ts';
import { interruptionsOf } from '../../core/waiting/reminders.ts';
import { parkingOf } from '../../core/question/parking.ts';
import {
  defaultLease,
  defaultReminders,
  defaultUndoSeconds,
  lifeHoursOf,
  type Policy,
} from '../../core/state/state.ts';
import type { Values } from '../kit/view.ts';
import {
  amountOf,
  byUrgency,
  choice,
  forEach,
  inInterruptions,
  inLease,
  linesIn,
  list,
  minutesOrNever,
  number,
  numberIn,
  options,
  rows,
  times,
  units,
  urgencyOptions,
  ways,
  type Value,
} from './policyKinds.ts';

/** What the form offers beyond the policy itself. */
export interface Offered {
  /** The journal is a team's: programs can lose its server. */
  readonly isShared: boolean;
  /** Whom a rule can name. */
  readonly people: readonly string[];
  readonly responsibilities: readonly { readonly id: string; readonly name: string }[];
}

/** The values that people change, then all others by subject. */
export function policyTable({ isShared, people, responsibilities }: Offered): Value[] {
  const always = [
    ...askingMe(),
    peopleRules(people),
    ...notifyValues(),
    ...agentsThatWait(),
    ...requests(responsibilities),
  ];
  return [...always, ...forAgents(), ...(isShared ? withoutServer() : [])];
}

function askingMe(): Value[] {
  return [
    byUrgency(
      {
        ...{ type: 'ways', name: 'how', label: l10n.t('Notifications of new questions'), options: ways() },
        hint: l10n.t('A question that does not notify you still waits in the list.'),
      },
      {
        of: (policy) => interruptionsOf(policy).urgencies,
        as: (texts, policy) => ({
          interruptions: { ...interruptionsOf(policy), urgencies: forEach((one) => interruption.parse(texts[one])) },
        }),
      },
    ),
    times(
      {
        ...{ name: 'remind', label: l10n.t('Time between reminders'), ...minutesOrNever() },
        hint: l10n.t('A waiting question notifies you again, unless you see the list.'),
      },
      { of: (policy) => policy.reminders ?? defaultReminders, as: (reminders) => ({ reminders }) },
    ),
    times(
      {
        ...{ name: 'wait', label: l10n.t('Waiting time of a question'), ...amountOf(1, 8_760), ...units.hours() },
        hint: l10n.t('How long a new question stays open, at most a year.'),
      },
      { of: lifeHoursOf, as: (questionLife) => ({ questionLife }) },
    ),
    choice(
      {
        ...{ type: 'radios', name: 'end', label: l10n.t('Questions without an answer by then') },
        options: options(
          [
            'expire',
            l10n.t('It expires'),
            l10n.t('Its task fails. Its work stays held until you answer or dismiss it.'),
          ],
          ['escalate', l10n.t('It becomes critical'), l10n.t('It keeps waiting and holds its whole workflow.')],
        ),
      },
      onExpiry,
      { of: (policy) => policy.onExpiry, as: (end) => ({ onExpiry: end }) },
    ),
    number(
      {
        ...{
          name: 'undo',
          label: l10n.t('Undo window'),
          ...amountOf(0, 60),
          ...units.seconds(),
          none: l10n.t('never'),
        },
        hint: l10n.t('You can undo a decision on a question for this long before it is sent.'),
      },
      { of: ({ undo }) => undo?.seconds ?? defaultUndoSeconds, as: (seconds) => ({ undo: { seconds } }) },
    ),
  ];
}

function peopleRules(people: readonly string[]): Value {
  const ofPeople = { when: ['needs', 'people'] } as const;
  const types = [
    ['clarification', l10n.t('clarification')],
    ['decision', l10n.t('decision')],
    ['approval', l10n.t('approval')],
    ['rfc', l10n.t('RFC')],
  ] as const;
  return rows(
    {
      ...{ name: 'rules', label: l10n.t('Who must decide'), max: quorumLimits.rules, none: l10n.t('none') },
      hint: l10n.t(
        'Without rules, one trusted person decides. Each rule that covers an item must be met, also to loosen that rule.',
      ),
      columns: [
        {
          ...{ type: 'ticks', name: 'covers', label: l10n.t('Items'), none: l10n.t('everything') },
          options: [...urgencyOptions(), ...options(...types)],
        },
        {
          ...{ type: 'line', name: 'globs', label: l10n.t('Files'), none: l10n.t('all') },
          example: l10n.t('for example payments/**'),
        },
        {
          ...{ type: 'select', name: 'needs', label: l10n.t('Decided by') },
          options: options(['people', l10n.t('several people')], ['passkey', l10n.t('a passkey, in a browser')]),
        },
        { ...ofPeople, type: 'number', name: 'count', label: l10n.t('Minimum'), ...amountOf(1, quorumLimits.people) },
        {
          ...{ ...ofPeople, type: 'ticks', name: 'people', label: l10n.t('People'), least: 1 },
          ...{ options: people.map((name) => ({ value: name, label: visibleText(name) })) },
          wrong: l10n.t('Choose who decides.'),
        },
      ],
    },
    {
      of: ruleRows,
      as: (all) => ({
        quorum: { rules: all.filter(({ needs }) => needs !== 'passkey').map(quorumRuleOf) },
        passkeys: { rules: all.filter(({ needs }) => needs === 'passkey').map(conditionsOf) },
      }),
    },
  );
}

/** The rules of a policy on people and passkeys, or of a change of one. */
export function ruleRows({ quorum, passkeys }: Pick<Policy, 'quorum' | 'passkeys'>): Values[] {
  const conditions = ({ urgencies: named = [], types = [], globs = [] }: RuleConditions) => ({
    ...{ covers: [...named, ...types].join('\n'), globs: globs.join(' ') },
  });
  return [
    ...(quorum?.rules ?? []).map(({ people, count, ...rule }) => ({
      ...{ ...conditions(rule), needs: 'people', count: String(count), people: people.join('\n') },
    })),
    ...(passkeys?.rules ?? []).map((rule) => ({ ...conditions(rule), needs: 'passkey', count: '1', people: '' })),
  ];
}

function quorumRuleOf(row: Values) {
  return quorumRule().parse({ ...conditionsOf(row), people: linesIn(row['people']), count: numberIn(row['count']) });
}

/** In the order of the words, so that the same ticks are the same rule. */
function conditionsOf({ covers, globs = '' }: Values) {
  const ticked = linesIn(covers);
  const named = urgencies.filter((one) => ticked.includes(one));
  const types = ruledType.options.filter((one) => ticked.includes(one));
  const files = globs.split(/[\s,]+/).filter((one) => one !== '');
  return {
    ...(named.length === 0 ? {} : { urgencies: named }),
    ...(types.length === 0 ? {} : { types }),
    ...(files.length === 0 ? {} : { globs: files }),
  };
}

function notifyValues(): Value[] {
  const subject = l10n.t('Notifications');
  return [
    number(
      {
        ...{ subject, name: 'perHour', label: l10n.t('Maximum notifications per agent per hour') },
        ...{ ...amountOf(0, interruptionLimits.perHour), none: l10n.t('no limit') },
        hint: l10n.t('Any further questions are only in the list, except critical ones.'),
      },
      inInterruptions('perHour'),
    ),
    rows(
      {
        ...{ subject, name: 'agents', label: l10n.t('Exceptions for agents'), max: interruptionLimits.agents },
        ...{ none: l10n.t('none') },
        hint: l10n.t('The first row that matches an agent is used.'),
        columns: [
          {
            ...{ type: 'line', name: 'agent', label: l10n.t('Agent or type of agent'), least: 1, max: limits.id },
            ...{ example: l10n.t('for example build-bot'), wrong: l10n.t('Enter the ID of an agent, or its type.') },
          },
          {
            ...{ type: 'ticks', name: 'urgencies', label: l10n.t('Questions'), none: l10n.t('all but critical') },
            options: urgencyOptions(),
          },
          { type: 'select', name: 'how', label: l10n.t('Notify me'), options: ways() },
        ],
      },
      {
        of: (policy) =>
          interruptionsOf(policy).agents.map(({ agent, urgencies: named = [], how }) => ({
            ...{ agent, urgencies: named.join('\n'), how },
          })),
        as: (all, policy) => ({ interruptions: { ...interruptionsOf(policy), agents: all.map(exceptionOf) } }),
      },
    ),
  ];
}

function exceptionOf({ agent = '', urgencies: ticked, how }: Values) {
  const named = urgencies.filter((one) => linesIn(ticked).includes(one));
  return agentInterruption().parse({ agent: agent.trim(), how, ...(named.length === 0 ? {} : { urgencies: named }) });
}

function agentsThatWait(): Value[] {
  const subject = l10n.t('Waiting agents');
  return [
    times(
      {
        ...{ subject, name: 'park', label: l10n.t('Time until waiting agents park'), ...minutesOrNever() },
        hint: l10n.t('Claude Code, Codex and opencode then leave a resume brief and end their turn.'),
      },
      { of: parkingOf, as: (minutes) => ({ parking: { minutes } }) },
    ),
    {
      field: {
        ...{ type: 'ticks', subject, name: 'resume', label: l10n.t('Parked agents to restart when you answer') },
        options: options(
          ['claude-code', 'Claude Code'],
          ['codex', 'Codex'],
          ['copilot-cli', 'Copilot CLI'],
          ['opencode', 'opencode'],
        ),
        ...{ none: l10n.t('none'), hint: l10n.t('The window resumes their sessions in a terminal.') },
      },
      of: ({ resuming }) => ({ resume: (resuming?.hosts ?? []).join('\n') }),
      as: ({ resume }) => ({
        resuming: { hosts: resumableHost.options.filter((one) => linesIn(resume).includes(one)) },
      }),
    },
    choice(
      {
        ...{ type: 'select', subject, name: 'ticked', label: l10n.t('Preselected assumptions') },
        options: options(
          ['high', l10n.t('all but critical ones')],
          ['medium', l10n.t('those up to medium urgency')],
          ['low', l10n.t('those of low urgency')],
          ['none', l10n.t('none')],
        ),
        hint: l10n.t('In the form that confirms several assumptions.'),
      },
      tickedUpTo,
      {
        of: ({ assumptions }) => assumptions?.tickedUpTo ?? 'high',
        as: (upTo) => ({ assumptions: { tickedUpTo: upTo } }),
      },
    ),
  ];
}

function requests(responsibilities: Offered['responsibilities']): Value[] {
  const subject = l10n.t('Requests and RFCs');
  return [
    choice(
      {
        ...{ type: 'radios', subject, name: 'overdue', label: l10n.t('Overdue requests') },
        options: options(
          ['alert', l10n.t('You are notified once'), l10n.t('It is marked overdue in lists and in its history.')],
          [
            'escalate',
            l10n.t('It moves to the top'),
            l10n.t('You are notified once, and it gets the highest priority.'),
          ],
          ['reassign', l10n.t('It is reassigned'), l10n.t('The new assignee gets the full agreed time.')],
        ),
      },
      onOverdue,
      {
        of: ({ overdue }) => overdue?.action ?? 'alert',
        as: (action, { overdue }) => ({ overdue: { ...(action === 'reassign' ? overdue : {}), action } }),
      },
    ),
    choice(
      {
        ...{ type: 'select', subject, name: 'reassign', label: l10n.t('New assignee'), least: 1 },
        ...{ when: ['overdue', 'reassign'], wrong: l10n.t('Choose a new assignee.') },
        options: options(
          ['', ''],
          ...responsibilities.map(({ id, name }) => [id, visibleText(`${name} (${id})`)] as const),
        ),
      },
      responsibilityId,
      {
        of: ({ overdue }) => overdue?.reassignTo,
        as: (reassignTo, { overdue }) =>
          overdue?.action === 'reassign' ? { overdue: { ...overdue, reassignTo } } : {},
      },
    ),
    choice(
      {
        ...{ type: 'radios', subject, name: 'review', label: l10n.t('Newly submitted RFCs') },
        options: options(
          [
            'human',
            l10n.t('You are notified immediately'),
            l10n.t('You can start a review by a language model yourself.'),
          ],
          ['model', l10n.t('A language model reviews it first'), l10n.t('You get the questions that are left.')],
        ),
      },
      z.enum(['human', 'model']),
      {
        of: ({ review }) => (review?.onSubmit ? 'model' : 'human'),
        as: (who) => ({ review: { onSubmit: who === 'model' } }),
      },
    ),
  ];
}

function forAgents(): Value[] {
  const subject = l10n.t('Reading by agents');
  return [
    number(
      {
        ...{ subject, name: 'days', label: l10n.t('Time until unmentioned notes are hidden'), none: l10n.t('never') },
        ...{ ...amountOf(0, 3_650), ...units.days() },
        hint: l10n.t('Warnings, critical notes and decisions always stay; a search finds the others.'),
      },
      { of: ({ memory }) => memory?.ageDays ?? 0, as: (ageDays) => ({ memory: { ageDays } }) },
    ),
    list(
      {
        ...{
          subject,
          name: 'tools',
          label: l10n.t('Read-only MCP tools'),
          max: limits.listItems,
          none: l10n.t('none'),
        },
        hint: l10n.t('Hooks allow these while work is held; every other MCP tool is assumed to change something.'),
      },
      {
        ...{ label: l10n.t('Server and tool'), pattern: serverToolPattern.source },
        wrong: l10n.t('“{text}” is not a tool. Use server/tool, for example docs/search.'),
      },
      {
        of: ({ hooks }) => hooks?.readOnlyTools ?? [],
        as: (tools) => ({ hooks: { readOnlyTools: z.array(serverTool).parse(tools) } }),
      },
    ),
  ];
}

function withoutServer(): Value[] {
  const subject = l10n.t('Without the team’s server');
  return [
    number(
      {
        ...{ subject, name: 'lease', label: l10n.t('Time that agents may continue'), none: l10n.t('not at all') },
        ...{ ...amountOf(0, 3_600), ...units.seconds() },
        hint: l10n.t('Held work stays held.'),
      },
      inLease('seconds'),
    ),
    choice(
      {
        ...{ type: 'select', subject, name: 'after', label: l10n.t('After this time') },
        options: options(
          ['deny', l10n.t('Agents change nothing until the server answers')],
          ['allow', l10n.t('Agents continue with work that is not held')],
        ),
      },
      afterLease,
      {
        of: ({ lease }) => lease?.after ?? 'deny',
        as: (after, { lease: { seconds, strictGlobs } = defaultLease }) => ({
          lease: { seconds, strictGlobs, ...(after === 'allow' ? { after } : {}) },
        }),
      },
    ),
    list(
      {
        ...{ subject, name: 'globs', label: l10n.t('Files that always need the server'), max: limits.listItems },
        ...{ none: l10n.t('none'), hint: l10n.t('Agents cannot change these while the server does not answer.') },
      },
      { label: l10n.t('Path or pattern'), example: l10n.t('for example payments/**'), max: limits.glob },
      inLease('strictGlobs'),
    ),
  ];
}
