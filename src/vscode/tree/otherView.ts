/**
 * The view "Other folders": what is waiting in folders that this window does not show. Nothing is answered from here:
 * an item opens in a window of its own folder.
 */
import os from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import * as z from 'zod';
import { inboxCount } from '../../app/waiting/inbox.ts';
import { writeOpenNote } from '../../app/waiting/openNote.ts';
import { userFolder } from '../../store/journal/stateFile.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { information } from '../kit/messages.ts';
import { followOtherFolders } from './otherFolders.ts';
import type { OtherFolders } from './otherFolders.ts';
import { folderNodes, nodesOf, otherItem } from './otherItems.ts';
import type { OtherNode } from './otherItems.ts';

const minuteMs = 60_000;

/** What a row's command or a row itself names. Made on first use, because the editor's start must not wait for it. */
function named() {
  return z.union([
    z.object({ root: z.string(), id: z.string().nullable() }),
    z
      .object({ workspace: z.object({ folder: z.string() }), item: z.object({ id: z.string() }).optional() })
      .transform(({ workspace, item }) => ({ root: workspace.folder, id: item?.id ?? null })),
  ]);
}

export function registerOtherFolders(folders: Folders): OtherFolders {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  const others: OtherFolders = all.add(followOtherFolders(folders, () => view.visible));
  const view: vscode.TreeView<OtherNode> = all.add(
    vscode.window.createTreeView<OtherNode>(ids.views.others, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: otherItem,
        getChildren: (node) => (node ? childrenOf(node) : folderNodes(others.all)),
      },
    }),
  );

  function update(): void {
    void vscode.commands.executeCommand('setContext', ids.context.others, others.all.length > 0);
    const count = inboxCount(others.all);
    // A collapsed view shows its title alone. It has no badge, because badges of views are added up.
    view.title = count === 0 ? l10n.t('Other folders') : l10n.t('Other folders ({0})', count);
    changed.fire();
  }

  async function open(argument: unknown): Promise<void> {
    const { success, data } = named().safeParse(argument);
    // Only what is in the list: the command opens no other folder.
    const workspace = success ? others.all.find(({ folder }) => folder === data.root) : undefined;
    if (!success || !workspace || workspace.state === 'missing') return;
    const item = workspace.items.find(({ id }) => id === data.id);
    const folder = item?.folder ?? data.root;
    if (item || workspace.state === 'unknown') {
      const machine = thisMachine(process, os.homedir());
      writeOpenNote(machine, userFolder(machine), { folder, id: item?.id ?? null });
    }
    await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), { forceNewWindow: true });
  }

  async function remove(argument: unknown): Promise<void> {
    const { success, data } = named().safeParse(argument);
    const isMissing = others.all.some(({ folder, state }) => state === 'missing' && folder === data?.root);
    if (success && isMissing) await others.remove([data.root]);
  }

  const on = (id: string, run: (argument: unknown) => Promise<unknown>) =>
    all.add(vscode.commands.registerCommand(id, run));
  on(ids.commands.openOther, open);
  on(ids.commands.removeOther, remove);
  on(ids.commands.showOthers, async () => {
    await others.refresh();
    if (others.all.length === 0) void information(l10n.t('Nothing is waiting in other folders.'));
    else await vscode.commands.executeCommand(`${ids.views.others}.focus`);
  });
  all.add(others.onDidChange(update));
  all.add(
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) void others.refresh();
    }),
  );
  const clock = setInterval(() => {
    if (view.visible) changed.fire();
  }, minuteMs);
  all.add({
    dispose: () => {
      clearInterval(clock);
    },
  });
  return {
    get all() {
      return others.all;
    },
    onDidChange: others.onDidChange,
    refresh: () => others.refresh(),
    remove: (roots) => others.remove(roots),
    dispose: () => {
      all.dispose();
    },
  };
}

function childrenOf(node: OtherNode): OtherNode[] {
  return node.kind === 'folder' ? nodesOf(node.workspace) : [];
}

/** A line for the status bar's hover; empty when nothing is waiting elsewhere. */
export function othersLine({ all }: Pick<OtherFolders, 'all'>): string[] {
  const count = inboxCount(all);
  return count === 0 ? [] : [l10n.t('{0} waiting in other folders', count)];
}
