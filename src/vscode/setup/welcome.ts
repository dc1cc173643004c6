/** Facts for menus, welcomes and steps of the walkthrough; the prompt that a step copies; and the user pages. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { information } from '../kit/messages.ts';
import { sharedStatus } from '../../ui/surface/unavailable.ts';
import { waitingOf } from '../../ui/tree/nodes.ts';

const openChat = 'workbench.action.chat.open';

export function registerWelcome({ extensionUri }: vscode.ExtensionContext, folders: Folders): Closable {
  const all = collect();
  const hasNewAnswer = newAnswers(folders);
  const set = (name: string, value: unknown) => void vscode.commands.executeCommand('setContext', name, value);
  const look = () => {
    const state = folders.all.length > 0 ? 'ready' : vscode.workspace.workspaceFolders?.length ? 'virtual' : 'none';
    set(ids.context.state, state);
    set(ids.context.connected, isConnected(folders));
    set(ids.context.waits, waitingOf(folders) > 0);
    set(
      ids.context.holding,
      folders.stores.some(([{ workspace }]) => (workspace.standing().state?.holders.size ?? 0) > 0),
    );
    set(ids.context.team, sharedStatus(folders) !== null);
    if (hasNewAnswer()) set(ids.context.answered, true);
  };
  all.add(folders.onDidChange(look));
  all.add(
    vscode.commands.registerCommand(ids.commands.promptAgent, async () => {
      const query = l10n.t(
        'Before you change anything, ask me one question about this project with #holdpoint_raise_question, and wait for my answer.',
      );
      await vscode.env.clipboard.writeText(query);
      const hasChat = (await vscode.commands.getCommands(true)).includes(openChat);
      const inChat = l10n.t('Open chat');
      const text = l10n.t('The prompt is copied. Paste it to your agent.');
      if ((await information(text, ...(hasChat ? [inChat] : []))) === inChat)
        await vscode.commands.executeCommand(openChat, { query, isPartialQuery: true });
    }),
  );
  all.add(
    vscode.commands.registerCommand(ids.commands.openDocs, async () => {
      const page = vscode.Uri.joinPath(extensionUri, 'docs', 'README.md');
      await vscode.commands.executeCommand('markdown.showPreview', page);
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

/** Says whether a question that was waiting at an earlier look is answered by now. */
function newAnswers(folders: Folders): () => boolean {
  let waited: readonly string[] = [];
  return () => {
    const states = folders.stores.flatMap(([{ workspace }]) => workspace.standing().state ?? []);
    const isAnswered = states.some(({ questions }) =>
      waited.some((id) => questions.get(id)?.resolution?.how === 'answered'),
    );
    waited = states.flatMap(({ undecided }) => [...undecided]);
    return isAnswered;
  };
}
