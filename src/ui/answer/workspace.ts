/** Forms about no single question: the policy, all questions of an agent, and a work item. */
import * as l10n from '@vscode/l10n';
import { shownOpenQuestions, shownPolicyHash } from '../../app/decision/decisions.ts';
import { shownDeletionHash } from '../../app/work/decisions.ts';
import { holderName } from '../../core/hold/holds.ts';
import { formatInterruption, parseInterruption } from '../../core/records/interruptionText.ts';
import { formatPasskeyRule, formatRule, parsePasskeyRule, parseRule } from '../../core/records/quorumText.ts';
import { progressOf } from '../../core/state/quorumWords.ts';
import type { Policy, WorkItem, Lease } from '../../core/state/state.ts';
import { decidedFirst, deletionOf } from '../../core/work/deletion.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { approvedWords } from '../surface/people.ts';
import { questionView } from '../../app/question/views.ts';
import { firstLine } from '../../core/kit/text.ts';
import { interruptionsOf } from '../../core/state/interruptions.ts';
import { parkingOf } from '../../core/state/parking.ts';
import { defaultLease, defaultReminders, defaultUndoSeconds, lifeHoursOf } from '../../core/state/state.ts';
import type { FormView, Token, WorkRef } from '../kit/view.ts';
import { policyInBrowser } from '../surface/standing.ts';
import type { SignerStanding } from '../surface/standing.ts';
import type { Urgency, WorkKind } from '../../core/kit/words.ts';
import type { PolicyValues } from './messages.ts';
import { formKey, folderName, signerOf } from '../surface/workspaceForms.ts';
import type { FormOptions } from '../surface/workspaceForms.ts';
import { agentInterruption } from '../../core/records/interruptions.ts';
import type { Interruptions } from '../../core/records/interruptions.ts';
import { quorumRule } from '../../core/records/quorum.ts';
import { resumableHost } from '../../core/records/resuming.ts';
import { urgencies as allUrgencies } from '../../core/kit/words.ts';

/** The policy of a workspace, and the name this editor signs with. */
export interface PolicyView extends FormView, PolicyValues {
  type: 'policy';
  /** Names of the keys in the ring: whom a rule can name. */
  ring: readonly string[];
  /** Changes of rules that too few people have signed so far. */
  proposedRules: readonly { text: string; rules: readonly string[] }[];
  /** Possible assignees. */
  responsibilities: readonly { id: string; name: string }[];
  /** An administrator or a root of the team sets the name. */
  nameIsManaged?: boolean | undefined;
  /** Some changes take a passkey: a button opens this form in the browser. */
  inBrowser?: string | undefined;
}

/** All open questions of one agent, shown before they are released. */
export interface ReleaseAllView extends FormView {
  type: 'releaseAll';
  agent: string;
  /**
   * With the first line of each; `holds` is the number of held work items, including dependents, undefined if it holds
   * nothing. `expired` ones still hold.
   */
  questions: readonly {
    key: Token;
    id: string;
    text: string;
    urgency: Urgency;
    holds?: number | undefined;
    expired: boolean;
  }[];
}

/** A work item that is not deleted, and what deleting it would change. */
export interface WorkView extends FormView {
  type: 'work';
  work: WorkRef;
  kind: WorkKind;
  /** Deleted with it: what is in a workflow. */
  parts: readonly WorkRef[];
  /** Questions and RFCs that hold any of them. They stay open. */
  holders: readonly { key: Token; id: string; text: string }[];
  /** Unfinished work that waits for any of them. */
  dependants: readonly WorkRef[];
}

function leaseValues({ strictGlobs, ...lease }: Lease = defaultLease): PolicyView['lease'] {
  return { ...lease, strictGlobs: [...strictGlobs] };
}

function interruptionValues(policy: Policy): PolicyView['interruptions'] {
  const { urgencies, agents, digestMinutes, perHour } = interruptionsOf(policy);
  return { urgencies, agents: agents.map(formatInterruption), digestMinutes, perHour };
}

