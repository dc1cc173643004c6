/** Wires what a window shows and does. */
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { exportApi } from './api.ts';
import { registerAnswerView, type AnswerView } from './answer/answerView.ts';
import {
  keepAttestations,
  keepMirrors,
  keepFreshness,
  keepCopies,
  keepSavedState,
  keepWitness,
} from './kit/keepers.ts';
import { registerBriefingView, registerMemoryCommands, type Briefings } from './briefing/briefingView.ts';
import { registerBrowser } from './settings/browser.ts';
import { keyFrom, registerCommands, rfcKeyOf, registerOpening } from './commands.ts';
import { collect } from '../ui/kit/timing.ts';
import { openFolders } from './kit/folders.ts';
import { registerAddPasskey } from './settings/addPasskey.ts';
import { followOtherFolders } from './dashboard/others.ts';
import { openClaims } from './status/claims.ts';
import { registerNotifications, type Screen } from './status/notifications.ts';
import { registerMcpServers, putOnTerminalPath, openTools } from './setup/tools.ts';
import { registerFileMarks } from './briefing/fileMarks.ts';
import { keepReminders, openPersonal } from './settings/reminders.ts';
import { registerResuming } from './answer/resuming.ts';
import { registerReviewer } from './rfc/reviewer.ts';
import { registerRfcPanels, type RfcPanels } from './rfc/panel.ts';
import { openKeys } from './kit/keys.ts';
import { registerStatusBar } from './status/statusBar.ts';
import { keepSetup } from './setup/setupKeeper.ts';
import { registerTab, type TabOptions } from './kit/pages.ts';
import { keepHeldFiles, registerSweep } from '../ui/kit/keepers.ts';
import { runIn, type Program } from '../ui/kit/program.ts';
import { withSampleKeys, registerSample, registerWelcome } from './setup/welcome.ts';
import { registerTeamCommands, openLogins } from './settings/team.ts';
import { ownLauncher } from './kit/ownNode.ts';
import { registerWaitingTree, type WaitingTree } from './tree/tree.ts';
import { defaultMaxIterations } from '../core/rfc/review.ts';
import { ids } from '../ui/kit/ids.ts';

export function openWindow(context: vscode.ExtensionContext) {
  runIn(thisEditor);
  const all = collect();
  const logins = openLogins(context.secrets);
  const folders = all.add(openFolders(context.extensionPath, (workspace) => logins.of(workspace)));
  all.add(logins.follow(folders));
  const keys = withSampleKeys(openKeys(context.secrets));
  const copies = all.add(keepCopies(context, folders));
  const resuming = all.add(registerResuming(folders));
  const answers = all.add(registerAnswerView({ context, folders, copies, keys, logins, resuming }));
  const briefings = all.add(registerBriefingView({ context, folders, keys, forms: answers }));
  const reviews = all.add(registerRfcPanels({ context, folders, keys, forms: answers }));
  all.add(
    reviews.onDidChangeReviewing(() => {
      const key = reviews.reviewing();
      if (key !== undefined) answers.select(key);
    }),
  );
  const tree = all.add(registerWaitingTree({ context, folders, keys, onDidShow: answers.onDidShow }));
  all.add(registerCommands(folders, answers, reviews));
  const { extensionPath } = context;
  all.add(registerBrowser({ extensionPath, folders, logins, keyOf: (argument) => keyFrom(folders, argument) }));
  all.add(registerTeamCommands({ folders, forms: answers, logins }));
  const keyOf = (argument: unknown) => rfcKeyOf(folders, argument);
  all.add(registerReviewer({ context, folders, keyOf, isShown: reviews.isShown }));
  all.add(registerMemoryCommands(folders, briefings));
  const { commands, panels } = ids;
  const others = all.add(followOtherFolders(folders));
  const tab = (command: string, viewType: string, title: string, show: TabOptions['show']) =>
    all.add(registerTab({ context, command, viewType, title, show }));
  tab(commands.openDashboard, panels.dashboard, l10n.t('Overview'), async (panel) => {
    const { showDashboard } = await import('./dashboard/dashboard.ts');
    return showDashboard(panel, { context, folders, others });
  });
  tab(commands.openAudit, panels.audit, l10n.t('Decisions'), async (panel) => {
    const { showAudit } = await import('./dashboard/audit.ts');
    return showAudit(panel, { context, folders, keys });
  });
  const setup = all.add(keepSetup(context, folders, ownLauncher(context.extensionPath)));
  tab(commands.setUpAgents, panels.setup, l10n.t('Set Up Agents'), async (panel) => {
    const { showSetup } = await import('./setup/setupPanel.ts');
    return showSetup(panel, context, folders, setup);
  });
  all.add(registerStatusBar(folders, setup, others));
  const { isSilent, isQuiet } = openPersonal();
  const claims = openClaims(path.join(context.globalStorageUri.fsPath, 'notified'));
  const screen = screenOf({ answers, reviews, tree, briefings });
  all.add(registerNotifications({ folders, screen, claims, isSilent, isListInView: tree.isInView, isQuiet }));
  all.add(registerAddPasskey({ folders, keys, logins }));
  all.add(
    vscode.commands.registerCommand(ids.commands.reminders, async () => {
      const { showReminders } = await import('./settings/reminderMenu.ts');
      await showReminders(context);
    }),
  );
  all.add(keepReminders(context, folders));
  all.add(registerFileMarks(folders));
  const tools = all.add(openTools(folders));
  // Not in an untrusted window, until it is trusted.
  const serveAgents = () => {
    all.add(tools.offer());
    all.add(registerMcpServers(context, folders));
    void folders.opened.then(() => {
      // In a later turn: the tree begins to draw in this one.
      setImmediate(putOnTerminalPath, context);
    });
  };
  if (vscode.workspace.isTrusted) serveAgents();
  else all.add(vscode.workspace.onDidGrantWorkspaceTrust(serveAgents));
  all.add(keepFreshness(folders));
  all.add(registerSweep(folders));
  all.add(keepHeldFiles(folders));
  all.add(keepWitness(context.secrets, folders));
  all.add(keepSavedState(context, folders, keys));
  all.add(keepMirrors(folders));
  all.add(keepAttestations(folders));
  all.add(registerOpening(folders));
  all.add(registerSample(context, folders, answers));
  all.add(registerWelcome(context, folders));
  return { api: all.add(exportApi(folders)).api, invoke: tools.invoke, dispose: all.dispose };
}

// What models of pages need to know of VS Code.

export const thisEditor: Program = {
  get language() {
    return vscode.env.language;
  },
  texts: vscode.l10n.bundle,
  get remoteName() {
    return vscode.env.remoteName;
  },
  get isTrusted() {
    return vscode.workspace.isTrusted;
  },
  get reviewsAtMost() {
    const settings = vscode.workspace.getConfiguration();
    const wanted = settings.get<number>(ids.settings.reviewerMaxIterations, defaultMaxIterations);
    return Math.min(20, Math.max(1, Math.trunc(wanted)));
  },
};

// The items that the human can see in this window now, which notifications neither repeat nor cover.

export interface Surfaces {
  readonly answers: AnswerView;
  readonly reviews: RfcPanels;
  readonly tree: WaitingTree;
  readonly briefings: Briefings;
}

export function screenOf({ answers, reviews, tree, briefings }: Surfaces): Screen {
  return {
    isShown: (key) => answers.isShown(key) || reviews.isShown(key),
    listed: async () => new Set([...(await tree.listed()), ...briefings.listed()]),
    isReviewing: () => reviews.reviewing() !== undefined,
    onDidChangeReviewing: reviews.onDidChangeReviewing,
  };
}
