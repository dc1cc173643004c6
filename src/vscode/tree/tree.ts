/** The "Waiting for you" tree. Its badge counts all waiting items, whatever the filter. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { visibleText } from '../../core/kit/visible.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { whenSlow } from '../kit/whenSlow.ts';
import type { Keys } from '../../ui/surface/keys.ts';
import { ids } from '../../ui/kit/ids.ts';
import { sharedStatus } from '../../ui/surface/outage.ts';
import { chooseFilter, chooseGrouping, filterWords, unfiltered } from './looking.ts';
import { followForm } from './following.ts';
import { atWork, idOf, itemsOf, rootNodes, waitingOf } from '../../ui/tree/nodes.ts';
import type { Looking, NameIn, Node } from '../../ui/tree/nodes.ts';
import { treeRows } from './treeRows.ts';
import type { TreeRows } from './treeRows.ts';

const lookingName = 'holdpoint.looking';

export interface WaitingTree extends Closable {
  /** Whether the human can see the list now. */
  isInView(): boolean;
  /** Keys of the items in the list; empty while it is hidden. */
  listed(): Promise<string[]>;
}

interface Around {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  /** Fires with the key of the item that the "Answer" view shows. */
  readonly onDidShow: vscode.Event<string>;
}

export function registerWaitingTree({ context, folders, keys, onDidShow }: Around): WaitingTree {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  const nameIn = nameBy(keys);
  let looking = context.workspaceState.get<Looking>(lookingName, { group: 'none' });
  const view = all.add(
    vscode.window.createTreeView<Node>(ids.views.waiting, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: (node) => rows.itemOf(node),
        getChildren: (node) => (node ? below(folders, node) : rows.top()),
        // Of all parents, only groups contain rows that are selected from outside.
        getParent: (node) => groups.find(({ nodes }) => nodes.includes(node)),
      },
    }),
  );
  let groups: readonly Group[] = [];
  const following = all.add(followForm({ view, rows: selectable, keyOf: (node) => keyOf(folders, node), onDidShow }));
  const rows: TreeRows = all.add(
    treeRows({
      folders,
      read: roots,
      isVisible: () => view.visible,
      replace() {
        changed.fire();
        return following.update();
      },
    }),
  );

  /** Rows of waiting items, including those in groups, except in collapsed ones. */
  async function selectable(): Promise<Node[]> {
    const { nodes } = await rootNodes(folders, looking, nameIn);
    groups = nodes.filter((node) => node.kind === 'group');
    return nodes.flatMap((node) => (node.kind === 'group' ? node.nodes : [node]));
  }

  async function roots(): Promise<Node[]> {
    const found = await rootNodes(folders, looking, nameIn);
    setHead(view, messageOf(folders, looking, found), sharedStatus(folders)?.words ?? '');
    return found.nodes;
  }

  function update(): void {
    const count = waitingOf(folders);
    if ((view.badge?.value ?? 0) !== count)
      view.badge = count === 0 ? undefined : { value: count, tooltip: l10n.t('{0} waiting for you', count) };
    rows.refreshSoon();
  }

  async function look(next: Looking | undefined): Promise<void> {
    if (!next) return;
    looking = next;
    await context.workspaceState.update(lookingName, next);
    await setContexts(next);
    rows.replaceAll();
  }

  const on = (id: string, run: (argument: unknown) => unknown) => all.add(vscode.commands.registerCommand(id, run));
  on(ids.commands.refresh, () => {
    update();
    rows.replaceAll();
  });
  on(ids.commands.filter, async () => look(await chooseFilter(folders, looking)));
  on(ids.commands.clearFilter, () => look(unfiltered(looking)));
  on(ids.commands.showForMe, () => look({ ...looking, forMe: true }));
  on(ids.commands.showForAll, () => {
    const { forMe: _, ...all } = looking;
    return look(all);
  });
  on(ids.commands.group, async () => look(await chooseGrouping(looking)));
  all.add(folders.onDidChange(update));
  all.add(whenSlow(folders.opened, () => (view.message = l10n.t('Reading the journal…'))));
  void setContexts(looking);
  return {
    isInView: () => view.visible && vscode.window.state.focused,
    listed: async () => (view.visible ? keysOf(folders, (await rootNodes(folders, looking, nameIn)).nodes) : []),
    dispose: () => {
      all.dispose();
    },
  };
}

/** The name of this editor's key in a folder. */
function nameBy(keys: Keys): NameIn {
  return async ({ workspace }) => {
    const standing = await keys.standing(workspace);
    return standing.kind === 'enrolled' ? standing.name : null;
  };
}

/** Assigns only on change: the editor delays drawing after each assignment. */
function setHead(view: vscode.TreeView<Node>, message: string, description: string): void {
  if (view.message !== message) view.message = message;
  if ((view.description ?? '') !== description) view.description = description;
}

/** The message above the rows. */
function messageOf(
  folders: Folders,
  looking: Looking,
  { nodes, shown, all: waiting }: Awaited<ReturnType<typeof rootNodes>>,
): string {
  const filter = filterWords(looking);
  if (filter !== null) return l10n.t('Filtered: {0}. {1} of {2} shown.', filter, shown, waiting);
  return waiting === 0 && !nodes.some(({ kind }) => kind === 'unknown') ? calm(folders, nodes.length) : '';
}

type Group = Extract<Node, { kind: 'group' }>;

/** The key of a row's item in the "Answer" view; null for other rows. */
function keyOf(folders: Folders, node: Node): string | null {
  if (node.kind !== 'question' && node.kind !== 'request') return null;
  return folders.keyOf(node.folder, idOf(node));
}

/** Keys of the rows that are not collapsed. */
function keysOf(folders: Folders, nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'group') return keysOf(folders, node.nodes);
    const isItem = node.kind === 'question' || node.kind === 'rfc' || node.kind === 'request';
    return isItem ? [folders.keyOf(node.folder, idOf(node))] : [];
  });
}

async function below(folders: Folders, node: Node): Promise<Node[]> {
  if (node.kind === 'rest' || node.kind === 'alike') return itemsOf(folders, node.waiting);
  return 'nodes' in node ? [...node.nodes] : [];
}

/** The message of the empty tree: the activity of agents. The welcome view has the rest. */
function calm(folders: Folders, rows: number): string {
  const working = visibleText(atWork(folders) ?? '');
  return rows === 0 ? working : [l10n.t('Nothing is waiting for you.'), working].join(' ').trim();
}

/** For the menus of the view. */
async function setContexts({ forMe, ...others }: Looking): Promise<void> {
  await vscode.commands.executeCommand('setContext', ids.context.filtered, filterWords(others) !== null);
  await vscode.commands.executeCommand('setContext', ids.context.forMe, forMe ?? false);
}
