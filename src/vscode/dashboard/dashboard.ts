/** The dashboard: one live editor tab per window, restored after a reload. It opens forms; it decides nothing. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { dashboardMessage, type DashboardMessage } from '../../ui/dashboard/messages.ts';
import { dashboardView, otherView, othersOfWindow, type DashboardSnapshot } from '../../ui/dashboard/view.ts';
import { collect, type Closable } from '../../ui/kit/timing.ts';
import { folderChoice } from '../kit/folders.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { outageOf, noFolder, notShown } from '../../ui/kit/problemWords.ts';
import { attachSnapshots } from '../kit/pages.ts';
import { ids } from '../../ui/kit/ids.ts';
import { formKey } from '../../ui/surface/workspaceForms.ts';
import type { SnapshotHead } from '../../ui/kit/view.ts';
import type { OtherFolders } from './others.ts';

interface DashboardOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly others: OtherFolders;
}

export function showDashboard(panel: vscode.WebviewPanel, { context, folders, others }: DashboardOptions): Closable {
  const all = collect();
  const choice = folderChoice(() => folders.stores.map(([folder]) => folder));
  const page = all.add(
    attachSnapshots(panel, { context, page: 'dashboard', schema: dashboardMessage, choice, snapshot, receive }),
  );

  async function snapshot(): Promise<Omit<DashboardSnapshot, keyof SnapshotHead>> {
    const elsewhere = [...othersOfWindow(folders, choice.shown()), ...others.all].map(otherView);
    return { ...outageOf(folders), view: await currentView().catch(notShown), others: elsewhere };
  }

  async function currentView(): Promise<DashboardSnapshot['view']> {
    const folder = choice.shown();
    if (!folder)
      return noFolder(
        l10n.t(
          'Open the folder your agents work in. The overview shows who waits for you, since when, and the work on hold.',
        ),
      );
    return dashboardView(folder, { ...choice.offer(folder), dismisses: true });
  }

  async function openForm(keyIn: (folder: OpenFolder) => string): Promise<void> {
    const folder = choice.shown();
    if (folder) await vscode.commands.executeCommand(ids.commands.openForm, keyIn(folder));
  }

  /** A folder of this window is shown here, or its item; any other opens in its own window. */
  async function openOther(path: string, id: string | null): Promise<void> {
    const own = folders.stores.find(([{ uri }]) => uri.fsPath === path)?.[0];
    if (own && id !== null) await vscode.commands.executeCommand(ids.commands.openForm, folders.keyOf(own, id));
    else if (own) choice.choose(choice.offer(own).folder);
    else await others.open(path, id);
  }

  async function receive(message: Exclude<DashboardMessage, { type: 'do' }>): Promise<void> {
    switch (message.type) {
      case 'ready':
        void others.refresh();
        return;
      case 'folder':
        return;
      case 'open':
        return openForm((folder) => folders.keyOf(folder, message.id));
      case 'work':
        return openForm((folder) => formKey(folders, folder, 'work', message.id));
      case 'releaseAll':
        return openForm((folder) => formKey(folders, folder, 'releaseAll', message.agent));
      case 'other':
        return openOther(message.folder, message.id);
      case 'removeOther':
        return others.remove(message.folder);
    }
  }

  all.add(folders.onDidChange(page.draw));
  all.add(others.onDidChange(page.draw));
  return all;
}
