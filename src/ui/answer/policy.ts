/**
 * The values of the policy's form, as one table: their schema in its message, what they are under a policy, and what a
 * policy has for them. The view, the message and the change that is signed follow.
 */
import * as z from 'zod';
import { serverTool } from '../../core/kit/serverTool.ts';
import { afterLease, interruption, onExpiry, tickedUpTo } from '../../core/kit/words.ts';
import { limits } from '../../core/kit/limits.ts';
import { agentInterruption, interruptionLimits } from '../../core/records/interruptions.ts';
import { formatInterruption, parseInterruption } from '../../core/records/interruptionText.ts';
import { ageDays, byUrgency, lifeHours, reminders, undoSeconds } from '../../core/records/policy.ts';
import { quorumLimits, quorumRule } from '../../core/records/quorum.ts';
import { formatPasskeyRule, formatRule, parsePasskeyRule, parseRule } from '../../core/records/quorumText.ts';
import { onOverdue, responsibilityId } from '../../core/records/requestWords.ts';
import { resumableHost } from '../../core/records/resuming.ts';
import { interruptionsOf } from '../../core/state/interruptions.ts';
import { parkingOf } from '../../core/state/parking.ts';
import {
  defaultLease,
  defaultReminders,
  defaultUndoSeconds,
  lifeHoursOf,
  type Policy,
} from '../../core/state/state.ts';
import { canonicalJson } from '../../trust/canonical.ts';
import { trimmed } from '../kit/messages.ts';

interface Value<S extends z.ZodType> {
  /** In the message. */
  readonly schema: S;
  /** Under a policy, and without one by default. */
  of(policy: Policy): z.infer<S>;
  /** The members of a policy that say so. @param all the other values */
  as(value: z.infer<S>, all: { readonly overdue: z.infer<typeof onOverdue> }): Partial<Policy>;
}

const value = <S extends z.ZodType>(schema: S, of: Value<S>['of'], as: Value<S>['as']): Value<S> => ({
  schema,
  of,
  as,
});

const table = {
  /** How long programs go on without the server, and for which files they never do. Only in a shared workspace. */
  lease: value(
    z
      .strictObject({
        seconds: z.int().min(0).max(3_600),
        strictGlobs: z.array(z.string().max(limits.glob)).max(limits.listItems),
        after: afterLease.optional(),
      })
      .optional(),
    ({ lease: { seconds, strictGlobs, after = 'deny' } = defaultLease }) => ({
      seconds,
      strictGlobs: [...strictGlobs],
      after,
    }),
    (lease) => ({ lease }),
  ),
  lifeHours: value(byUrgency(lifeHours), lifeHoursOf, (questionLife) => ({ questionLife })),
  onExpiry: value(
    onExpiry,
    (policy) => policy.onExpiry,
    (end) => ({ onExpiry: end }),
  ),
  overdue: value(
    onOverdue,
    ({ overdue }) => overdue?.action ?? 'alert',
    (action) => ({ overdue: { action } }),
  ),
  /** The new assignee of reassigned requests. */
  reassignTo: value(
    responsibilityId.optional(),
    ({ overdue }) => overdue?.reassignTo,
    (reassignTo, { overdue: action }) => ({
      overdue: { action, ...(action === 'reassign' && reassignTo !== undefined ? { reassignTo } : {}) },
    }),
  ),
  /** `server/tool`, as humans write it. */
  readOnlyTools: value(
    z.array(serverTool).max(limits.listItems),
    ({ hooks }) => [...(hooks?.readOnlyTools ?? [])],
    (tools) => ({ hooks: { readOnlyTools: [...new Set(tools)] } }),
  ),
  reviewOnSubmit: value(
    z.boolean(),
    ({ review }) => review?.onSubmit ?? false,
    (onSubmit) => ({ review: { onSubmit } }),
  ),
  ageDays: value(
    ageDays(),
    ({ memory }) => memory?.ageDays ?? 0,
    (days) => ({ memory: { ageDays: days } }),
  ),
  reminders: value(
    reminders(),
    (policy) => policy.reminders ?? defaultReminders,
    (minutes) => ({ reminders: minutes }),
  ),
  parking: value(reminders(), parkingOf, (minutes) => ({ parking: { minutes } })),
  /** Agents are lines such as `build-bot low: silent`. */
  interruptions: value(
    z.strictObject({
      urgencies: byUrgency(() => interruption),
      agents: z.array(trimmed(limits.title).min(1)).max(interruptionLimits.agents),
      digestMinutes: z.int().min(1).max(interruptionLimits.digestMinutes),
      perHour: z.int().min(0).max(interruptionLimits.perHour),
    }),
    (policy) => {
      const { agents, ...others } = interruptionsOf(policy);
      return { ...others, agents: agents.map(formatInterruption) };
    },
    ({ agents: lines, ...others }) => {
      const agents = lines.map((line) => agentInterruption().parse(parseInterruption(line)));
      return { interruptions: { ...others, agents } };
    },
  ),
  resuming: value(
    z.array(resumableHost).max(resumableHost.options.length),
    ({ resuming }) => [...(resuming?.hosts ?? [])],
    (hosts) => ({ resuming: { hosts: resumableHost.options.filter((host) => hosts.includes(host)) } }),
  ),
  undoSeconds: value(
    undoSeconds(),
    ({ undo }) => undo?.seconds ?? defaultUndoSeconds,
    (seconds) => ({ undo: { seconds } }),
  ),
  tickedUpTo: value(
    tickedUpTo,
    ({ assumptions }) => assumptions?.tickedUpTo ?? 'high',
    (upTo) => ({ assumptions: { tickedUpTo: upTo } }),
  ),
  /** One rule each: `payments/**: 2 of ada, grace, linus`, `critical: passkey`. */
  rules: value(z.array(trimmed(20_000).min(1)).max(quorumLimits.rules), rulesOf, (lines) => ({
    quorum: {
      rules: lines.filter((line) => !parsePasskeyRule(line)).map((line) => quorumRule().parse(parseRule(line))),
    },
    passkeys: { rules: lines.flatMap((line) => parsePasskeyRule(line) ?? []) },
  })),
} as const;

