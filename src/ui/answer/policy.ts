/** The changes from a policy form: the record contains only those, and other settings stay. */
import { agentInterruption } from '../../core/records/interruptions.ts';
import type { Interruptions } from '../../core/records/interruptions.ts';
import { parseInterruption } from '../../core/records/interruptionText.ts';
import { quorumRule } from '../../core/records/quorum.ts';
import { resumableHost } from '../../core/records/resuming.ts';
import { parsePasskeyRule, parseRule } from '../../core/records/quorumText.ts';
import { urgencies as allUrgencies } from '../../core/kit/words.ts';
import { interruptionsOf } from '../../core/state/interruptions.ts';
import { parkingOf } from '../../core/state/parking.ts';
import { defaultLease, defaultReminders, defaultUndoSeconds, lifeHoursOf } from '../../core/state/state.ts';
import type { Policy } from '../../core/state/state.ts';
import type { PolicyValues } from './messages.ts';

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
 * Null if nothing changes.
 * @throws ZodError for a line that is not a rule; the functions above say which
 */
export function changedPolicy(policy: Policy, wanted: PolicyValues): Policy | null {
  const {
    lifeHours,
    onExpiry,
    overdue: action,
    reassignTo,
    readOnlyTools,
    reviewOnSubmit,
    ageDays,
    reminders,
    parking,
    resuming,
    undoSeconds: seconds,
    tickedUpTo,
    rules: lines,
  } = wanted;
  const before = policy.overdue ?? { action: 'alert' };
  const other = before.action !== action || (action === 'reassign' && before.reassignTo !== reassignTo);
  const overdue = { action, ...(action === 'reassign' && reassignTo !== undefined ? { reassignTo } : {}) };
  const tools = [...new Set(readOnlyTools)];
  const otherTools = tools.join('\n') !== (policy.hooks?.readOnlyTools ?? []).join('\n');
  const { reminders: reminded = defaultReminders } = policy;
  const otherReminders = allUrgencies.some((urgency) => reminders[urgency] !== reminded[urgency]);
  const parked = parkingOf(policy);
  const otherParking = allUrgencies.some((urgency) => parking[urgency] !== parked[urgency]);
  const hosts = resumableHost.options.filter((host) => resuming.includes(host));
  const otherHosts = hosts.join() !== (policy.resuming?.hosts ?? []).join();
  const passkeyRules = lines.flatMap((line) => parsePasskeyRule(line) ?? []);
  const otherPasskeys = JSON.stringify(passkeyRules) !== JSON.stringify(policy.passkeys?.rules ?? []);
  const rules = lines.filter((line) => !parsePasskeyRule(line)).map((line) => quorumRule().parse(parseRule(line)));
  const otherRules = JSON.stringify(rules) !== JSON.stringify(policy.quorum?.rules ?? []);
  const changed = {
    ...(otherLease(policy, wanted) ? { lease: wanted.lease } : {}),
    ...(other ? { overdue } : {}),
    ...(otherTools ? { hooks: { readOnlyTools: tools } } : {}),
    ...(reviewOnSubmit === (policy.review?.onSubmit ?? false) ? {} : { review: { onSubmit: reviewOnSubmit } }),
    ...(ageDays === (policy.memory?.ageDays ?? 0) ? {} : { memory: { ageDays } }),
    ...(otherReminders ? { reminders } : {}),
    ...(otherParking ? { parking: { minutes: parking } } : {}),
    ...interruptionsChange(policy, wanted),
    ...(otherHosts ? { resuming: { hosts } } : {}),
    ...(seconds === (policy.undo?.seconds ?? defaultUndoSeconds) ? {} : { undo: { seconds } }),
    ...(tickedUpTo === (policy.assumptions?.tickedUpTo ?? 'high') ? {} : { assumptions: { tickedUpTo } }),
    ...(otherRules ? { quorum: { rules } } : {}),
    ...(otherPasskeys ? { passkeys: { rules: passkeyRules } } : {}),
  };
  const life = lifeHoursOf(policy);
  const sameLife = allUrgencies.every((urgency) => lifeHours[urgency] === life[urgency]);
  if (sameLife && policy.onExpiry === onExpiry && Object.keys(changed).length === 0) return null;
  const { questionLifeHours } = policy;
  return { questionLifeHours, onExpiry, ...(sameLife ? {} : { questionLife: lifeHours }), ...changed };
}

function interruptionsChange(policy: Policy, { interruptions }: PolicyValues): { interruptions?: Interruptions } {
  const { urgencies, agents: lines, digestMinutes, perHour } = interruptions;
  const agents = lines.map((line) => agentInterruption().parse(parseInterruption(line)));
  const before = interruptionsOf(policy);
  const isSame =
    allUrgencies.every((one) => urgencies[one] === before.urgencies[one]) &&
    JSON.stringify(agents) === JSON.stringify(before.agents) &&
    digestMinutes === before.digestMinutes &&
    perHour === before.perHour;
  return isSame ? {} : { interruptions: { urgencies, agents, digestMinutes, perHour } };
}

/** A form of a workspace that is not shared has no lease. */
function otherLease({ lease: before = defaultLease }: Policy, { lease }: PolicyValues): boolean {
  if (!lease) return false;
  return (
    lease.seconds !== before.seconds ||
    (lease.after ?? 'deny') !== (before.after ?? 'deny') ||
    lease.strictGlobs.join('\n') !== before.strictGlobs.join('\n')
  );
}