export function policyModel({ folders, folder, view, standing, render, locked }: FormOptions): PolicyView {
  const { policy } = view.state;
  const { onExpiry, overdue, hooks, review, memory, reminders, undo, assumptions } = policy;
  const rules = policy.quorum?.rules ?? [];
  const to = overdue?.reassignTo;
  return {
    type: 'policy',
    key: formKey(folders, folder, 'policy'),
    shown: shownPolicyHash(view.state),
    render,
    ...folderName(folders, folder),
    ...(view.state.shared ? { lease: leaseValues(view.state.policy.lease) } : {}),
    lifeHours: { ...lifeHoursOf(policy) },
    onExpiry,
    overdue: overdue?.action ?? 'alert',
    ...(to === undefined ? {} : { reassignTo: to }),
    readOnlyTools: [...(hooks?.readOnlyTools ?? [])],
    reviewOnSubmit: review?.onSubmit ?? false,
    ageDays: memory?.ageDays ?? 0,
    reminders: { ...(reminders ?? defaultReminders) },
    parking: { ...parkingOf(policy) },
    interruptions: interruptionValues(policy),
    resuming: [...(policy.resuming?.hosts ?? [])],
    undoSeconds: undo?.seconds ?? defaultUndoSeconds,
    tickedUpTo: assumptions?.tickedUpTo ?? 'high',
    rules: [...rules.map(formatRule), ...(policy.passkeys?.rules ?? []).map(formatPasskeyRule)],
    ring: ringOf(folder.workspace),
    proposedRules: progressOf(view.state, 'policy', rules).map((progress) => ({
      text: approvedWords(progress),
      rules: proposedRules(progress.pending.record),
    })),
    responsibilities: [...view.state.responsibilities.values()].map(({ id, name }) => ({ id, name })),
    answersAs: signerOf(standing),
    ...(standing.kind === 'enrolled' && nameIsManaged(standing) ? { nameIsManaged: true } : {}),
    ...(locked === undefined ? policyInBrowser(policy, standing) : {}),
    ...(locked === undefined ? {} : { locked }),
  };
}

/** A passkey's name is set when it is added. */
function nameIsManaged({ managed, team, passkey }: Extract<SignerStanding, { kind: 'enrolled' }>): boolean {
  return (managed ?? team) !== null || passkey === true;
}

/** Names of the keys that count here. */
export function ringOf(workspace: Workspace): string[] {
  const names = workspace.pins().flatMap(({ name, retired }) => (retired ? [] : [name]));
  return [...new Set(names)].sort();
}

/** The rules of a policy that too few people have signed. */
function proposedRules(record: Readonly<Record<string, unknown>>): string[] {
  const { quorum, passkeys } = record as Partial<Pick<Policy, 'quorum' | 'passkeys'>>;
  return [...(quorum?.rules ?? []).map(formatRule), ...(passkeys?.rules ?? []).map(formatPasskeyRule)];
}

/** Null if the agent has no open questions. */
export function releaseAllModel(options: FormOptions & { readonly agent: string }): ReleaseAllView | null {
  const { folders, folder, view, standing, render, locked, agent } = options;
  const { ids, shown } = shownOpenQuestions(view.state, agent);
  const questions = ids.flatMap((id) => questionView(view, id) ?? []);
  const [first] = questions;
  if (!first) return null;
  return {
    type: 'releaseAll',
    key: formKey(folders, folder, 'releaseAll', agent),
    shown,
    render,
    ...folderName(folders, folder),
    agent: first.agent_name,
    questions: questions.map((question) => ({
      key: folders.keyOf(folder, question.id),
      id: question.id,
      text: firstLine(question.text, 200),
      urgency: question.urgency,
      ...(question.holding ? { holds: question.holds_work } : {}),
      expired: question.status === 'expired',
    })),
    answersAs: signerOf(standing),
    ...(locked === undefined ? {} : { locked }),
  };
}

/** Null for an unknown item, or a deleted one. */
export function workModel(options: FormOptions & { readonly id: string }): WorkView | null {
  const { folders, folder, view, standing, render, id } = options;
  const deletion = deletionOf(view.state, id);
  if (deletion === null) return null;
  const named = ({ id: of, title }: WorkItem) => ({ id: of, title });
  const first = decidedFirst(view.state, deletion);
  const locked =
    options.locked ??
    (first && l10n.t('{0} holds it, and the policy asks for more than your signature. Decide that first.', first.id));
  return {
    type: 'work',
    key: formKey(folders, folder, 'work', id),
    shown: shownDeletionHash(deletion),
    render,
    ...folderName(folders, folder),
    work: named(deletion.item),
    kind: deletion.item.kind,
    parts: deletion.parts.map(named),
    holders: deletion.holders.map((holder) => ({
      key: folders.keyOf(folder, holder.id),
      id: holder.id,
      text: firstLine(holderName(holder), 200),
    })),
    dependants: deletion.dependants.map(named),
    answersAs: signerOf(standing),
    ...(locked == null ? {} : { locked }),
  };
}

// The changes from a policy form: the record contains only those, and other settings stay.

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
