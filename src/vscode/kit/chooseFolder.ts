/** Asks for one of the window's folders. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { withoutIcons } from './messages.ts';

/** The folder for a form: the only one, or the one the human picks. Decides nothing. */
export function chooseFolder(
  folders: Folders,
  title = l10n.t('Edit the policy of which folder?'),
): Promise<OpenFolder | undefined> {
  return chooseAmong(folders.all, title);
}

/** The same among some folders. */
export async function chooseAmong(folders: readonly OpenFolder[], title: string): Promise<OpenFolder | undefined> {
  if (folders.length < 2) return folders[0];
  const picked = await vscode.window.showQuickPick(
    folders.map((folder) => ({
      label: withoutIcons(folder.name),
      description: withoutIcons(folder.uri.fsPath),
      folder,
    })),
    { title },
  );
  return picked?.folder;
}
