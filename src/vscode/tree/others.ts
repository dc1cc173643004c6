/**
 * The view "Other folders": items that wait in folders that this window does not show. Nothing is answered from here:
 * an item opens in a window of its own folder.
 */
import os from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import * as z from 'zod';
import {
  inboxCount,
  byUrgency,
  openInbox,
  type Besides,
  type Inbox,
  type InboxWorkspace,
  type ItemOfFolder,
} from '../../app/waiting/inbox.ts';
import { writeOpenNote } from '../../app/waiting/openNote.ts';
import { userFolder, storesFolder } from '../../store/journal/stateFile.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hideFolders } from '../../app/waiting/hiddenFolders.ts';
import { shownAgent } from '../../core/kit/persons.ts';
import { watchFolder } from '../../store/journal/watch.ts';
import { inTurn } from '../../ui/kit/timing.ts';
import { rowLabel } from '../../core/kit/text.ts';
import {
  urgencyWord,
  waitingFor,
  timeText,
  age,
  stateIcon,
  stoppedWord,
  stoppedWords,
  withHiddenShown,
  type ListRow,
} from '../../ui/kit/rows.ts';
import { problemWords } from '../../ui/kit/problemWords.ts';
import { treeItemOf } from './tree.ts';

const minuteMs = 60_000;

/** What a row's command or a row itself names. Made on first use, because the editor's start must not wait for it. */
function itemArgument() {
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
        getTreeItem: (node) => treeItemOf(withHiddenShown(rowOf(node))),
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
    const { success, data } = itemArgument().safeParse(argument);
    // Only folders in the list: the command opens no other.
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
    const { success, data } = itemArgument().safeParse(argument);
    const isMissing = others.all.some(({ folder, state }) => state === 'missing' && folder === data?.root);
    if (success && isMissing) await others.remove([data.root]);
  }

  const on = (id: string, run: (argument: unknown) => Promise<unknown>) =>
    all.add(vscode.commands.registerCommand(id, run));
  on(ids.commands.openOther, open);
  on(ids.commands.removeOther, remove);
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
    dispose: all.dispose,
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

// Follows the items that wait in folders that this window does not show. They are only read, one in each turn.

export interface OtherFolders extends Closable {
  /** Folders with waiting items, UNKNOWN ones and missing ones, most pressing first. */
  readonly all: readonly InboxWorkspace[];
  readonly onDidChange: vscode.Event<void>;
  /** Reads again what has changed. */
  refresh(): Promise<void>;
  /** Removes missing folders from the list. */
  remove(roots: readonly string[]): Promise<void>;
}

/** Every program that writes to a store soon renews its state file; the rest is found by polling. Milliseconds. */
const pollMs = 30_000;
/** Groups the changes of busy agents, and lets the window's own folders come first. Milliseconds. */
const delayMs = 1_000;

/** @param isVisible whether the list is on the screen */
export function followOtherFolders(folders: Folders, isVisible: () => boolean): OtherFolders {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  // Not at the editor's start, which waits for no other file of ours.
  const machine = () => thisMachine(process, os.homedir());
  let inbox: Inbox | null = null;
  let known: readonly InboxWorkspace[] = [];
  let closed = false;
  /** Something may have changed while no one could see it. */
  let stale = false;
  let timer: NodeJS.Timeout | null = null;

  const refresh = inTurn(read);

  async function read(): Promise<void> {
    stale = false;
    inbox ??= openInbox(machine());
    const found: InboxWorkspace[] = [];
    for (const one of inbox.look(inWindow(folders))) {
      found.push(one);
      await nextTurn();
      if (closed) return;
    }
    const shown = found.filter(({ state, items }) => state !== 'readable' || items.length > 0).sort(byUrgency);
    if (JSON.stringify(shown) === JSON.stringify(known)) return;
    known = shown;
    changed.fire();
  }

  function soon(): void {
    if (closed) return;
    stale = true;
    if (!vscode.window.state.focused && !isVisible()) return;
    timer ??= setTimeout(() => {
      timer = null;
      void refresh();
    }, delayMs);
  }

  void folders.opened.then(() => {
    if (closed) return;
    const stop = watchFolder(storesFolder(userFolder(machine())), soon, pollMs);
    all.add({ dispose: stop });
    timer ??= setTimeout(() => {
      timer = null;
      void refresh();
    }, delayMs);
  });
  all.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused && stale) soon();
    }),
  );
  all.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void refresh()));
  return {
    get all() {
      return known;
    },
    onDidChange: changed.event,
    refresh,
    async remove(roots) {
      hideFolders(machine(), userFolder(machine()), roots);
      await refresh();
    },
    dispose() {
      closed = true;
      if (timer) clearTimeout(timer);
      all.dispose();
    },
  };
}

function inWindow({ stores }: Folders): Besides[] {
  return stores.map(([{ workspace }]) => ({
    root: workspace.location.root,
    workspace: workspace.standing().state?.workspace?.id ?? null,
  }));
}

// The appearance of other folders and their items.

