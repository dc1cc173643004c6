/** The rows that VS Code has of the tree. Unchanged rows are left alone, so that a click does not miss. */
import type * as vscode from 'vscode';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { listRow } from '../../ui/tree/items.ts';
import { idOf } from '../../ui/tree/nodes.ts';
import type { Node } from '../../ui/tree/nodes.ts';
import { treeItemOf } from './treeItem.ts';

const minuteMs = 60_000;
/** Rows that were read longer ago are read again. Milliseconds. */
const readyMs = 1_000;
/** From one refresh to the next: agents write many times a second. Milliseconds. */
const refreshMs = 100;

interface TreeRowsOptions {
  readonly folders: Folders;
  /** Reads the top rows as they are now. */
  readonly read: () => Promise<Node[]>;
  readonly isVisible: () => boolean;
  /** Makes VS Code ask for all rows again, once the view is visible. */
  readonly replace: () => Promise<void>;
}

export interface TreeRows extends Closable {
  itemOf(node: Node): vscode.TreeItem;
  /** The top rows, for VS Code. */
  top(): Promise<Node[]>;
  /** Replaces the rows where their content is no longer what VS Code has. */
  refreshSoon(): void;
  /** Replaces them in any case, for example because others are wanted. */
  replaceAll(): void;
}

export function treeRows({ folders, read, isVisible, replace }: TreeRowsOptions): TreeRows {
  /** Null while VS Code has not asked, or will ask as soon as the view is visible. */
  let shown: string | null = null;
  let asking = 0;
  /** Whether something may have changed since VS Code asked. */
  let missed = false;
  /** Rows that were read for a refresh, for VS Code, which asks for them at once unless the view is hidden. */
  let ready: { readonly nodes: Node[]; readonly at: number } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let refreshedAt = -Infinity;
  const items = new WeakMap<Node, vscode.TreeItem>();

  function itemOf(node: Node): vscode.TreeItem {
    const item = items.get(node) ?? treeItemOf(listRow(folders, node));
    items.set(node, item);
    return item;
  }

  async function refresh(): Promise<void> {
    // VS Code would drop the rows that it waits for, and ask again.
    if (asking > 0) missed = true;
    if (asking > 0 || shown === null) return;
    const nodes = isVisible() ? await read() : null;
    const now = nodes && contentOf(nodes, itemOf);
    if (now === shown) return;
    shown = now;
    if (nodes && !timer) ready = { nodes, at: performance.now() };
    await replace();
  }

  /** Rows say how long their items have been waiting. */
  const clock = setInterval(() => {
    if (isVisible()) replaceAll();
  }, minuteMs);

  function replaceAll(): void {
    ready = null;
    void replace();
  }

  function refreshSoon(): void {
    ready = null;
    const wait = Math.max(0, refreshedAt + refreshMs - performance.now());
    timer ??= setTimeout(() => {
      timer = undefined;
      refreshedAt = performance.now();
      void refresh();
    }, wait);
  }

  return {
    itemOf,
    async top() {
      asking++;
      try {
        await folders.opened;
        if (ready && performance.now() - ready.at < readyMs) return ready.nodes;
        const nodes = await read();
        shown = contentOf(nodes, itemOf);
        return nodes;
      } catch (error) {
        shown = ''; // it does not ask again by itself
        throw error;
      } finally {
        ready = null;
        asking--;
        if (missed) refreshSoon();
        missed = false;
      }
    },
    refreshSoon,
    replaceAll,
    dispose() {
      clearTimeout(timer);
      clearInterval(clock);
    },
  };
}

/** Ids and order of collapsed rows. Their content is loaded when they are expanded. */
function folded(node: Node): string[] {
  if (node.kind !== 'rest' && node.kind !== 'alike') return [];
  return node.waiting.flatMap((row) => (row.kind === 'alike' ? folded(row) : [idOf(row)]));
}

type ItemOf = TreeRows['itemOf'];

function contentOf(nodes: readonly Node[], itemOf: ItemOf): string {
  return nodes.map((node) => JSON.stringify(contentOfRow(node, itemOf))).join('\n');
}

/** The content of a row and its children. */
function contentOfRow(node: Node, itemOf: ItemOf): unknown {
  const { id, label, description, contextValue, tooltip } = itemOf(node);
  const rows = 'nodes' in node ? node.nodes.map((one) => contentOfRow(one, itemOf)) : folded(node);
  return [id, label, description, contextValue, tooltip, rows];
}
