/** The acts of forms about a team: sharing a workspace, leaving one that is shared, and the team's keys. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { addressOf, agentsLogin, onServer, sharedIdOf } from '../../app/team/servers.ts';
import type { Outcome } from '../../ui/kit/view.ts';
import type { ShareMessage, LeaveMessage, KeysMessage } from '../../ui/answer/messages.ts';
import { keysChanged } from '../../ui/answer/keys.ts';
import type { ShareView } from '../../ui/answer/team.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';
import { refusedOutcome, signerFor } from '../../ui/surface/signedActs.ts';
import type { Keys } from '../../ui/surface/standing.ts';
import { sharedWords, teamErrorWords, type Logins } from './team.ts';
import { readPastedKey, shownKeysHash } from '../../app/keys/acts.ts';
import { readSharedFile } from '../../app/workspace/sharedFile.ts';
import { addMember, makeRoot, removeMember, type Member, type RingSigning } from '../../app/team/ring.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { readSharedRing, type SharedRing } from '../../app/workspace/sharedRing.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { appendRing } from '../../store/shared/server.ts';
import { leaveTeam, shareWorkspace } from '../../app/team/decisions.ts';

/** The logins that the form names, as one text. */
export function loginsIn({ server, agents }: Pick<ShareView, 'server' | 'agents'>): string {
  return JSON.stringify([server?.host, server?.login, agents]);
}

interface Sharing {
  readonly keys: Keys;
  readonly logins: Logins;
  /** The form that the human saw. */
  readonly view: { readonly type: string };
}

/** Carries out the act, with progress that the human can stop. Sharing again continues where it was. */
export async function carryOutShare(
  { keys, logins, view }: Sharing,
  folder: OpenFolder,
  message: ShareMessage,
): Promise<Outcome> {
  const { act, called, shown } = message;
  const { workspace } = folder;
  const url = await logins.read(workspace);
  if (url === null) return refusedOutcome(act, 'invalid', l10n.t('Connect this editor to the team’s server first.'));
  const agents = agentsLogin(workspace);
  if ('problem' in agents) return refusedOutcome(act, 'invalid', agents.problem);
  // An agent's program can change its login; without this check, one that the human never saw would become a member.
  const now = loginsIn({ server: addressOf(url), agents: agents.login });
  if (view.type !== 'share' || loginsIn(view as ShareView) !== now)
    return refusedOutcome(act, 'changed', l10n.t('The logins have changed since they were shown. Check them again.'));
  const signer = await signerFor(keys, workspace, message.name);
  const title = l10n.t('Copying the journal to the server');
  const copying = { location: vscode.ProgressLocation.Notification, cancellable: true, title } as const;
  const stopped = l10n.t('Interrupted. Share it again to continue.');
  try {
    await vscode.window.withProgress(copying, (progress, stop) =>
      onServer(url, (server) => {
        const onProgress = (share: number) => {
          if (stop.isCancellationRequested) throw new AppError('conflict', stopped);
          progress.report({ message: `${String(Math.floor(share * 100))} %` });
        };
        const sharing = { workspace, signer, server, name: called, agents: agents.login, onProgress };
        return shareWorkspace(sharing, shown);
      }),
    );
  } catch (error) {
    return refusedOutcome(act, 'failed', teamErrorWords(error));
  }
  return { type: 'done', act, text: sharedWords(called) };
}

// Moves a shared journal back to this machine.

export async function carryOutLeave(
  { keys, logins }: { readonly keys: Keys; readonly logins: Logins },
  { workspace }: OpenFolder,
  { act, shown }: LeaveMessage,
): Promise<Outcome> {
  const signer = await keys.signer(workspace);
  try {
    const id = sharedIdOf(workspace);
    await leaveTeam({ workspace, signer }, shown);
    if (id !== null) await logins.forget(id);
  } catch (error) {
    return refusedOutcome(act, 'failed', teamErrorWords(error));
  }
  return { type: 'done', act, text: l10n.t('The journal of this folder is on this machine alone now.') };
}

// Adds and removes keys of the team, from the Keys form. Only a root of the team can.

/** Ids of the keys that can change the team's ring; none while the ring cannot be used, or without a team. */
export function rootsOf(workspace: Workspace): readonly string[] {
  try {
    return ringOf(workspace)?.roots ?? [];
  } catch {
    return [];
  }
}

function ringOf({ options, stateFile }: Workspace) {
  const shared = readSharedFile(options.fs, stateFile.path);
  return shared && readSharedRing(options.fs, stateFile.path, shared);
}

export interface RingMeans {
  readonly keys: Keys;
  readonly logins: Logins;
}

export interface RingChange extends RingMeans {
  /** The text that the form previews. */
  readonly pasted: string;
}

export async function carryOutRing(
  { keys, logins, pasted }: RingChange,
  { workspace }: OpenFolder,
  { act, what, shown }: KeysMessage,
): Promise<Outcome> {
  const candidate = what.do === 'trust' ? readPastedKey(pasted, { passkeys: true }) : null;
  if (shown !== shownKeysHash(workspace.pins(), candidate)) return keysChanged(act);
  try {
    if (what.do === 'trust' && candidate) {
      const { publicKey, passkey } = candidate;
      const member = { publicKey, name: what.called, ...(passkey ? { passkey } : {}) };
      await changeRing({ keys, logins }, workspace, (signing, ring) => addMember(signing, ring, member));
    } else if (what.do === 'makeRoot')
      await changeRing({ keys, logins }, workspace, (signing, ring) => makeRoot(signing, ring, what.keyid));
    else if (what.do === 'takeOut' || what.do === 'giveUpPasskey') {
      const gone = { keyid: what.keyid, upTo: workspace.position()?.position ?? 0 };
      await changeRing({ keys, logins }, workspace, (signing, ring) => removeMember(signing, ring, gone));
    } else return refusedOutcome(act, 'invalid', l10n.t('The team’s list of keys cannot do this.'));
  } catch (error) {
    return refusedOutcome(act, 'failed', teamErrorWords(error));
  }
  return { type: 'done', act, text: doneWords(what) };
}

/** Adds a passkey of the signer, who is a root. */
export async function addPasskeyToRing(means: RingMeans, workspace: Workspace, member: Member): Promise<void> {
  await changeRing(means, workspace, (signing, ring) => addMember(signing, ring, member));
}

/** @throws AppError, and errors of the server */
async function changeRing(
  { keys, logins }: RingMeans,
  workspace: Workspace,
  change: (signing: RingSigning, ring: SharedRing) => Promise<void>,
): Promise<void> {
  const [ring, id, url] = [ringOf(workspace), sharedIdOf(workspace), await logins.read(workspace)];
  if (url === null || id === null || ring === null)
    throw new AppError('denied', l10n.t('Connect this editor to the team’s server first.'));
  const signer = await keys.signer(workspace);
  await onServer(url, (server) => {
    const append = (record: Uint8Array, after: number) => appendRing(server, id, record, after);
    return change({ signer, now: () => workspace.now(), append }, ring);
  });
  // Opens the connection again, which copies the ring immediately.
  workspace.reopen();
  await workspace.confirm(5_000);
}

function doneWords(what: KeysMessage['what']): string {
  switch (what.do) {
    case 'trust':
      return l10n.t('Decisions of {0} are now valid for the team.', what.called);
    case 'makeRoot':
      return l10n.t('This key is now a team owner key.');
    default:
      return l10n.t('Removed.');
  }
}
