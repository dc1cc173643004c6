/** The tree "Waiting on you": what waits on a human, most pressing first; then what was answered lately, folded. */
import * as vscode from 'vscode';
import { listQuestions, waitingCount, waitingQuestions } from '../app/views.ts';
import type { QuestionView } from '../app/views.ts';
import { firstLine } from '../core/text.ts';
import { collect } from './disposables.ts';
import type { Closable } from './disposables.ts';
import type { Folders, OpenFolder } from './folders.ts';
import { heldCount, urgencyIcon, urgencyWord, waited } from './format.ts';
import { ids } from './ids.ts';

export type Node =
  | { readonly kind: 'question'; readonly folder: OpenFolder; readonly question: QuestionView }
  | { readonly kind: 'recent'; readonly nodes: readonly Node[] }
  | { readonly kind: 'unknown'; readonly folder: OpenFolder; readonly message: string };

const recentLimit = 20;
const minuteMs = 60_000;

export function registerWaitingTree(folders: Folders): Closable {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  const view = all.add(
    vscode.window.createTreeView<Node>(ids.views.waiting, {
      showCollapseAll: false,
      treeDataProvider: {
        onDidChangeTreeData: changed.event,
        getTreeItem: (node) => treeItem(folders, node),
        getChildren: (node) => (node ? (node.kind === 'recent' ? [...node.nodes] : []) : roots(folders)),
      },
    }),
  );
  const update = () => {
    const count = waitingOf(folders);
    view.badge = count === 0 ? undefined : { value: count, tooltip: vscode.l10n.t('{0} waiting on you', count) };
    changed.fire();
  };
  all.add(folders.onDidChange(update));
  all.add(vscode.commands.registerCommand(ids.commands.refresh, update));
  const clock = setInterval(() => {
    if (view.visible) changed.fire();
  }, minuteMs);
  all.add({
    dispose: () => {
      clearInterval(clock);
    },
  });
  update();
  return all;
}

/** How many items wait over all folders. An UNKNOWN store waits on a human too. */
export function waitingOf(folders: Folders): number {
  let count = 0;
  for (const { workspace } of folders.all) {
    const standing = workspace.standing();
    count += standing.problem ? 1 : waitingCount(standing.state);
  }
  return count;
}

async function roots(folders: Folders): Promise<Node[]> {
  const waiting: Node[] = [];
  const recent: Node[] = [];
  for (const folder of folders.all) {
    const standing = folder.workspace.standing();
    if (standing.problem) {
      waiting.push({ kind: 'unknown', folder, message: standing.problem.message });
      continue;
    }
    // Nothing was ever asked here: the database is not needed to say so.
    if (standing.state.questions.size === 0) continue;
    const view = (await folder.workspace.store()).read();
    waiting.push(...waitingQuestions(view).map((question): Node => ({ kind: 'question', folder, question })));
    const done = listQuestions(view).questions.filter(({ resolution }) => resolution !== null);
    recent.push(...done.slice(0, recentLimit).map((question): Node => ({ kind: 'question', folder, question })));
  }
  return recent.length === 0 ? waiting : [...waiting, { kind: 'recent', nodes: recent }];
}

function treeItem(folders: Folders, node: Node): vscode.TreeItem {
  switch (node.kind) {
    case 'recent': {
      const item = new vscode.TreeItem(vscode.l10n.t('Answered recently'), vscode.TreeItemCollapsibleState.Collapsed);
      item.id = 'recent';
      item.iconPath = new vscode.ThemeIcon('history');
      item.description = String(node.nodes.length);
      return item;
    }
    case 'unknown': {
      const item = new vscode.TreeItem(vscode.l10n.t('The store is damaged: nothing may go on'));
      item.id = `unknown ${node.folder.uri.toString()}`;
      item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('errorForeground'));
      item.tooltip = node.message;
      item.command = { command: ids.commands.openFirst, title: vscode.l10n.t('Show the ways out') };
      return item;
    }
    case 'question':
      return questionItem(folders, node.folder, node.question);
  }
}

function questionItem(folders: Folders, folder: OpenFolder, question: QuestionView): vscode.TreeItem {
  const label = firstLine(question.text, 200);
  const item = new vscode.TreeItem(label);
  const several = folders.all.length > 1 ? ` · ${folder.name}` : '';
  const description = describe(question) + several;
  item.id = `${folder.uri.toString()} ${question.id} ${question.resolution ?? 'open'}`;
  item.description = description;
  item.iconPath =
    question.resolution === null
      ? urgencyIcon(question.urgency)
      : new vscode.ThemeIcon(question.resolution === 'answered' ? 'check' : 'circle-slash');
  item.contextValue = question.resolution === null ? 'question.waiting' : 'question.done';
  item.tooltip = tooltip(question);
  item.accessibilityInformation = {
    label: `${urgencyWord(question.urgency)}, ${label}, ${description}, ${question.agent_name}`,
  };
  item.command = {
    command: ids.commands.openForm,
    title: vscode.l10n.t('Open'),
    arguments: [folders.keyOf(folder, question.id)],
  };
  return item;
}

function describe(question: QuestionView): string {
  switch (question.resolution) {
    case 'answered':
      return vscode.l10n.t('answered by {0}', question.answered_by ?? '');
    case 'cancelled':
      return vscode.l10n.t('cancelled');
    case 'released':
      return vscode.l10n.t('let go on');
    case null: {
      const held = heldCount(question);
      const state =
        question.status === 'expired'
          ? vscode.l10n.t('expired, still held')
          : vscode.l10n.t('waiting {0}', waited(question.time_waiting_ms));
      return held === 0 ? state : vscode.l10n.t('{0} · blocks {1}', state, held);
    }
  }
}

/** Plain text on purpose: an agent wrote most of it. */
function tooltip(question: QuestionView): string {
  const lines = [
    `${question.id} · ${urgencyWord(question.urgency)} · ${question.type} · ${question.agent_name}`,
    question.text,
    question.work === null
      ? ''
      : vscode.l10n.t('Blocks: {0}', [...question.blocks, ...question.cascade].map(({ title }) => title).join(', ')),
    vscode.l10n.t('Asked {0}', new Date(question.raised_at).toLocaleString()),
    question.resolution === null ? vscode.l10n.t('Expires {0}', new Date(question.expires_at).toLocaleString()) : '',
  ];
  return lines.filter((line) => line !== '').join('\n');
}
