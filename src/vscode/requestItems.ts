/** Requests in the tree "Waiting on you": what humans and stewards are asked, and what they asked. */
import * as vscode from 'vscode';
import { humanResponsibilities, listRequests } from '../app/requestViews.ts';
import type { RequestView } from '../app/requestViews.ts';
import { firstLine } from '../core/text.ts';
import type { View } from '../store/store.ts';
import type { Folders, OpenFolder } from './folders.ts';
import { when } from './format.ts';
import { ids } from './ids.ts';

const outboxAtMost = 20;

/** What waits on a human, best first; and what humans asked that is still under way. */
export function humanRequests(view: View): {
  readonly inbox: readonly RequestView[];
  readonly outbox: readonly RequestView[];
} {
  const of = humanResponsibilities(view);
  if (of.length === 0) return { inbox: [], outbox: [] };
  const all = (box: 'inbox' | 'outbox', limit: number) =>
    listRequests(view, { box, of, statuses: ['pending', 'accepted'], limit }).requests;
  return { inbox: all('inbox', Number.MAX_SAFE_INTEGER), outbox: all('outbox', outboxAtMost) };
}

export function requestItem(folders: Folders, folder: OpenFolder, request: RequestView): vscode.TreeItem {
  const label = firstLine(request.subject, 200);
  const item = new vscode.TreeItem(label);
  const state = request.overdue ? vscode.l10n.t('later than agreed') : stateWords(request);
  const several = folders.all.length > 1 ? ` · ${folder.name}` : '';
  item.id = `${folder.uri.toString()} ${request.id} ${request.status}`;
  item.description = `${request.origin_responsibility_id} · ${state}${several}`;
  item.iconPath = request.overdue
    ? new vscode.ThemeIcon('watch', new vscode.ThemeColor('list.warningForeground'))
    : new vscode.ThemeIcon(request.status === 'accepted' ? 'check' : 'inbox');
  item.contextValue = `request.${request.status}`;
  item.tooltip = tooltip(request);
  item.accessibilityInformation = { label: [vscode.l10n.t('request'), label, item.description].join(', ') };
  item.command = {
    command: ids.commands.openForm,
    title: vscode.l10n.t('Open'),
    arguments: [folders.keyOf(folder, request.id)],
  };
  return item;
}

function stateWords({ status, due_at }: RequestView): string {
  if (status === 'accepted') return vscode.l10n.t('accepted');
  return due_at === null ? vscode.l10n.t('waiting') : vscode.l10n.t('due {0}', when(due_at));
}

/** Plain text on purpose: an agent wrote most of it. */
function tooltip({
  id,
  origin_responsibility_id,
  target_responsibility_id,
  subject,
  summary,
  created_at,
}: RequestView): string {
  return [
    `${id} · ${origin_responsibility_id} → ${target_responsibility_id}`,
    subject,
    summary.slice(0, 300),
    vscode.l10n.t('Asked {0}', when(created_at)),
  ].join('\n');
}
