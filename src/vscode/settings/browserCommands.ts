/** "Holdpoint: Answer in the Browser…" opens the page of an item, where a passkey signs. Decides nothing. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { hasItem } from '../../core/waiting/items.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { commandWithFailures } from '../kit/command.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { passkeyPageId, workspaceForm } from '../../ui/surface/workspaceForms.ts';
import { chooseFolder } from '../kit/chooseFolder.ts';
import type { Logins } from './logins.ts';
import { openBrowserServer, passkeyPage } from './browserServer.ts';

export interface BrowserOptions {
  readonly extensionPath: string;
  readonly folders: Folders;
  readonly logins: Logins;
  /** The key of the item that an argument of a command names. */
  readonly keyOf: (argument: unknown) => string | undefined;
}

export function registerBrowser({ extensionPath, folders, logins, keyOf }: BrowserOptions): Closable {
  const all = collect();
  const server = all.add(openBrowserServer(extensionPath, logins));
  const open = async (folder: OpenFolder, place: string): Promise<void> => {
    if (!vscode.workspace.isTrusted)
      throw new AppError('denied', l10n.t('This folder is not trusted: you can read here, but not decide.'));
    const address = await server.addressOf(folder, place);
    await vscode.env.openExternal(vscode.Uri.parse(address, true));
  };
  all.add(
    commandWithFailures(ids.commands.openInBrowser, async (argument) => {
      const found = folders.find(keyOf(argument) ?? '');
      const folder = found?.folder ?? (await chooseFolder(folders, l10n.t('Answer items of which folder?')));
      if (folder) await open(folder, found ? pathOf(folder, found.id) : '/');
    }),
  );
  return all;
}

/** The page of an item, or of a form that a passkey can sign; else the list. */
function pathOf({ workspace }: OpenFolder, id: string): string {
  if (id === passkeyPageId) return passkeyPage;
  const kind = workspaceForm(id)?.kind;
  if (kind === 'together') return `/${id}`;
  if (kind === 'policy' || kind === 'keys') return `/${kind}`;
  const { state } = workspace.standing();
  return state && hasItem(state, id) ? `/open/${id}` : '/';
}