export type OtherNode =
  | { readonly kind: 'folder'; readonly workspace: InboxWorkspace; readonly isNamesake: boolean }
  | { readonly kind: 'item'; readonly workspace: InboxWorkspace; readonly item: ItemOfFolder }
  /** Items beyond the limit, which the folder's own window shows. */
  | { readonly kind: 'rest'; readonly workspace: InboxWorkspace; readonly count: number };

/** More are not readable here. */
const shownAtMost = 20;

function folderNodes(workspaces: readonly InboxWorkspace[]): OtherNode[] {
  return workspaces.map((workspace) => ({
    kind: 'folder',
    workspace,
    isNamesake: workspaces.some((other) => other !== workspace && other.project === workspace.project),
  }));
}

function nodesOf(workspace: InboxWorkspace): OtherNode[] {
  const { items } = workspace;
  const shown = items.length <= shownAtMost + 1 ? items : items.slice(0, shownAtMost);
  const rest = items.length - shown.length;
  return [
    ...shown.map((item): OtherNode => ({ kind: 'item', workspace, item })),
    ...(rest === 0 ? [] : [{ kind: 'rest', workspace, count: rest } as const]),
  ];
}

function rowOf(node: OtherNode): ListRow {
  switch (node.kind) {
    case 'folder':
      return folderRow(node.workspace, node.isNamesake);
    case 'item':
      return waitingRow(node.workspace, node.item);
    case 'rest': {
      const label = l10n.t('{0} more', node.count);
      const command = opens(node.workspace, null);
      return { label, id: `rest ${node.workspace.folder ?? ''}`, icon: { id: 'ellipsis' }, command };
    }
  }
}

function folderRow(workspace: InboxWorkspace, isNamesake: boolean): ListRow {
  const { project, folder, state, items } = workspace;
  const said = stateWords(workspace);
  const row: ListRow = {
    label: project,
    id: `folder ${folder ?? project}`,
    description: [said, ...(isNamesake && folder !== null ? [folder] : [])].join(' · '),
    contextValue: folder === null ? 'folder.unrecorded' : `folder.${state}`,
    tooltip: [folder ?? '', aboutState(workspace)].filter((line) => line !== '').join('\n'),
    spoken: [project, said].join(', '),
    icon: { id: 'circle-slash' },
  };
  if (state === 'readable') {
    const spoken = [project, l10n.t('{0} waiting', items.length)].join(', ');
    return { ...row, children: 'expanded', icon: { id: 'folder' }, spoken };
  }
  if (state !== 'unknown') return row;
  const command = folder === null ? {} : { command: opens(workspace, null) };
  return { ...row, icon: { id: 'error', color: 'errorForeground' }, ...command };
}

function stateWords({ state, items }: InboxWorkspace): string {
  if (state === 'unknown') return l10n.t('can’t verify the journal');
  return state === 'missing' ? l10n.t('missing') : String(items.length);
}

function aboutState({ state, folder, problem }: InboxWorkspace): string {
  if (state === 'missing') return l10n.t('This folder no longer exists.');
  if (!problem) return '';
  // Without a folder, the message names the file that cannot be read.
  return folder === null ? problem.what : l10n.t('{0} All agents are paused.', problemWords(problem));
}

function waitingRow(workspace: InboxWorkspace, waiting: ItemOfFolder): ListRow {
  const { id, kind, title, urgency, holding, waiting_since: since } = waiting;
  const by = shownAgent(waiting.asked_by, workspace.person);
  const label = title ?? untitledText(waiting);
  const passed = Date.now() - Date.parse(since);
  const to = waiting.for === null ? [] : [l10n.t('for {0}', waiting.for)];
  const lines = [
    [id, ...(urgency === null ? [] : [urgencyWord(urgency)]), ...to, by].join(' · '),
    urgency === null ? '' : stoppedWords(holding),
    label,
    l10n.t('Waiting since {0}', timeText(since)),
    l10n.t('Opens {0} in its own window.', waiting.folder),
  ];
  return {
    label: title === null ? label : rowLabel(title),
    id: `item ${workspace.folder ?? ''} ${id}`,
    description: [...(kind === 'rfc' ? [l10n.t('RFC')] : []), age(passed), ...to, by].join(' · '),
    icon:
      kind === 'question' || kind === 'rfc'
        ? stateIcon({ holding, urgency: urgency ?? 'low' })
        : { id: kind === 'request' ? 'mail' : 'comment' },
    contextValue: 'item',
    tooltip: lines.filter((line) => line !== '').join('\n'),
    spoken: [
      ...(urgency === null ? [] : [urgencyWord(urgency), stoppedWord(holding)]),
      ...[label, ...to, by, waitingFor(passed), workspace.project],
    ].join(', '),
    command: opens(workspace, id),
  };
}

/** The texts of requests and proposals are in the folder's database, which is not read. */
function untitledText({ kind, id }: ItemOfFolder): string {
  return kind === 'request' ? l10n.t('Request {0}', id) : l10n.t('Proposal about {0}', id);
}

function opens({ folder }: InboxWorkspace, id: string | null) {
  return {
    command: ids.commands.openOther,
    title: l10n.t('Open'),
    arguments: [{ root: folder, id }],
  };
}