/** The rules of a policy on people and passkeys, or of a change of one, as lines. */
export function rulesOf({ quorum, passkeys }: Pick<Policy, 'quorum' | 'passkeys'>): string[] {
  return [...(quorum?.rules ?? []).map(formatRule), ...(passkeys?.rules ?? []).map(formatPasskeyRule)];
}

type Table = typeof table;
export type PolicyValues = z.infer<z.ZodObject<{ [K in keyof Table]: Table[K]['schema'] }>>;
type Name = keyof PolicyValues;
const names = Object.keys(table) as Name[];

export const policyValues = Object.fromEntries(names.map((name) => [name, table[name].schema])) as {
  [K in keyof Table]: Table[K]['schema'];
};

/** @param isShared a form of a workspace that is not shared has no lease */
export function valuesOf(policy: Policy, isShared: boolean): PolicyValues {
  const all = names.filter((name) => isShared || name !== 'lease').map((name) => [name, table[name].of(policy)]);
  return Object.fromEntries(all) as PolicyValues;
}

/** What is wrong with the lines of rules; null if nothing is. */
export function rulesProblem(
  lines: readonly string[],
  ring: readonly string[],
): { readonly kind: 'line' | 'person'; readonly text: string } | null {
  for (const line of lines) {
    if (parsePasskeyRule(line)) continue;
    const rule = parseRule(line);
    if (!rule) return { kind: 'line', text: line };
    const unknown = rule.people.find((name) => !ring.includes(name));
    if (unknown !== undefined) return { kind: 'person', text: unknown };
  }
  return null;
}

/** The first line that is not a rule on interruptions; null if all are. */
export function interruptionsProblem({ agents }: PolicyValues['interruptions']): string | null {
  return agents.find((line) => !parseInterruption(line)) ?? null;
}

/**
 * The change to sign: only what differs, so that other settings stay. Null if nothing changes.
 * @throws ZodError for a line that is not a rule; the functions above say which
 */
export function changedPolicy(policy: Policy, wanted: PolicyValues): Policy | null {
  let changed: Partial<Policy> = {};
  for (const name of names) {
    const given = wanted[name];
    if (given === undefined && name === 'lease') continue;
    const { of, as } = table[name] as Value<z.ZodType>;
    const members = as(given, wanted);
    if (isSame(of(policy), of({ ...policy, ...members }))) continue;
    changed = { ...changed, ...differing(policy, members) };
  }
  const { questionLifeHours, onExpiry: end } = policy;
  return Object.keys(changed).length === 0 ? null : { questionLifeHours, onExpiry: end, ...changed };
}

/** Of several members, those that are not as they were; a list of rules that there is not is as an empty one. */
function differing(policy: Policy, members: Partial<Policy>): Partial<Policy> {
  const entries = Object.entries(members) as [keyof Policy, unknown][];
  return Object.fromEntries(entries.filter(([name, now]) => !isSame(policy[name] ?? { rules: [] }, now)));
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null);
}
