/** Wires the extension: registers, loads nothing. */
import * as vscode from 'vscode';
import { exportApi } from './api.ts';
import type { HoldpointApi } from './api.ts';
import { registerAnswerView } from './question/answerView.ts';
import { keepAttestations } from './audit/attestationKeeper.ts';
import { registerAudit } from './audit/panel.ts';
import { registerBriefingView } from './memory/briefingView.ts';
import { registerCommands, readableRfcKey, rfcKeyOf } from './commands.ts';
import { keepCopies } from './recovery/copyKeeper.ts';
import { registerDashboard } from './dashboard/panel.ts';
import { collect } from './kit/disposables.ts';
import { openFolders } from './kit/folders.ts';
import { ids } from './kit/ids.ts';
import { registerMcpServers } from './agents/mcpProvider.ts';
import { registerMemoryCommands } from './memory/commands.ts';
import { registerMemoryDecorations } from './memory/decorations.ts';
import { registerMemoryLens } from './memory/lens.ts';
import { registerMemoryNotifications } from './memory/notifications.ts';
import { registerMemoryStatus } from './memory/status.ts';
import { registerMoving } from './transfer/moving.ts';
import { registerNotifications } from './waiting/notifications.ts';
import { registerOpening } from './waiting/opening.ts';
import { registerReviewer } from './rfc/reviewer.ts';
import { registerRfcDocuments } from './rfc/documents.ts';
import { registerRfcPanels } from './rfc/panels.ts';
import { keepMirrors } from './mirrors/mirrorKeeper.ts';
import { registerRequestNotifications } from './request/notifications.ts';
import { openKeys } from './surface/signer.ts';
import { registerStatusBar } from './statusBar.ts';
import { keepSetup } from './hosts/setupKeeper.ts';
import { registerSetup } from './hosts/setupPanel.ts';
import { registerSweep } from './workspace/sweeping.ts';
import { putOnTerminalPath } from './agents/terminalPath.ts';
import { registerTools } from './agents/tools.ts';
import { registerWaitingTree } from './waiting/tree.ts';
import { keepWitness } from './recovery/witnessKeeper.ts';

export function activate(context: vscode.ExtensionContext): HoldpointApi {
  const all = collect();
  context.subscriptions.push(all);
  const folders = all.add(openFolders(context.extensionPath));
  const keys = openKeys(context.secrets);
  const copies = all.add(keepCopies(context, folders));
  const answers = all.add(registerAnswerView({ context, folders, copies, keys }));
  const briefings = all.add(registerBriefingView({ context, folders, keys, forms: answers }));
  const reviews = all.add(registerRfcPanels({ context, folders, keys, forms: answers }));
  const tree = all.add(registerWaitingTree(context, folders));
  all.add(registerCommands(folders, answers, reviews));
  const keyOf = (argument: unknown) => rfcKeyOf(folders, argument);
  all.add(registerReviewer({ context, folders, keyOf }));
  all.add(registerRfcDocuments({ folders, keys, keyOf: (argument) => readableRfcKey(folders, argument) }));
  all.add(registerMemoryCommands(folders, briefings));
  all.add(registerDashboard(context, folders));
  all.add(registerAudit({ context, folders, keys }));
  all.add(registerMoving(folders));
  const setup = all.add(keepSetup(context, folders));
  all.add(registerSetup(context, folders, setup));
  all.add(registerStatusBar(folders, setup));
  all.add(registerMemoryStatus(folders));
  all.add(registerNotifications(context, folders, tree.isInView));
  all.add(registerMemoryNotifications(context, folders));
  all.add(registerRequestNotifications(context, folders));
  all.add(registerMemoryLens(folders));
  all.add(registerMemoryDecorations(folders));
  // An untrusted window offers no tools to agents; they are added when the window is trusted.
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
