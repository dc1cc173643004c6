/** Which welcome the empty tree shows, and the prompt that the walkthrough puts into the chat. */
import * as vscode from 'vscode';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { information } from '../kit/messages.ts';

const openChat = 'workbench.action.chat.open';

export function registerWelcome(folders: Folders): Closable {
  const all = collect();
  const set = (name: string, value: unknown) => void vscode.commands.executeCommand('setContext', name, value);
  const look = () => {
    const state = folders.all.length > 0 ? 'ready' : vscode.workspace.workspaceFolders?.length ? 'virtual' : 'none';
    set(ids.context.state, state);
    set(ids.context.connected, isConnected(folders));
  };
  all.add(folders.onDidChange(look));
  all.add(
    vscode.commands.registerCommand(ids.commands.promptAgent, async () => {
      const query = vscode.l10n.t(
        'Build the next task. Stop and ask me with #holdpoint_raise_question whenever a choice is mine.',
      );
      if ((await vscode.commands.getCommands(true)).includes(openChat))
        await vscode.commands.executeCommand(openChat, { query, isPartialQuery: true });
      else void information(vscode.l10n.t('This editor has no chat. Connect your agent in “Set Up Agents” instead.'));
    }),
  );
  return all;
}

/** Whether an agent has recorded something; also true for a store that cannot be read. */
function isConnected({ stores }: Folders): boolean {
  return stores.some(([{ workspace }]) => {
    const { problem, state } = workspace.standing();
    return problem !== null || state.workspace !== null;
  });
}
