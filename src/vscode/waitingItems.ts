/** How nodes of the tree "Waiting on you" look. */
import * as vscode from 'vscode';
import type { QuestionView } from '../app/views.ts';
import { firstLine } from '../core/text.ts';
import type { Folders, OpenFolder } from './folders.ts';
import { heldCount, urgencyIcon, urgencyWord, waited } from './format.ts';
import { ids } from './ids.ts';
import type { Node } from './waitingNodes.ts';

export function treeItem(folders: Folders, node: Node): vscode.TreeItem {
  switch (node.kind) {
    case 'recent': {
      const item = new vscode.TreeItem(vscode.l10n.t('Answered recently'), vscode.TreeItemCollapsibleState.Collapsed);
      item.id = 'recent';
      item.iconPath = new vscode.ThemeIcon('history');
      item.description = String(node.nodes.length);
      return item;
    }
    case 'group': {
      const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.Expanded);
      item.id = `group ${node.label}`;
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
