/** The forms about several questions: their keys and view models. */
import * as l10n from '@vscode/l10n';
import type { Signer } from '../kit/view.ts';
import type { View } from '../../store/store.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
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
