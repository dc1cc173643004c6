/** The appearance of other folders and their items. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { InboxWorkspace, ItemOfFolder } from '../../app/waiting/inbox.ts';
import { rowLabel } from '../../core/kit/plain.ts';
import { visibleText } from '../../core/kit/visible.ts';
import { urgencyWord, waitingFor, when } from '../../ui/kit/format.ts';
import { ids } from '../../ui/kit/ids.ts';
import { problemWords } from '../../ui/kit/problemWords.ts';
import { age, stateIcon, stoppedWord, stoppedWords } from '../../ui/kit/rowText.ts';
import { themeIcon } from './treeItem.ts';

export type OtherNode =
  | { readonly kind: 'folder'; readonly workspace: InboxWorkspace; readonly isNamesake: boolean }
  | { readonly kind: 'item'; readonly workspace: InboxWorkspace; readonly item: ItemOfFolder }
  /** Items beyond the limit, which the folder's own window shows. */
  | { readonly kind: 'rest'; readonly workspace: InboxWorkspace; readonly count: number };

/** More are not readable here. */
const shownAtMost = 20;

export function folderNodes(workspaces: readonly InboxWorkspace[]): OtherNode[] {
  return workspaces.map((workspace) => ({
    kind: 'folder',
    workspace,
    isNamesake: workspaces.some((other) => other !== workspace && other.project === workspace.project),
  }));
}

export function nodesOf(workspace: InboxWorkspace): OtherNode[] {
  const { items } = workspace;
  const shown = items.length <= shownAtMost + 1 ? items : items.slice(0, shownAtMost);
  const rest = items.length - shown.length;
  return [
    ...shown.map((item): OtherNode => ({ kind: 'item', workspace, item })),
    ...(rest === 0 ? [] : [{ kind: 'rest', workspace, count: rest } as const]),
  ];
}

/** Rows contain mostly agents' text, so hidden characters are shown. */
export function otherItem(node: OtherNode): vscode.TreeItem {
  const item = itemOf(node);
  const shown = (text: unknown) => (typeof text === 'string' ? visibleText(text) : undefined);
  item.label = shown(item.label) ?? '';
  item.description = shown(item.description) ?? '';
  item.tooltip = shown(item.tooltip);
  if (item.accessibilityInformation)
    item.accessibilityInformation = { label: visibleText(item.accessibilityInformation.label) };
  return item;
}

function itemOf(node: OtherNode): vscode.TreeItem {
  switch (node.kind) {
    case 'folder':
      return folderItem(node.workspace, node.isNamesake);
    case 'item':
      return waitingItem(node.workspace, node.item);
    case 'rest': {
      const item = new vscode.TreeItem(l10n.t('{0} more', node.count));
      item.id = `rest ${node.workspace.folder ?? ''}`;
      item.iconPath = new vscode.ThemeIcon('ellipsis');
      item.command = opens(node.workspace, null);
      return item;
    }
  }
}

function folderItem(workspace: InboxWorkspace, isNamesake: boolean): vscode.TreeItem {
  const { project, folder, state, items } = workspace;
  const item = new vscode.TreeItem(project);
  const said = stateWords(workspace);
  item.id = `folder ${folder ?? project}`;
  item.description = [said, ...(isNamesake && folder !== null ? [folder] : [])].join(' · ');
  item.contextValue = folder === null ? 'folder.unrecorded' : `folder.${state}`;
  item.tooltip = [folder ?? '', aboutState(workspace)].filter((line) => line !== '').join('\n');
  item.accessibilityInformation = { label: [project, said].join(', ') };
  if (state === 'readable') {
    item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
    item.iconPath = new vscode.ThemeIcon('folder');
    item.accessibilityInformation = { label: [project, l10n.t('{0} waiting', items.length)].join(', ') };
  } else if (state === 'unknown') {
    item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('errorForeground'));
    if (folder !== null) item.command = opens(workspace, null);
  } else item.iconPath = new vscode.ThemeIcon('circle-slash');
  return item;
}

function stateWords({ state, items }: InboxWorkspace): string {
  if (state === 'unknown') return l10n.t('UNKNOWN');
  return state === 'missing' ? l10n.t('missing') : String(items.length);
}

function aboutState({ state, folder, problem }: InboxWorkspace): string {
  if (state === 'missing') return l10n.t('This folder no longer exists.');
  if (!problem) return '';
  // Without a folder, the message names the file that cannot be read.
  return folder === null ? problem.what : l10n.t('{0} All agents are paused.', problemWords(problem));
}

function waitingItem(workspace: InboxWorkspace, waiting: ItemOfFolder): vscode.TreeItem {
  const { id, kind, title, urgency, holding, waiting_since: since, asked_by: by } = waiting;
  const label = title ?? untitled(waiting);
  const item = new vscode.TreeItem(title === null ? label : rowLabel(title));
  const passed = Date.now() - Date.parse(since);
  const to = waiting.for === null ? [] : [l10n.t('for {0}', waiting.for)];
  item.id = `item ${workspace.folder ?? ''} ${id}`;
  item.description = [...(kind === 'rfc' ? [l10n.t('RFC')] : []), age(passed), ...to, by].join(' · ');
  item.iconPath =
    kind === 'question' || kind === 'rfc'
      ? themeIcon(stateIcon({ holding, urgency: urgency ?? 'low' }))
      : new vscode.ThemeIcon(kind === 'request' ? 'mail' : 'comment');
  item.contextValue = 'item';
  item.tooltip = [
    [id, ...(urgency === null ? [] : [urgencyWord(urgency)]), ...to, by].join(' · '),
    urgency === null ? '' : stoppedWords(holding),
    label,
    l10n.t('Waiting since {0}', when(since)),
    l10n.t('Opens {0} in its own window.', waiting.folder),
  ]
    .filter((line) => line !== '')
    .join('\n');
  item.accessibilityInformation = {
    label: [
      ...(urgency === null ? [] : [urgencyWord(urgency), stoppedWord(holding)]),
      ...[label, ...to, by, waitingFor(passed), workspace.project],
    ].join(', '),
  };
  item.command = opens(workspace, id);
  return item;
}

/** The texts of requests and proposals are in the folder's database, which is not read. */
function untitled({ kind, id }: ItemOfFolder): string {
  return kind === 'request' ? l10n.t('Request {0}', id) : l10n.t('Proposal about {0}', id);
}

function opens({ folder }: InboxWorkspace, id: string | null): vscode.Command {
  return {
    command: ids.commands.openOther,
    title: l10n.t('Open'),
    arguments: [{ root: folder, id }],
  };
}
