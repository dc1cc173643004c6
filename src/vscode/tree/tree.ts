/** The "Waiting for you" tree. Its badge counts all waiting items, whatever the filter. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { visibleText } from '../../core/kit/visible.ts';
import { collect, whenSlow } from '../../ui/kit/timing.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import type { Keys } from '../../ui/surface/standing.ts';
import { ids } from '../../ui/kit/ids.ts';
import { sharedStatus } from '../../ui/kit/problemWords.ts';
import {
  atWork,
  idOf,
  itemsOf,
  rootNodes,
  waitingOf,
  type Looking,
  type NameIn,
  type Node,
  waitingNodes,
  type Grouping,
} from '../../ui/tree/nodes.ts';
import { listRow } from '../../ui/tree/items.ts';
import { type ListRow, type RowIcon, typeWord } from '../../ui/kit/rows.ts';
import { shownAgent } from '../../core/kit/persons.ts';
import { withoutIcons } from '../kit/messages.ts';

// Filters and groups the tree through quick picks, which decide nothing.

interface Choice extends vscode.QuickPickItem {
  readonly change: Partial<Looking> | null;
}

interface Arrangement extends vscode.QuickPickItem {
  readonly next: Looking;
}

/** Undefined when the selection is unchanged. */
async function chooseFilter(folders: Folders, now: Looking): Promise<Looking | undefined> {
  const { waiting } = await waitingNodes(folders);
  const questions = waiting.flatMap((node) => (node.kind === 'question' ? [node.question] : []));
  const rfcs = waiting.flatMap((node) => (node.kind === 'rfc' ? [node.rfc] : []));
  const nameOf = new Map(
    waiting.map((node) => {
      const { agent_id } = node.kind === 'rfc' ? node.rfc : node.question;
      return [agent_id, shownAgent(agent_id, node.folder.workspace.person())];
    }),
  );
  const works = [
    ...questions.flatMap(({ work }) => work ?? []),
    ...rfcs.flatMap((rfc) => [...rfc.affected_workflows, ...rfc.blocked_tasks]),
  ];
  const heading = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator, change: null });
  const choices: Choice[] = [
    { label: l10n.t('Show all'), change: {} },
    { label: l10n.t('Urgent: high and critical'), change: { urgent: true } },
    heading(l10n.t('By agent')),
    ...uniqueValues([...questions, ...rfcs].map(({ agent_id }) => agent_id)).map((agent) => ({
      label: withoutIcons(nameOf.get(agent) ?? agent),
      change: { agent },
    })),
    heading(l10n.t('By work item')),
    ...uniqueValues(works.map(({ id }) => id)).map((work) => ({
      label: withoutIcons(works.find(({ id }) => id === work)?.title ?? work),
      description: withoutIcons(work),
      change: { work },
    })),
    heading(l10n.t('By type')),
    ...uniqueValues(questions.map(({ type }) => type)).map((type) => ({ label: typeWord(type), change: { type } })),
  ];
  const picked = await vscode.window.showQuickPick(choices, { title: l10n.t('Show which items?') });
  if (!picked?.change) return undefined;
  const isAll = Object.keys(picked.change).length === 0;
  const { forMe: _, ...all } = withoutFilter(now);
  return { ...(isAll ? all : withoutFilter(now)), ...picked.change };
}

/** Without a filter; groups and whose items are shown stay. */
function withoutFilter({ group, forMe }: Looking): Looking {
  return { group, ...(forMe ? { forMe } : {}) };
}

async function chooseGrouping(now: Looking): Promise<Looking | undefined> {
  const by = (group: Grouping, words: string): Arrangement => ({
    label: (now.group === group ? '$(check) ' : '') + words,
    next: { ...now, group },
  });
  const choices: Arrangement[] = [
    by('none', l10n.t('No groups')),
    by('urgency', l10n.t('By urgency')),
    by('agent', l10n.t('By agent')),
    by('work', l10n.t('By work item')),
  ];
  const picked = await vscode.window.showQuickPick(choices, { title: l10n.t('Group items by?') });
  return picked?.next;
}

/** The active filter, for the line above the tree; null without one. */
function filterWords(looking: Looking): string | null {
  const parts = [
    looking.forMe ? l10n.t('for me') : null,
    looking.urgent ? l10n.t('urgent') : null,
    looking.agent,
    looking.work,
    looking.type && typeWord(looking.type),
  ];
  const named = parts.filter((part) => part !== null && part !== undefined);
  return named.length === 0 ? null : named.join(' · ');
}

function uniqueValues<T extends string>(values: readonly T[]): T[] {
  return [...new Set(values)].sort();
}

const lookingName = 'holdpoint.looking';

export type WaitingTree = ReturnType<typeof registerWaitingTree>;

interface Around {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly keys: Keys;
  /** Fires with the key of the item that the "Answer" view shows. */
  readonly onDidShow: vscode.Event<string>;
}

export function registerWaitingTree({ context, folders, keys, onDidShow }: Around) {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  const nameIn = nameBy(keys);
  let looking = context.workspaceState.get<Looking>(lookingName, { group: 'none' });
  const view = all.add(
    vscode.window.createTreeView<Node>(ids.views.waiting, {
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: (node) => rows.itemOf(node),
        getChildren: (node) => (node ? childrenOf(folders, node) : rows.top()),
        // Of all parents, only groups contain rows that are selected from outside.
        getParent: (node) => groups.find(({ nodes }) => nodes.includes(node)),
      },
    }),
  );
  let groups: readonly Group[] = [];
  const following = all.add(followForm({ folders, view, rows: selectable, onDidShow }));
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
  on(ids.commands.filter, async () => look(await chooseFilter(folders, looking)));
  on(ids.commands.clearFilter, () => look(withoutFilter(looking)));
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
    /** Whether the human can see the list now. */
    isInView: () => view.visible && vscode.window.state.focused,
    /** Keys of the items in the list; empty while it is hidden. */
    listed: async () => (view.visible ? keysOf(folders, (await rootNodes(folders, looking, nameIn)).nodes) : []),
    dispose: all.dispose,
  };
}

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

