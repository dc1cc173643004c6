/** The dashboard: one live editor tab per window, restored after a reload. It opens forms; it decides nothing. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { dashboardMessage, dashboardTab } from '../../ui/dashboard/messages.ts';
import { dashboardView, type DashboardSnapshot } from '../../ui/dashboard/view.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import { folderChoice } from '../kit/folders.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { outageOf, noFolder, notShown } from '../../ui/surface/unavailable.ts';
import { runHarmless, attachSnapshots } from '../kit/pages.ts';
import { ids } from '../../ui/kit/ids.ts';
import { formKey } from '../../ui/surface/workspaceForms.ts';
import { snapshotHead } from '../../ui/surface/signingSurface.ts';

/** Storage key of the last displayed tab. */
const tabName = 'holdpoint.dashboardTab';

export function showDashboard(
  panel: vscode.WebviewPanel,
  context: vscode.ExtensionContext,
  folders: Folders,
): Closable {
  const all = collect();
  let tab = dashboardTab.catch('agents').parse(context.workspaceState.get(tabName));
  const choice = folderChoice(() => folders.stores.map(([folder]) => folder));
  const page = all.add(attachSnapshots(panel, { context, page: 'dashboard', snapshot, receive }));

  async function snapshot(): Promise<DashboardSnapshot> {
    return { ...snapshotHead(), ...outageOf(folders), view: await currentView().catch(notShown) };
  }

  async function currentView(): Promise<DashboardSnapshot['view']> {
    const folder = choice.shown();
    if (!folder)
      return noFolder(l10n.t('The overview belongs to a folder on this machine. Open the folder your agents work in.'));
    return dashboardView(folder, tab, { ...choice.offer(folder), dismisses: true });
  }

  async function openForm(keyIn: (folder: OpenFolder) => string): Promise<void> {
    const folder = choice.shown();
    if (folder) await vscode.commands.executeCommand(ids.commands.openForm, keyIn(folder));
  }

  async function receive(raw: unknown): Promise<void> {
    const message = dashboardMessage.safeParse(raw).data;
    if (!message) return;
    switch (message.type) {
      case 'ready':
        tab = message.tab ?? tab;
        page.begin();
        return;
      case 'tab':
        tab = message.tab;
        // Saved here, because the page's state is lost when a window crashes.
        await context.workspaceState.update(tabName, tab);
        page.draw();
        return;
      case 'folder':
        choice.choose(message.key);
        page.draw();
        return;
      case 'open':
        await openForm((folder) => folders.keyOf(folder, message.id));
        return;
      case 'work':
        await openForm((folder) => formKey(folders, folder, 'work', message.id));
        return;
      case 'releaseAll':
        await openForm((folder) => formKey(folders, folder, 'releaseAll', message.agent));
        return;
      case 'do':
        await runHarmless(message.action);
    }
  }

  all.add(folders.onDidChange(page.draw));
  return all;
}
