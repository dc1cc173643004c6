/** A team: commands that open forms and ask for logins and decide nothing; and the signed acts of its forms. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { collect, type Closable } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { failure, information } from '../kit/messages.ts';
import type { Forms } from '../kit/pages.ts';
import { formKey } from '../../ui/surface/workspaceForms.ts';
import { chooseFolder } from '../kit/folders.ts';
import {
  agentsLogin,
  beginJournal,
  saveAgentsLogin,
  sharedIdOf,
  tryLogin,
  addressOf,
  serverFailure,
  type LoginKind,
  type TriedLogin,
  onServer,
} from '../../app/team/servers.ts';
import { AppError, storeFailure } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { leaveTeam, shareWorkspace } from '../../app/team/decisions.ts';
import type { Outcome } from '../../ui/kit/view.ts';
import type { DecisionOf, KeyAct } from '../../ui/answer/messages.ts';
import { keysChanged } from '../../ui/answer/keys.ts';
import type { ShareView } from '../../ui/answer/editorForms.ts';
import { refusedOutcome, signerFor } from '../../ui/surface/signedActs.ts';
import type { Keys } from '../../ui/surface/standing.ts';
import { readPastedKey, shownKeysHash } from '../../app/keys/acts.ts';
import { readSharedFile, readSharedRing, type SharedRing } from '../../app/workspace/sharedFile.ts';
import { addMember, makeRoot, removeMember, type Member, type RingSigning } from '../../app/team/ring.ts';
import { appendRing } from '../../store/shared/server.ts';

export interface TeamCommands {
  readonly folders: Folders;
  readonly forms: Forms;
  readonly logins: Logins;
}

export function registerTeamCommands({ folders, forms, logins }: TeamCommands): Closable {
  const all = collect();
  const on = (id: string, title: string, run: (folder: OpenFolder) => Promise<void>) =>
    all.add(
      vscode.commands.registerCommand(id, async (argument: unknown) => {
        if (!vscode.workspace.isTrusted) {
          void information(l10n.t('This folder is not trusted: you can read here, but not decide.'));
          return;
        }
        const named = typeof argument === 'string' ? folders.find(argument)?.folder : undefined;
        const folder = named ?? (await chooseFolder(folders, title));
        if (!folder) return;
        try {
          await run(folder);
        } catch (error) {
          void failure(teamErrorWords(error));
        }
      }),
    );
  on(ids.commands.connectTeam, l10n.t('Connect which folder to its team?'), (folder) => connect(folder, logins));
  on(ids.commands.shareTeam, l10n.t('Share the workspace of which folder?'), async (folder) => {
    const { state } = folder.workspace.standing();
    if (folder.workspace.team() === null || !state?.shared) await forms.show(formKey(folders, folder, 'share'));
    else void information(sharedWords(state.shared.name));
  });
  on(ids.commands.leaveTeam, l10n.t('Leave the team in which folder?'), async (folder) => {
    if (folder.workspace.team() === null) void information(l10n.t('This workspace is not shared.'));
    else await forms.show(formKey(folders, folder, 'leave'));
  });
  return all;
}

// Asks for the logins to a team's server, tries each immediately, and keeps the human's in SecretStorage. Decides
// nothing.

export async function connect({ workspace }: OpenFolder, logins: Logins): Promise<void> {
  const id = sharedIdOf(workspace) ?? (await askToBegin(workspace));
  if (id === null) return;
  const isShared = workspace.standing().state?.shared !== null || workspace.team() !== null;
  const mine = await askLogin({ kind: 'human', workspace: isShared ? id : null });
  if (!mine) return;
  if (!(await askAgentsLogin(workspace))) return;
  await logins.save(id, mine.url);
  workspace.reopen();
  await workspace.confirm(5_000);
  const { login, host } = mine.tried;
  void information(l10n.t('Connected to {0} as {1}.', host, login));
}

/** A folder without a journal is one to share, or one to join: a journal of its own would be in the way there. */
async function askToBegin(workspace: OpenFolder['workspace']): Promise<string | null> {
  const begin = l10n.t('Begin one to share');
  const text = l10n.t(
    'This folder has no journal yet. To work on a team’s workspace here, run the line that you got in a terminal first: holdpoint team join.',
  );
  return (await information(text, begin)) === begin ? beginJournal(workspace) : null;
}

