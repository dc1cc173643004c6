/** Requests shared by the pages of several surfaces, and their handlers. None changes a workspace. */
import * as vscode from 'vscode';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { linkTo } from './link.ts';
import { openFile } from './workspaceFiles.ts';

/** @param column where files open */
export function pageRequests(folders: Folders, extensionId: string, column = vscode.ViewColumn.Active) {
  return {
    async openFile({ key, path, line }: { key: string; path: string; line?: number | undefined }): Promise<void> {
      const found = folders.find(key);
      if (found) await openFile(found.folder.workspace, path, { line, column });
    },
    openInBrowser: ({ key }: { key: string }) => vscode.commands.executeCommand(ids.commands.openInBrowser, key),
    async copyLink({ key }: { key: string }): Promise<void> {
      const found = folders.find(key);
      if (found) await vscode.env.clipboard.writeText(linkTo(extensionId, found.folder, found.id));
    },
  };
}