function messageOf(
  folders: Folders,
  looking: Looking,
  { nodes, shown, all: waiting }: Awaited<ReturnType<typeof rootNodes>>,
): string {
  const filter = filterWords(looking);
  if (filter !== null) return l10n.t('Filtered: {0}. {1} of {2} shown.', filter, shown, waiting);
  return waiting === 0 && !nodes.some(({ kind }) => kind === 'unknown') ? calmText(folders, nodes.length) : '';
}

type Group = Extract<Node, { kind: 'group' }>;

/** The key of a row's item; null for other rows. */
function keyOf(folders: Folders, node: Node): string | null {
  const isItem = node.kind === 'question' || node.kind === 'rfc' || node.kind === 'request';
  return isItem ? folders.keyOf(node.folder, idOf(node)) : null;
}

/** Keys of the rows that are not collapsed. */
function keysOf(folders: Folders, nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'group') return keysOf(folders, node.nodes);
    return keyOf(folders, node) ?? [];
  });
}

async function childrenOf(folders: Folders, node: Node): Promise<Node[]> {
  if (node.kind === 'rest' || node.kind === 'alike') return itemsOf(folders, node.waiting);
  return 'nodes' in node ? [...node.nodes] : [];
}

/** The message of the empty tree: the activity of agents. The welcome view has the rest. */
function calmText(folders: Folders, rows: number): string {
  const working = visibleText(atWork(folders) ?? '');
  return rows === 0 ? working : [l10n.t('Nothing is waiting for you.'), working].join(' ').trim();
}

async function setContexts({ forMe, ...others }: Looking): Promise<void> {
  await vscode.commands.executeCommand('setContext', ids.context.filtered, filterWords(others) !== null);
  await vscode.commands.executeCommand('setContext', ids.context.forMe, forMe ?? false);
}

// The rows that VS Code has of the tree. Unchanged rows are left alone, so that a click does not miss.

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

type TreeRows = ReturnType<typeof treeRows>;

function treeRows({ folders, read, isVisible, replace }: TreeRowsOptions) {
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
    async top(): Promise<Node[]> {
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
    /** Replaces the rows where their content is no longer what VS Code has. */
    refreshSoon,
    /** Replaces them in any case, for example because others are wanted. */
    replaceAll,
    dispose() {
      clearTimeout(timer);
      clearInterval(clock);
    },
  };
}

/** Ids and order of collapsed rows. Their content is loaded when they are expanded. */
function foldedIds(node: Node): string[] {
  if (node.kind !== 'rest' && node.kind !== 'alike') return [];
  return node.waiting.flatMap((row) => (row.kind === 'alike' ? foldedIds(row) : [idOf(row)]));
}

type ItemOf = (node: Node) => vscode.TreeItem;

function contentOf(nodes: readonly Node[], itemOf: ItemOf): string {
  return nodes.map((node) => JSON.stringify(contentOfRow(node, itemOf))).join('\n');
}

function contentOfRow(node: Node, itemOf: ItemOf): unknown {
  const { id, label, description, contextValue, tooltip } = itemOf(node);
  const rows = 'nodes' in node ? node.nodes.map((one) => contentOfRow(one, itemOf)) : foldedIds(node);
  return [id, label, description, contextValue, tooltip, rows];
}

// Selects in the tree the item that is selected elsewhere.

interface FollowingOptions extends Pick<Around, 'folders' | 'onDidShow'> {
  readonly view: vscode.TreeView<Node>;
  readonly rows: () => Promise<readonly Node[]>;
}

function followForm({ folders, view, rows, onDidShow }: FollowingOptions) {
  const all = collect();
  /** The key of a displayed item that is not selected yet. */
  let waiting: string | undefined;

  /** The rows have changed, so an item without a row may have one now. */
  async function update(): Promise<void> {
    const key = waiting;
    if (key === undefined || !view.visible) return;
    const row = (await rows()).find((one) => keyOf(folders, one) === key);
    if (!row || key !== waiting) return;
    waiting = undefined;
    if (view.selection.some((one) => keyOf(folders, one) === key)) return;
    // Best effort: the row may disappear during the search.
    await Promise.resolve(view.reveal(row, { select: true, focus: false })).catch(() => undefined);
  }

  all.add(
    onDidShow((key) => {
      waiting = key;
      void update();
    }),
  );
  all.add(view.onDidChangeVisibility(() => void update()));
  return {
    update,
    dispose: all.dispose,
  };
}

// Rows of waiting items, as VS Code's trees take them.

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

function treeItemOf({ label, children, icon, spoken, ...rest }: ListRow): vscode.TreeItem {
  const item = new vscode.TreeItem(
    label,
    children === undefined ? None : children === 'expanded' ? Expanded : Collapsed,
  );
  Object.assign(item, rest);
  if (icon) item.iconPath = themeIcon(icon);
  if (spoken !== undefined) item.accessibilityInformation = { label: spoken };
  return item;
}

function themeIcon({ id, color }: RowIcon): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, color === undefined ? undefined : new vscode.ThemeColor(color));
}
