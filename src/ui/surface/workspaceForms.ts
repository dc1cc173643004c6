/** The forms about several questions: their keys and view models. */
import * as l10n from '@vscode/l10n';
import { shownOpenQuestions, shownPolicyHash } from '../../app/decision/decisions.ts';
import { shownDeletionHash } from '../../app/work/decisions.ts';
import { holderName } from '../../core/hold/holds.ts';
import { formatInterruption } from '../../core/records/interruptionText.ts';
import { formatPasskeyRule, formatRule } from '../../core/records/quorumText.ts';
import { progressOf } from '../../core/state/quorumWords.ts';
import type { Policy, WorkItem, Lease } from '../../core/state/state.ts';
import { decidedFirst, deletionOf } from '../../core/work/deletion.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { approvedWords } from './keptWords.ts';
import { questionView } from '../../app/question/views.ts';
import { firstLine } from '../../core/kit/text.ts';
import { interruptionsOf } from '../../core/state/interruptions.ts';
import { parkingOf } from '../../core/state/parking.ts';
import { defaultLease, defaultReminders, defaultUndoSeconds, lifeHoursOf } from '../../core/state/state.ts';
import type { Signer } from '../../protocol/kit/shared.ts';
import type { PolicyView, ReleaseAllView, WorkView } from '../../protocol/workspace/forms.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { policyInBrowser } from './inBrowser.ts';
import type { SignerStanding } from './keys.ts';
import { isOnOtherMachine, program } from '../kit/program.ts';

const policyId = 'policy';
const keysId = 'keys';
/** Only a browser has this page. */
export const passkeyPageId = 'passkey';
const appointId = 'responsibilities';
const askId = 'newRequest';
const enrolId = 'enrol';
const shareId = 'share';
const leaveId = 'leave';
const journalId = 'journal';
const recoveryId = 'recovery';
const agentPrefix = 'agent/';
/** Followed by the agent, or by nothing for all agents. */
const assumptionsPrefix = 'assumptions/';
/** Followed by one of the questions. */
const togetherPrefix = 'together/';
/** Followed by the work item. */
const workPrefix = 'work/';

/** Forms other than those of questions, as named by keys of `Folders.keyOf`. */
export type WorkspaceForm =
  | { readonly kind: 'policy' | 'keys' | 'appoint' | 'ask' | 'enrol' | 'share' | 'leave' }
  | { readonly kind: 'releaseAll'; readonly agent: string }
  /** Without an agent: of all. */
  | { readonly kind: 'assumptions'; readonly agent: string | undefined }
  /** Of the shape of this question. */
  | { readonly kind: 'together'; readonly id: string }
  | { readonly kind: 'work'; readonly id: string };

export function workspaceForm(id: string): WorkspaceForm | null {
  if (id === policyId) return { kind: 'policy' };
  if (id === keysId) return { kind: 'keys' };
  if (id === appointId) return { kind: 'appoint' };
  if (id === askId) return { kind: 'ask' };
  if (id === enrolId) return { kind: 'enrol' };
  if (id === shareId) return { kind: 'share' };
  if (id === leaveId) return { kind: 'leave' };
  if (id.startsWith(assumptionsPrefix))
    return { kind: 'assumptions', agent: id.slice(assumptionsPrefix.length) || undefined };
  if (id.startsWith(togetherPrefix)) return { kind: 'together', id: id.slice(togetherPrefix.length) };
  if (id.startsWith(workPrefix)) return { kind: 'work', id: id.slice(workPrefix.length) };
  return id.startsWith(agentPrefix) ? { kind: 'releaseAll', agent: id.slice(agentPrefix.length) } : null;
}

const settings = [policyId, keysId, appointId, askId];

/** Whether the form of an id is in the "Holdpoint Settings" tab. */
export function settingsForm(id: string): boolean {
  return settings.includes(id);
}

export function policyKey(folders: Folders, folder: OpenFolder): string {
  return folders.keyOf(folder, policyId);
}

export function keysKey(folders: Folders, folder: OpenFolder): string {
  return folders.keyOf(folder, keysId);
}

/** The key of the browser's page that makes a passkey. */
export function passkeyKey(folders: Folders, folder: OpenFolder): string {
  return folders.keyOf(folder, passkeyPageId);
}

export function appointKey(folders: Folders, folder: OpenFolder): string {
  return folders.keyOf(folder, appointId);
}

export function askKey(folders: Folders, folder: OpenFolder): string {
  return folders.keyOf(folder, askId);
}

/** The key of the form that enrols this editor, if it cannot sign yet. */
export function enrolKey(folders: Folders, folder: OpenFolder): string {
  return folders.keyOf(folder, enrolId);
}

export function shareKey(folders: Folders, folder: OpenFolder): string {
  return folders.keyOf(folder, shareId);
}

export function leaveKey(folders: Folders, folder: OpenFolder): string {
  return folders.keyOf(folder, leaveId);
}

/** The key of the recovery options of a store that cannot be read. */
export function journalKey(folders: Folders, folder: OpenFolder): string {
  return folders.keyOf(folder, journalId);
}

/** The key of the recovery options of a store that a newer version wrote: only on request, because an update helps. */
export function recoveryKey(folders: Folders, folder: OpenFolder): string {
  return folders.keyOf(folder, recoveryId);
}

export function releaseAllKey(folders: Folders, folder: OpenFolder, agent: string): string {
  return folders.keyOf(folder, agentPrefix + agent);
}

export function assumptionsKey(folders: Folders, folder: OpenFolder, agent = ''): string {
  return folders.keyOf(folder, assumptionsPrefix + agent);
}

/** The key of the form that answers a question together with those of its shape. */
export function togetherKey(folders: Folders, folder: OpenFolder, id: string): string {
  return folders.keyOf(folder, togetherPrefix + id);
}

export function workKey(folders: Folders, folder: OpenFolder, id: string): string {
  return folders.keyOf(folder, workPrefix + id);
}

export interface FormOptions {
  readonly folders: Folders;
  readonly folder: OpenFolder;
  readonly view: View;
  readonly standing: SignerStanding;
  /** Nonce of this rendering. */
  readonly render: string;
  /** Set when nothing can be decided here. */
  readonly locked: string | undefined;
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
    key: policyKey(folders, folder),
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
    key: releaseAllKey(folders, folder, agent),
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
    key: workKey(folders, folder, id),
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

/** Present only in windows with several folders. */
export function folderName(folders: Folders, folder: OpenFolder): { folder?: string } {
  return folders.all.length > 1 ? { folder: folder.name } : {};
}

export function signerOf(standing: SignerStanding): Signer {
  const remote = isOnOtherMachine() ? { remote: true } : {};
  return standing.kind === 'enrolled'
    ? { name: standing.name, editable: false, ...remote }
    : { name: standing.suggestedName, editable: true, ...remote };
}

/** Why nothing can be decided in a folder now; undefined when decisions are possible. */
export function whyLocked(readOnly: boolean): string | undefined {
  if (!program().isTrusted) return l10n.t('This folder is not trusted: you can read here, but not decide.');
  if (!readOnly) return undefined;
  return l10n.t('A newer version of Holdpoint wrote this workspace. Update to answer here.');
}
