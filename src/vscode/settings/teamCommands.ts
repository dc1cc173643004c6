/** Commands about a team. They open forms and ask for logins; none takes a decision. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { failure, information } from '../kit/messages.ts';
import type { Forms } from '../kit/forms.ts';
import { leaveKey, shareKey } from '../../ui/surface/workspaceForms.ts';
import { chooseFolder } from '../kit/chooseFolder.ts';
import { connect } from './connect.ts';
import type { Logins } from './logins.ts';
import { sharedWords, teamErrorWords } from './serverWords.ts';

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
    if (folder.workspace.team() === null || !state?.shared) await forms.show(shareKey(folders, folder));
    else void information(sharedWords(state.shared.name));
  });
  on(ids.commands.leaveTeam, l10n.t('Leave the team in which folder?'), async (folder) => {
    if (folder.workspace.team() === null) void information(l10n.t('This workspace is not shared.'));
    else await forms.show(leaveKey(folders, folder));
  });
  return all;
}
