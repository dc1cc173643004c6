/** Joins a team's workspace in a folder without a journal, in three steps. Decides nothing. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { withServer, agentsLogin } from '../../app/team/login.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';
import { failure, information } from '../kit/messages.ts';
import { askAgentsLogin, askLogin } from './connect.ts';
import type { Logins } from './logins.ts';
import { teamErrorWords } from './serverWords.ts';

export async function join({ workspace }: OpenFolder, logins: Logins): Promise<void> {
  const title = l10n.t('Join a team’s workspace');
  const mine = await askLogin({ kind: 'human', workspace: null });
  if (!mine) return;
  const name = await chooseName(title, mine.tried.workspaces);
  if (name === undefined) return;
  const fingerprint = await vscode.window.showInputBox({
    title,
    prompt: l10n.t(
      'The fingerprint of the team’s root key, from the person who shared the workspace. Get it another way than the login.',
    ),
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^([0-9a-f]{64})?$/i.test(text.replace(/\s/g, ''))
        ? undefined
        : l10n.t('A fingerprint has 64 digits and letters from a to f.'),
  });
  if (fingerprint === undefined || fingerprint.trim() === '') return;
  if (!(await askAgentsLogin(workspace))) return;
  const agents = agentsLogin(workspace);
  if ('problem' in agents) {
    void failure(agents.problem);
    return;
  }
  try {
    const { joinTeam } = await import('../../app/team/joining.ts');
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: l10n.t('Copying the journal of {0}…', name) },
      async () => {
        const { connection } = agents;
        const joined = await withServer(mine.url, (server) =>
          joinTeam({ workspace, server, name, fingerprint, connection }),
        );
        await logins.save(joined.workspace, mine.url);
        workspace.reopen();
        await workspace.confirm(10_000);
      },
    );
    void information(l10n.t('This folder is part of {0} now.', name));
  } catch (error) {
    void failure(teamErrorWords(error));
  }
}

async function chooseName(title: string, names: readonly string[]): Promise<string | undefined> {
  if (names.length === 0) {
    void failure(l10n.t('This login is not a member of any workspace. Ask an administrator of the team to add it.'));
    return undefined;
  }
  return vscode.window.showQuickPick(names, { title, placeHolder: l10n.t('Workspace') });
}
