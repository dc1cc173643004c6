/** Wires the extension: registers, loads nothing. */
import * as vscode from 'vscode';
import { exportApi } from './api.ts';
import type { HoldpointApi } from './api.ts';
import { registerAnswerView } from './answerView.ts';
import { keepAttestations } from './attestationKeeper.ts';
import { registerAudit } from './auditPanel.ts';
import { registerBriefingView } from './briefingView.ts';
import { registerCommands, rfcKeyOf } from './commands.ts';
import { keepCopies } from './copyKeeper.ts';
import { registerDashboard } from './dashboardPanel.ts';
import { collect } from './disposables.ts';
import { openFolders } from './folders.ts';
import { ids } from './ids.ts';
import { registerMcpServers } from './mcpProvider.ts';
import { registerMemoryCommands } from './memoryCommands.ts';
import { registerMemoryDecorations } from './memoryDecorations.ts';
import { registerMemoryLens } from './memoryLens.ts';
import { registerMemoryNotifications } from './memoryNotifications.ts';
import { registerMemoryStatus } from './memoryStatus.ts';
import { registerMoving } from './moving.ts';
import { registerNotifications } from './notifications.ts';
import { registerOpening } from './opening.ts';
import { registerReviewer } from './reviewer.ts';
import { registerRfcDocuments } from './rfcDocuments.ts';
import { registerRfcPanels } from './rfcPanels.ts';
import { keepMirrors } from './mirrorKeeper.ts';
import { registerRequestNotifications } from './requestNotifications.ts';
import { openKeys } from './signer.ts';
import { registerStatusBar } from './statusBar.ts';
import { keepSetup } from './setupKeeper.ts';
import { registerSetup } from './setupPanel.ts';
import { registerSweep } from './sweeping.ts';
import { putOnTerminalPath } from './terminalPath.ts';
import { registerTools } from './tools.ts';
import { registerWaitingTree } from './waitingTree.ts';
import { keepWitness } from './witnessKeeper.ts';

export function activate(context: vscode.ExtensionContext): HoldpointApi {
  const all = collect();
  context.subscriptions.push(all);
  const folders = all.add(openFolders(context.extensionPath));
  const keys = openKeys(context.secrets);
  const copies = all.add(keepCopies(context, folders));
  const answers = all.add(registerAnswerView({ context, folders, copies, keys }));
  const briefings = all.add(registerBriefingView({ context, folders, keys, answers }));
  const reviews = all.add(registerRfcPanels({ context, folders, keys, answers }));
  all.add(registerWaitingTree(context, folders));
  all.add(registerCommands(folders, answers, reviews));
  const keyOf = (argument: unknown) => rfcKeyOf(folders, argument);
  all.add(registerReviewer({ context, folders, keyOf }));
  all.add(registerRfcDocuments({ folders, keys, keyOf }));
  all.add(registerMemoryCommands(folders, briefings));
  all.add(registerDashboard(context, folders));
  all.add(registerAudit({ context, folders, keys }));
  all.add(registerMoving(folders));
  const setup = all.add(keepSetup(context, folders));
  all.add(registerSetup(context, folders, setup));
  all.add(registerStatusBar(folders, setup));
  all.add(registerMemoryStatus(folders));
  all.add(registerNotifications(context, folders));
  all.add(registerMemoryNotifications(context, folders));
  all.add(registerRequestNotifications(context, folders));
  all.add(registerMemoryLens(folders));
  all.add(registerMemoryDecorations(folders));
  // Agents of a window the human does not trust get no tools: they come with the trust.
  const serveAgents = () => {
    all.add(registerTools(context, folders));
    all.add(registerMcpServers(context, folders));
    void folders.opened.then(() => {
      putOnTerminalPath(context);
    });
  };
  if (vscode.workspace.isTrusted) serveAgents();
  else all.add(vscode.workspace.onDidGrantWorkspaceTrust(serveAgents));
  all.add(registerSweep(folders));
  all.add(keepWitness(context.secrets, folders));
  all.add(keepMirrors(folders));
  all.add(keepAttestations(folders));
  all.add(registerOpening(folders));
  const tellState = () => {
    const state = folders.all.length > 0 ? 'ready' : vscode.workspace.workspaceFolders?.length ? 'virtual' : 'none';
    void vscode.commands.executeCommand('setContext', ids.context.state, state);
  };
  all.add(folders.onDidChange(tellState));
  return all.add(exportApi(folders)).api;
}
