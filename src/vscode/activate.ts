/** Wires the extension: registers, loads nothing. */
import path from 'node:path';
import * as vscode from 'vscode';
import { exportApi, type HoldpointApi } from './api.ts';
import { registerAnswerView, type AnswerView } from './answer/answerView.ts';
import { keepAttestations, keepMirrors, keepFreshness } from './kit/keepers.ts';
import { registerAudit } from './dashboard/audit.ts';
import { registerBriefingView, registerMemoryCommands, type Briefings } from './briefing/briefingView.ts';
import { registerBrowser } from './settings/browser.ts';
import { keyFrom, registerCommands, rfcKeyOf } from './commands.ts';
import { keepCopies, keepSavedState, keepWitness } from './kit/recovery.ts';
import { registerDashboard } from './dashboard/dashboard.ts';
import { collect, type Closable } from '../ui/kit/disposables.ts';
import { openFolders } from './kit/folders.ts';
import { registerAddPasskey } from './settings/addPasskey.ts';
import { openClaims } from './status/claims.ts';
import { openTelling, type Screen } from './status/telling.ts';
import { registerMcpServers, putOnTerminalPath, registerTools } from './setup/tools.ts';
import { registerMemoryDecorations } from './briefing/decorations.ts';
import { registerMemoryLens } from './briefing/lens.ts';
import { registerNotifications } from './status/notifications.ts';
import { registerOpening } from './tree/opening.ts';
import { registerOtherFolders } from './tree/others.ts';
import { keepReminders, openPersonal } from './settings/reminders.ts';
import { registerResuming } from './answer/resuming.ts';
import { registerReviewer } from './rfc/reviewer.ts';
import { registerRfcPanels, type RfcPanels } from './rfc/panel.ts';
import { openKeys } from './kit/keys.ts';
import { registerStatusBar } from './status/statusBar.ts';
import { keepSetup } from './setup/setupKeeper.ts';
import { registerSetup } from './setup/setupPanel.ts';
import { keepHeldFiles, registerSweep } from '../ui/kit/keepers.ts';
import { runIn, type Program } from '../ui/kit/program.ts';
import { withSampleKeys, registerSample } from './setup/sample.ts';
import { registerTeamCommands, openLogins } from './settings/team.ts';
import { ownLauncher } from './kit/ownNode.ts';
import { registerWaitingTree, type WaitingTree } from './tree/tree.ts';
import { registerWelcome } from './setup/welcome.ts';
import { defaultMaxIterations } from '../core/rfc/review.ts';
import { ids } from '../ui/kit/ids.ts';

// Commands whose code is loaded when one of them is first run.

/** @param load registers the commands; it replaces their place holders */
function onDemand(commands: readonly string[], load: () => Promise<() => Closable>): Closable {
  const all = collect();
  const placeHolders = collect();
  let loaded: Promise<void> | undefined;
  const register = async () => {
    const registration = await load();
    placeHolders.dispose();
    all.add(registration());
  };
  for (const command of commands)
    placeHolders.add(
      vscode.commands.registerCommand(command, async (...given: unknown[]) => {
        await (loaded ??= register());
        return vscode.commands.executeCommand(command, ...given);
      }),
    );
  all.add({ dispose: placeHolders.dispose });
  return all;
}

export function activate(context: vscode.ExtensionContext): HoldpointApi {
  runIn(thisEditor);
  const all = collect();
  context.subscriptions.push(all);
  const logins = openLogins(context.secrets);
  const folders = all.add(openFolders(context.extensionPath, (workspace) => logins.of(workspace)));
  all.add(logins.follow(folders));
  const keys = withSampleKeys(openKeys(context.secrets));
  const copies = all.add(keepCopies(context, folders));
  const resuming = all.add(registerResuming(folders));
  const answers = all.add(registerAnswerView({ context, folders, copies, keys, logins, resuming }));
  const briefings = all.add(registerBriefingView({ context, folders, keys, forms: answers }));
  const reviews = all.add(registerRfcPanels({ context, folders, keys, forms: answers }));
  const tree = all.add(registerWaitingTree({ context, folders, keys, onDidShow: answers.onDidShow }));
  all.add(registerCommands(folders, answers, reviews));
  const { extensionPath } = context;
  all.add(registerBrowser({ extensionPath, folders, logins, keyOf: (argument) => keyFrom(folders, argument) }));
  all.add(registerTeamCommands({ folders, forms: answers, logins }));
  const keyOf = (argument: unknown) => rfcKeyOf(folders, argument);
  all.add(registerReviewer({ context, folders, keyOf, isShown: reviews.isShown }));
  all.add(registerMemoryCommands(folders, briefings));
  all.add(registerDashboard(context, folders));
  all.add(registerAudit({ context, folders, keys }));
  const others = all.add(registerOtherFolders(folders));
  const setup = all.add(keepSetup(context, folders, ownLauncher(context.extensionPath)));
  all.add(registerSetup(context, folders, setup));
  all.add(registerStatusBar(folders, setup, others));
  const { isSilent, isQuiet } = openPersonal();
  const claims = openClaims(path.join(context.globalStorageUri.fsPath, 'notified'));
  const telling = all.add(openTelling({ screen: screenOf({ answers, reviews, tree, briefings }), claims, isSilent }));
  all.add(registerNotifications({ folders, telling, isListInView: tree.isInView, isQuiet }));
  all.add(registerAddPasskey({ folders, keys, logins }));
  all.add(
    onDemand([ids.commands.reminders], async () => {
      const { registerReminderMenu } = await import('./settings/reminderMenu.ts');
      return () => registerReminderMenu(context);
    }),
  );
  all.add(keepReminders(context, folders));
  all.add(registerMemoryLens(folders));
  all.add(registerMemoryDecorations(folders));
  // An untrusted window offers no tools to agents; they are added when the window is trusted.
  const serveAgents = () => {
    all.add(registerTools(context, folders));
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
  return all.add(exportApi(folders)).api;
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
    isReviewing: () => reviews.isReviewing(),
    onDidChangeReviewing: reviews.onDidChangeReviewing,
  };
}
