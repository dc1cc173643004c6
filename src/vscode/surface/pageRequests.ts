/** Requests shared by the pages of several surfaces, and their handlers. None changes a workspace. */
import * as vscode from 'vscode';
import type { Folders } from '../kit/folders.ts';
import { linkTo } from '../kit/link.ts';
import { openFile } from '../kit/workspaceFiles.ts';

export function pageRequests(folders: Folders, extensionId: string) {
  return {
    async openFile({ key, path, line }: { key: string; path: string; line?: number | undefined }): Promise<void> {
      const found = folders.find(key);
      if (found) await openFile(found.folder.workspace, path, line);
    },
    async copyLink({ key }: { key: string }): Promise<void> {
      const found = folders.find(key);
      if (found) await vscode.env.clipboard.writeText(linkTo(extensionId, found.folder, found.id));
    },
  };
}
