/** The appearance of nodes in the tree "Waiting for you". */
import * as vscode from 'vscode';
import type { EventView } from '../../app/memory/views.ts';
import { isRefused } from '../../app/question/views.ts';
import type { QuestionView } from '../../app/question/views.ts';
import { plain } from '../memory/briefingModel.ts';
import { firstLine } from '../../core/kit/text.ts';
import { visibleText } from '../../core/kit/visible.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import {
  allFilesWords,
  heldCount,
  proposalWords,
  listed,
  typeWord,
  urgencyIcon,
  urgencyWord,
  waitingFor,
  when,
} from '../kit/format.ts';
import { ids } from '../kit/ids.ts';
import { requestItem } from '../request/items.ts';
import { rfcItem } from '../rfc/items.ts';
import type { Node } from './nodes.ts';

/** Rows contain mostly agents' text, so hidden characters are shown. */
export function treeItem(folders: Folders, node: Node): vscode.TreeItem {
  const item = itemOf(folders, node);
  const shown = (text: unknown) => (typeof text === 'string' ? visibleText(text) : undefined);
  item.label = shown(item.label) ?? '';
  item.description = shown(item.description) ?? '';
  item.tooltip = shown(item.tooltip);
  if (item.accessibilityInformation)
    item.accessibilityInformation = { label: visibleText(item.accessibilityInformation.label) };
  return item;
}

function itemOf(folders: Folders, node: Node): vscode.TreeItem {
  switch (node.kind) {
    case 'recent': {
      const item = new vscode.TreeItem(vscode.l10n.t('Answered recently'), vscode.TreeItemCollapsibleState.Collapsed);
      item.id = 'recent';
      item.iconPath = new vscode.ThemeIcon('history');
      item.description = String(node.nodes.length);
      return item;
    }
    case 'rest': {
      const item = new vscode.TreeItem(
        vscode.l10n.t('{0} more', node.waiting.length),
        vscode.TreeItemCollapsibleState.Collapsed,
      );
      item.id = `rest ${node.of}`;
      item.iconPath = new vscode.ThemeIcon('ellipsis');
      item.description = vscode.l10n.t('less pressing');
      return item;
    }
    case 'group': {
      const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.Expanded);
      item.id = `group ${node.label}`;
      item.description = String(node.count);
      return item;
    }
    case 'folded': {
      const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.Collapsed);
      item.id = `folded ${node.label}`;
      item.description = String(node.nodes.length);
      return item;
    }
    case 'unknown': {
      const item = new vscode.TreeItem(node.title);
      item.id = `unknown ${node.folder.uri.toString()}`;
      item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('errorForeground'));
      item.tooltip = node.message;
      item.command = { command: ids.commands.openFirst, title: vscode.l10n.t('Show what to do') };
      return item;
    }
    case 'proposal':
      return proposalItem(folders, node.folder, node.event);
    case 'question':
      return questionItem(folders, node.folder, node.question);
    case 'rfc':
      return rfcItem(folders, node.folder, node.rfc);
    case 'request':
      return requestItem(folders, node);
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
      : new vscode.ThemeIcon(question.resolution === 'answered' && !isRefused(question) ? 'check' : 'circle-slash');
  item.contextValue = question.resolution === null ? 'question.waiting' : 'question.done';
  item.tooltip = tooltip(question);
  item.accessibilityInformation = {
    label: [stateWord(question), label, description, question.agent_name].join(', '),
  };
  item.command = {
    command: ids.commands.openForm,
    title: vscode.l10n.t('Open'),
    arguments: [folders.keyOf(folder, question.id)],
  };
  return item;
}

function proposalItem(folders: Folders, folder: OpenFolder, event: EventView): vscode.TreeItem {
  const { id, text, proposal } = event;
  const label = firstLine(plain(text), 200);
  const item = new vscode.TreeItem(label);
  const proposed = proposal ? proposalWords(proposal) : '';
  item.id = `${folder.uri.toString()} ${id} proposal`;
  item.description = proposed + (folders.all.length > 1 ? ` · ${folder.name}` : '');
  item.iconPath = new vscode.ThemeIcon('comment');
  item.contextValue = 'proposal';
  item.tooltip = [id, text.slice(0, backgroundAtMost), proposed, proposal?.reason ?? '']
    .filter((line) => line !== '')
    .join('\n');
  item.accessibilityInformation = { label: [vscode.l10n.t('proposal'), label, proposed].join(', ') };
  item.command = {
    command: ids.commands.openEvent,
    title: vscode.l10n.t('Open'),
    arguments: [folders.keyOf(folder, id)],
  };
  return item;
}

/** The icon as a word, for screen readers. */
function stateWord(question: QuestionView): string {
  if (question.resolution === null) return urgencyWord(question.urgency);
  return isRefused(question) ? vscode.l10n.t('refused') : vscode.l10n.t('done');
}

function describe(question: QuestionView): string {
  switch (question.resolution) {
    case 'answered':
      return answeredWords(question);
    case 'withdrawn':
      return vscode.l10n.t('withdrawn');
    case 'cancelled':
      return vscode.l10n.t('cancelled');
    case 'released':
      return vscode.l10n.t('released');
    case null: {
      const held = heldCount(question);
      const state =
        question.status === 'expired' ? vscode.l10n.t('expired, still held') : waitingFor(question.time_waiting_ms);
      return held === 0 ? state : vscode.l10n.t('{0} · blocks {1}', state, held);
    }
  }
}

/** Shows that the answer was reused by other agents. */
function answeredWords(question: QuestionView): string {
  const { answered_by: by, reuse_count: again, revoked, effect, lifted } = question;
  if (lifted !== null) return vscode.l10n.t('refusal lifted by {0}', lifted.by);
  if (effect === 'stop') return vscode.l10n.t('stopped by {0}', by ?? '');
  if (effect === 'do_not') return vscode.l10n.t('refused by {0}', by ?? '');
  if (revoked !== null) return vscode.l10n.t('revoked');
  const answered = vscode.l10n.t('answered by {0}', by ?? '');
  return again === 0 ? answered : vscode.l10n.t('reused {0}× · {1}', again, answered);
}

const backgroundAtMost = 300;

/** Who, what, why, until when. Plain text on purpose: an agent wrote most of it. */
function tooltip(question: QuestionView): string {
  const { id, urgency, type, agent_name: agent, background, work, answer } = question;
  const held = [...question.blocks, ...question.cascade].map(({ title }) => title);
  const lines = [
    [id, urgencyWord(urgency), typeWord(type), agent].join(' · '),
    question.text,
    background === null ? '' : vscode.l10n.t('Why: {0}', clipped(background)),
    work === null || held.length === 0 ? '' : vscode.l10n.t('Blocks: {0}', listed(held)),
    allFilesWords(question),
    answer === null ? '' : vscode.l10n.t('Answer: {0}', clipped([...answer.choices, answer.text ?? ''].join(' '))),
    question.note === null ? '' : vscode.l10n.t('Note: {0}', clipped(question.note)),
    vscode.l10n.t('Asked {0}', when(question.raised_at)),
    question.resolution === null && question.expires_at !== null
      ? vscode.l10n.t('Expires {0}', when(question.expires_at))
      : '',
    question.answered_at === null ? '' : vscode.l10n.t('Decided {0}', when(question.answered_at)),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function clipped(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= backgroundAtMost ? line : `${line.slice(0, backgroundAtMost)}…`;
}