/** Asks for the agents' login, unless this machine has one. False if the human stopped. */
async function askAgentsLogin(workspace: OpenFolder['workspace']): Promise<boolean> {
  if (!('problem' in agentsLogin(workspace))) return true;
  const found = await askLogin({ kind: 'agent', workspace: null });
  if (!found) return false;
  saveAgentsLogin(workspace, found.url);
  return true;
}

interface Asked {
  readonly kind: Exclude<LoginKind, 'none'>;
  /** Id of the shared workspace that it must be a member of; null for none. */
  readonly workspace: string | null;
}

/** Asks until a login works. Undefined if the human stops. */
async function askLogin(asked: Asked): Promise<{ readonly url: string; readonly tried: TriedLogin } | undefined> {
  const title = asked.kind === 'human' ? l10n.t('Your own login') : l10n.t('The login of your agents');
  return askUrl({ title, prompt: promptOf(asked.kind) }, async (url) => {
    const tried = await tryLogin(url);
    const problem = loginProblem(tried, asked);
    if (problem !== null) throw new AppError('bad_input', problem);
    return { url, tried };
  });
}

function promptOf(kind: Asked['kind']): string {
  return kind === 'human'
    ? l10n.t('The URL from the person who set up the server. It stays in this editor’s secret storage.')
    : l10n.t(
        'Your agents append with their own login, which cannot decide. It is saved in Holdpoint’s folder, readable only to you.',
      );
}

/** Why a login that works cannot be used for this; null if it can. */
function loginProblem({ login, kind, workspaces }: TriedLogin, asked: Asked): string | null {
  if (kind !== asked.kind)
    return asked.kind === 'human'
      ? l10n.t('{0} is not a login for a person: it cannot decide. Paste your own.', login)
      : l10n.t('{0} is not a login for agents. Paste the one of your agents.', login);
  if (asked.workspace !== null && !workspaces.includes(asked.workspace))
    return l10n.t('{0} is not a member of this workspace. Ask an administrator of the team to add it.', login);
  return null;
}

// Asks for the URL of a login to a team's server. Its password is not shown, and is in no message.

/**
 * Asks again, with the reason, until what the URL is for succeeds. Undefined if the human stops.
 * @param use throws when the URL does not serve
 */
export async function askUrl<T>(
  { title, prompt }: { readonly title: string; readonly prompt: string },
  use: (url: string) => Promise<T>,
): Promise<T | undefined> {
  let tried = { text: '', problem: prompt };
  for (;;) {
    const text = await vscode.window.showInputBox({
      ...{ title, prompt: tried.problem, password: true, ignoreFocusOut: true, value: tried.text },
      placeHolder: 'postgresql://user:password@host/database',
      validateInput: (now) => addressProblem(now.trim()),
    });
    if (text === undefined || text.trim() === '') return undefined;
    try {
      const trying = { location: vscode.ProgressLocation.Window, title: l10n.t('Trying the login…') };
      return await vscode.window.withProgress(trying, () => use(text.trim()));
    } catch (error) {
      tried = { text, problem: teamErrorWords(error) };
    }
  }
}

function addressProblem(text: string): string | undefined {
  if (text === '') return undefined;
  try {
    addressOf(text);
    return undefined;
  } catch (error) {
    return teamErrorWords(error);
  }
}

// Why something with a team's server failed, in words for people.

export function teamErrorWords(error: unknown): string {
  const failure = serverFailure(error);
  if (failure)
    switch (failure.code) {
      case 'offline':
        return l10n.t('The server does not answer. Check the network, then try again. ({0})', failure.message);
      case 'unknown':
        return l10n.t('The connection broke. Try again: nothing is done twice. ({0})', failure.message);
      case 'busy':
        return l10n.t('The server is busy. Try again. ({0})', failure.message);
      case 'refused':
      case 'rejected':
        return l10n.t('The server rejected this: {0}', failure.message);
      case 'wrong':
        return l10n.t('This address cannot be used: {0}', failure.message);
    }
  if (error instanceof AppError) return error.message;
  return storeFailure(error)?.message ?? (error instanceof Error ? error.message : String(error));
}

