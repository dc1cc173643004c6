/** The tree "Waiting for you". Its badge counts all waiting items, whatever the filter. */
import * as vscode from 'vscode';
import { visibleText } from '../../core/kit/visible.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { chooseFilter, chooseGrouping, filterWords } from './looking.ts';
import { treeItem } from './items.ts';
import { atWork, idOf, itemsOf, rootNodes, waitingOf } from './nodes.ts';
import type { Looking, Node } from './nodes.ts';

const lookingName = 'holdpoint.looking';
const minuteMs = 60_000;
/** Groups refreshes, because agents write many times a second. Milliseconds. */
const refreshMs = 100;

export interface WaitingTree extends Closable {
  /** Whether the human can see the list now. */
  isInView(): boolean;
}

export function registerWaitingTree(context: vscode.ExtensionContext, folders: Folders): WaitingTree {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  let looking = context.workspaceState.get<Looking>(lookingName, { group: 'none' });
  const view = all.add(
    vscode.window.createTreeView<Node>(ids.views.waiting, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: (node) => treeItem(folders, node),
        getChildren: async (node) => (node ? below(folders, node) : roots()),
      },
    }),
  );
  /** The rows' current content: unchanged rows are left alone, so that a click does not miss. */
  let said = '';
  let waitingFor: NodeJS.Timeout | undefined;

  function refreshSoon(): void {
    waitingFor ??= setTimeout(() => {
      waitingFor = undefined;
      void refresh();
    }, refreshMs);
  }

  async function refresh(): Promise<void> {
    const now = JSON.stringify((await roots()).map((node) => rowsOf(folders, node)));
    if (now === said) return;
    said = now;
    changed.fire();
  }

  async function roots(): Promise<Node[]> {
    const { nodes, shown, all: waiting } = await rootNodes(folders, looking);
    const filter = filterWords(looking);
    const message =
      filter !== null
        ? vscode.l10n.t('Filtered: {0}. {1} of {2} shown.', filter, shown, waiting)
        : waiting === 0 && !nodes.some(({ kind }) => kind === 'unknown')
          ? calm(folders, nodes.length)
          : '';
    // Assign only on change: the editor delays drawing after each assignment.
    if (view.message !== message) view.message = message;
    return nodes;
  }

  function update(): void {
    const count = waitingOf(folders);
    if ((view.badge?.value ?? 0) !== count)
      view.badge = count === 0 ? undefined : { value: count, tooltip: vscode.l10n.t('{0} waiting for you', count) };
    refreshSoon();
  }

  async function look(next: Looking | undefined): Promise<void> {
    if (!next) return;
    looking = next;
    await context.workspaceState.update(lookingName, next);
    await vscode.commands.executeCommand('setContext', ids.context.filtered, filterWords(next) !== null);
    changed.fire();
  }

  const on = (id: string, run: () => unknown) => all.add(vscode.commands.registerCommand(id, run));
  on(ids.commands.refresh, () => {
    update();
    changed.fire();
  });
  on(ids.commands.filter, async () => look(await chooseFilter(folders, looking)));
  on(ids.commands.clearFilter, () => look({ group: looking.group }));
  on(ids.commands.group, async () => look(await chooseGrouping(looking)));
  all.add(folders.onDidChange(update));
  const clock = setInterval(() => {
    if (view.visible) changed.fire();
  }, minuteMs);
  all.add({
    dispose() {
      clearInterval(clock);
      clearTimeout(waitingFor);
    },
  });
  void look(looking);
  return {
    isInView: () => view.visible && vscode.window.state.focused,
    dispose: () => {
      all.dispose();
    },
  };
}

/** The content of a row and its children. */
function rowsOf(folders: Folders, node: Node): unknown {
  const { id, label, description, contextValue, tooltip } = treeItem(folders, node);
  const rows = 'nodes' in node ? node.nodes.map((one) => rowsOf(folders, one)) : folded(node);
  return [id, label, description, contextValue, tooltip, rows];
}

/** For folded rows: ids and order. Their content is loaded when unfolded. */
function folded(node: Node): string[] {
  return node.kind === 'rest' ? node.waiting.map(idOf) : [];
}

async function below(folders: Folders, node: Node): Promise<Node[]> {
  if (node.kind === 'rest') return itemsOf(folders, node.waiting);
  return 'nodes' in node ? [...node.nodes] : [];
}

/** Nothing waits: shows what agents do meanwhile. The welcome view says the rest. */
function calm(folders: Folders, rows: number): string {
  const working = visibleText(atWork(folders) ?? '');
  return rows === 0 ? working : [vscode.l10n.t('Nothing is waiting for you.'), working].join(' ').trim();
}
