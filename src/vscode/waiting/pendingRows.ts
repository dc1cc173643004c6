/** Questions that hold on this machine and have no number yet, because the server of a shared workspace has not got them. */
import * as vscode from 'vscode';
import { keptHere } from '../../app/question/heldHere.ts';
import type { KeptHere } from '../../app/question/heldHere.ts';
import { plain, rowLabel } from '../../core/kit/plain.ts';
import { firstLine } from '../../core/kit/text.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { when } from '../kit/format.ts';
import { ids } from '../kit/ids.ts';
import { information, modalWarning } from '../kit/messages.ts';
import { age, folderPart } from '../kit/rowText.ts';

export interface PendingNode {
  readonly kind: 'pending';
  readonly folder: OpenFolder;
  readonly pending: KeptHere;
}

export function pendingRows(folders: Folders): PendingNode[] {
  return folders.shown.flatMap(([folder]) =>
    keptHere(folder.workspace).map((pending) => ({ kind: 'pending', folder, pending }) as const),
  );
}

/** Those that stop this machine until a human has looked at them. */
export function stuckCount({ workspace }: OpenFolder): number {
  return keptHere(workspace).filter(isStuck).length;
}

/** Also one that cannot be read. */
function isStuck({ asked }: KeptHere): boolean {
  return asked?.refused !== null;
}

export function pendingItem(folders: Folders, { folder, pending }: PendingNode): vscode.TreeItem {
  const { op, asked } = pending;
  const label = asked === null ? vscode.l10n.t('A question that cannot be read') : rowLabel(asked.text);
  const item = new vscode.TreeItem(label);
  const state = stateWords(pending);
  const waited = asked === null ? [] : [age(folder.workspace.options.clock() - Date.parse(asked.at)), asked.agent];
  item.id = `pending ${folder.uri.toString()} ${op}`;
  // The group says that they wait for the server.
  item.description = [...(isStuck(pending) ? [state] : []), ...waited, ...folderPart(folders, folder)].join(' · ');
  item.iconPath = isStuck(pending)
    ? new vscode.ThemeIcon('error', new vscode.ThemeColor('errorForeground'))
    : new vscode.ThemeIcon('cloud-upload');
  item.contextValue = 'pending';
  item.tooltip = [
    ...(asked === null ? [] : [asked.text, vscode.l10n.t('Asked by {0}, {1}', asked.agent, when(asked.at))]),
    explanation(folder, pending),
  ].join('\n');
  item.accessibilityInformation = {
    label: [state, asked === null ? label : firstLine(plain(asked.text), 200), ...waited].join(', '),
  };
  item.command = {
    command: ids.commands.showPending,
    title: vscode.l10n.t('Show why it cannot be answered yet'),
    arguments: [{ folder: folder.uri.toString(), op }],
  };
  return item;
}

function stateWords({ asked }: KeptHere): string {
  if (asked === null) return vscode.l10n.t('not readable');
  return asked.refused === null ? vscode.l10n.t('waiting for the server') : vscode.l10n.t('not accepted');
}

function explanation({ workspace }: OpenFolder, { asked }: KeptHere): string {
  if (asked === null)
    return vscode.l10n.t(
      'It was raised on this machine while your team’s server did not answer. Because it cannot be read, all agents on this machine are paused. Its file is in {0}.',
      workspace.outbox.folder,
    );
  if (asked.refused !== null)
    return vscode.l10n.t(
      'Your team’s journal did not accept it: {0}. It has no number, so it cannot be answered, and all agents on this machine are paused.',
      asked.refused.replace(/[.\s]+$/, ''),
    );
  const held =
    asked.mode === 'sync'
      ? vscode.l10n.t('It already holds on this machine.')
      : vscode.l10n.t('Its agent continues meanwhile.');
  return [
    vscode.l10n.t('It has no number yet, because your team’s server did not answer when it was raised.'),
    held,
    vscode.l10n.t('You can answer it here as soon as the server has it.'),
  ].join(' ');
}

/** Says why a question cannot be answered. One that the journal will not take can be discarded here, by a click in a dialog. */
export async function showPending(folders: Folders, argument: unknown): Promise<void> {
  const found = pendingRows(folders).find((node) => isNamed(argument, node));
  if (!found) return;
  const { folder, pending } = found;
  const said = explanation(folder, pending);
  const title = pending.asked === null ? '' : `“${firstLine(plain(pending.asked.text), 200)}” `;
  if (!isStuck(pending)) {
    void information(title + said);
    return;
  }
  const discard = vscode.l10n.t('Discard');
  const detail = vscode.l10n.t(
    'Discard it if it is no longer needed: what it holds is released, and its agent can ask again.',
  );
  if ((await modalWarning(title + said, detail, discard)) !== discard) return;
  folder.workspace.outbox.remove(pending.op);
  folder.workspace.changed();
}

function isNamed(argument: unknown, { folder, pending }: PendingNode): boolean {
  const { folder: uri, op } = argument as { readonly folder?: unknown; readonly op?: unknown };
  return uri === folder.uri.toString() && op === pending.op;
}
