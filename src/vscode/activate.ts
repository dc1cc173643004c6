/** Wires the extension: registers, loads nothing. */
import * as vscode from 'vscode';
import { exportApi } from './api.ts';
import type { HoldpointApi } from './api.ts';
import { registerAnswerView } from './answerView.ts';
import { registerCommands } from './commands.ts';
import { keepCopies } from './copyKeeper.ts';
import { collect } from './disposables.ts';
import { openFolders } from './folders.ts';
import { ids } from './ids.ts';
import { registerMcpServers } from './mcpProvider.ts';
import { registerNotifications } from './notifications.ts';
import { registerOpening } from './opening.ts';
import { openKeys } from './signer.ts';
import { registerStatusBar } from './statusBar.ts';
import { registerSweep } from './sweeping.ts';
import { putOnTerminalPath } from './terminalPath.ts';
import { registerTools } from './tools.ts';
import { registerWaitingTree } from './waitingTree.ts';

export function activate(context: vscode.ExtensionContext): HoldpointApi {
  const all = collect();
  context.subscriptions.push(all);
  const folders = all.add(openFolders(context.extensionPath));
  const copies = all.add(keepCopies(context, folders));
  const answers = all.add(registerAnswerView({ context, folders, copies, keys: openKeys(context.secrets) }));
  all.add(registerWaitingTree(context, folders));
  all.add(registerCommands(folders, answers));
  all.add(registerStatusBar(folders));
  all.add(registerNotifications(context, folders));
  // Agents of a window the human does not trust get no tools: they come with the trust.
  const serveAgents = () => {
    all.add(registerTools(folders));
    all.add(registerMcpServers(context, folders));
    putOnTerminalPath(context);
  };
  if (vscode.workspace.isTrusted) serveAgents();
  else all.add(vscode.workspace.onDidGrantWorkspaceTrust(serveAgents));
  all.add(registerSweep(folders));
  all.add(registerOpening(folders));
  const tellState = () =>
    vscode.commands.executeCommand(
      'setContext',
      ids.context.state,
      folders.all.length > 0 ? 'ready' : vscode.workspace.workspaceFolders?.length ? 'virtual' : 'none',
    );
  all.add(folders.onDidChange(tellState));
  void tellState();
  return all.add(exportApi(folders)).api;
}