export function sharedWords(name: string): string {
  return l10n.t('This workspace is shared as {0}. Invite others in a terminal: holdpoint team invite NAME', name);
}

// The human's own logins to servers that a team shares, in SecretStorage: one for each workspace. Programs of agents
// cannot read it. A copy in memory, because stores ask for it while they sign.

type Secrets = Pick<vscode.SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;

export type Logins = ReturnType<typeof openLogins>;

const prefix = 'holdpoint.login.';

export function openLogins(secrets: Secrets) {
  const known = new Map<string, string | null>();

  async function load(id: string): Promise<string | null> {
    const url = (await secrets.get(prefix + id)) ?? null;
    known.set(id, url);
    return url;
  }

  async function loadNew(folders: Folders): Promise<void> {
    for (const { workspace } of folders.all) {
      const id = idOf(workspace);
      if (id !== null && !known.has(id)) await load(id);
    }
  }

  async function loadAgain(folders: Folders, id: string): Promise<void> {
    const before = known.get(id);
    if ((await load(id)) === before) return;
    for (const { workspace } of folders.all) if (idOf(workspace) === id) workspace.reopen();
  }

  return {
    /** The URL of the human's login for a workspace; null without one, and until it was read. */
    of(workspace: Workspace): string | null {
      const id = idOf(workspace);
      return id === null ? null : (known.get(id) ?? null);
    },
    /** The URL of the login, read from SecretStorage. */
    async read(workspace: Workspace): Promise<string | null> {
      const id = idOf(workspace);
      return id === null ? null : load(id);
    },
    /** @param id of the workspace */
    async save(id: string, url: string): Promise<void> {
      known.set(id, url);
      await secrets.store(prefix + id, url);
    },
    async forget(id: string): Promise<void> {
      known.set(id, null);
      await secrets.delete(prefix + id);
    },
    /** Reads the logins of the window's folders, and again when one changes, in any window. */
    follow(folders: Folders): Closable {
      const all = collect();
      void folders.opened.then(() => loadNew(folders));
      all.add(folders.onDidChange(() => void loadNew(folders)));
      all.add(
        secrets.onDidChange(({ key }) => {
          if (key.startsWith(prefix)) void loadAgain(folders, key.slice(prefix.length));
        }),
      );
      return all;
    },
  };
}

/** Null also where it cannot be read; then nothing can be signed anyway. */
function idOf(workspace: Workspace): string | null {
  try {
    return sharedIdOf(workspace);
  } catch {
    return null;
  }
}

// The acts of forms about a team: sharing a workspace, leaving one that is shared, and the team's keys.

/** The logins that the form names, as one text. */
export function loginsIn({ server, agents }: Pick<ShareView, 'server' | 'agents'>): string {
  return JSON.stringify([server?.host, server?.login, agents]);
}

interface TeamMeans {
  readonly keys: Keys;
  readonly logins: Logins;
}

/**
 * Carries out the act, with progress that the human can stop. Sharing again continues where it was.
 * @param means with the form that the human saw
 */
export async function carryOutShare(
  { keys, logins, view }: TeamMeans & { readonly view: { readonly type: string } },
  folder: OpenFolder,
  message: DecisionOf<'share'>,
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
  { keys, logins }: TeamMeans,
  { workspace }: OpenFolder,
  { act, shown }: DecisionOf<'leaveTeam'>,
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

/** @param means with the text that the form previews */
export async function carryOutRing(
  { keys, logins, pasted }: TeamMeans & { readonly pasted: string },
  { workspace }: OpenFolder,
  { act, what, shown }: DecisionOf<'keys'>,
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
export async function addPasskeyToRing(means: TeamMeans, workspace: Workspace, member: Member): Promise<void> {
  await changeRing(means, workspace, (signing, ring) => addMember(signing, ring, member));
}

/** @throws AppError, and errors of the server */
async function changeRing(
  { keys, logins }: TeamMeans,
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

function doneWords(what: KeyAct): string {
  switch (what.do) {
    case 'trust':
      return l10n.t('Decisions of {0} are now valid for the team.', what.called);
    case 'makeRoot':
      return l10n.t('This key is now a team owner key.');
    default:
      return l10n.t('Removed.');
  }
}
