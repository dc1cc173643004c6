/** Asks for the logins to a team's server, tries each at once, and keeps the human's in SecretStorage. Decides nothing. */
import * as l10n from '@vscode/l10n';
import { agentsLogin, beginJournal, saveAgentsLogin, sharedIdOf, tryLogin } from '../../app/team/servers.ts';
import type { LoginKind, TriedLogin } from '../../app/team/servers.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';
import { information } from '../kit/messages.ts';
import { askUrl } from './askUrl.ts';
import type { Logins } from './logins.ts';

export async function connect({ workspace }: OpenFolder, logins: Logins): Promise<void> {
  const id = sharedIdOf(workspace) ?? (await begun(workspace));
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
async function begun(workspace: OpenFolder['workspace']): Promise<string | null> {
  const begin = l10n.t('Begin One to Share');
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
    const problem = unfit(tried, asked);
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
function unfit({ login, kind, workspaces }: TriedLogin, asked: Asked): string | null {
  if (kind !== asked.kind)
    return asked.kind === 'human'
      ? l10n.t('{0} is not a login for a person: it cannot decide. Paste your own.', login)
      : l10n.t('{0} is not a login for agents. Paste the one of your agents.', login);
  if (asked.workspace !== null && !workspaces.includes(asked.workspace))
    return l10n.t('{0} is not a member of this workspace. Ask an administrator of the team to add it.', login);
  return null;
}
