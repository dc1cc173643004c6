/** Commands about a team. They open forms and ask for logins; none makes a decision. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
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
} from '../../app/team/servers.ts';
import { AppError, storeFailure } from '../../app/workspace/errors.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';

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

export interface Logins {
  /** The URL of the human's login for a workspace; null without one, and until it was read. */
  of(workspace: Workspace): string | null;
  /** The URL of the login, read from SecretStorage. */
  read(workspace: Workspace): Promise<string | null>;
  /** @param id of the workspace */
  save(id: string, url: string): Promise<void>;
  forget(id: string): Promise<void>;
  /** Reads the logins of the window's folders, and again when one changes, in any window. */
  follow(folders: Folders): Closable;
}

const prefix = 'holdpoint.login.';

export function openLogins(secrets: Secrets): Logins {
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
    of(workspace) {
      const id = idOf(workspace);
      return id === null ? null : (known.get(id) ?? null);
    },
    async read(workspace) {
      const id = idOf(workspace);
      return id === null ? null : load(id);
    },
    async save(id, url) {
      known.set(id, url);
      await secrets.store(prefix + id, url);
    },
    async forget(id) {
      known.set(id, null);
      await secrets.delete(prefix + id);
    },
    follow(folders) {
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
