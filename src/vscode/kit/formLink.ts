/**
 * A link to a form for hovers. The only Markdown that may run a command: just this one, which decides nothing. It takes
 * no text by agents, so none can become part of it.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ids } from '../../ui/kit/ids.ts';

/** @param key as `Folders.keyOf` names the item */
export function formLink(key: string): vscode.MarkdownString {
  const target = vscode.Uri.from({
    scheme: 'command',
    path: ids.commands.openForm,
    query: encodeURIComponent(JSON.stringify([key])),
  });
  const link = new vscode.MarkdownString();
  link.isTrusted = { enabledCommands: [ids.commands.openForm] };
  return link.appendMarkdown(`[${l10n.t('Open form')}](${target.toString(true)})`);
}
