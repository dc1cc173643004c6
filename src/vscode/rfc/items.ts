/** RFCs in the tree: those waiting for a review, and decided ones. */
import * as vscode from 'vscode';
import { rfcHeldCount } from '../../app/rfc/views.ts';
import type { RfcSummary } from '../../app/rfc/views.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { allFilesWords, listed, waitingFor, when } from '../kit/format.ts';
import { ids } from '../kit/ids.ts';
import { decisionWords } from './model.ts';

export function rfcItem(folders: Folders, folder: OpenFolder, rfc: RfcSummary): vscode.TreeItem {
  const item = new vscode.TreeItem(rfc.title);
  const several = folders.all.length > 1 ? ` · ${folder.name}` : '';
  const description = describe(rfc) + several;
  item.id = `${folder.uri.toString()} ${rfc.id} ${rfc.waiting ? 'open' : rfc.status}`;
  item.description = description;
  item.iconPath = new vscode.ThemeIcon(rfc.waiting ? 'git-pull-request' : 'check');
  item.contextValue = rfc.waiting ? 'rfc.waiting' : 'rfc.done';
  item.tooltip = tooltip(rfc);
  item.accessibilityInformation = { label: [rfc.id, rfc.title, description, rfc.agent_name].join(', ') };
  item.command = {
    command: ids.commands.openRfc,
    title: vscode.l10n.t('Review'),
    arguments: [folders.keyOf(folder, rfc.id)],
  };
  return item;
}

function describe(rfc: RfcSummary): string {
  if (!rfc.waiting) return rfc.last_decision ? decisionWords(rfc.last_decision) : rfc.place;
  const held = rfcHeldCount(rfc);
  const state = vscode.l10n.t('RFC · {0}', waitingFor(rfc.time_waiting_ms));
  return held === 0 ? state : vscode.l10n.t('{0} · blocks {1}', state, held);
}

/** Plain text on purpose: an agent wrote most of it. */
function tooltip(rfc: RfcSummary): string {
  const held = [...rfc.affected_workflows, ...rfc.blocked_tasks, ...rfc.cascade].map(({ title }) => title);
  const lines = [
    [rfc.id, rfc.agent_name, vscode.l10n.t('revision {0}', rfc.revision)].join(' · '),
    rfc.title,
    rfc.holding && held.length > 0 ? vscode.l10n.t('Blocks: {0}', listed(held)) : '',
    allFilesWords(rfc),
    rfc.amendment === null ? '' : vscode.l10n.t('An amendment: the approved revision stays in force.'),
    vscode.l10n.t('Proposed {0}', when(rfc.proposed_at)),
    rfc.last_decision ? decisionWords(rfc.last_decision) : '',
  ];
  return lines.filter((line) => line !== '').join('\n');
}
