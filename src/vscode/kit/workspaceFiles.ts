/** Files named by agents: opened only if they are really inside the workspace. */
import fs from 'node:fs';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { realPathInside } from '../../app/workspace/paths.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { warning } from './messages.ts';

/**
 * Opens a file beside the form's editor group, at a line (1-based) if given; shows a folder in the explorer.
 */
export async function openFile(
  workspace: Workspace,
  relative: string,
  { line = 1, column = vscode.ViewColumn.Active }: { line?: number | undefined; column?: vscode.ViewColumn } = {},
): Promise<void> {
  const file = realPathInside(workspace, relative);
  const found = file === null ? undefined : fs.statSync(file, { throwIfNoEntry: false });
  // Opening a pipe or a device would block forever.
  if (file === null || !(found?.isFile() === true || found?.isDirectory() === true)) {
    void warning(l10n.t('{0} is not a file of this workspace.', relative));
    return;
  }
  if (found.isDirectory()) {
    await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(file));
    return;
  }
  await showFile(vscode.Uri.file(file), line, column);
}

/** Shows a file in an editor, also one that is no text, such as an image. */
export async function showFile(uri: vscode.Uri, line: number, viewColumn: vscode.ViewColumn): Promise<void> {
  const at = new vscode.Position(Math.max(0, line - 1), 0);
  try {
    const selection = new vscode.Range(at, at);
    await vscode.window.showTextDocument(uri, { preview: true, selection, viewColumn });
  } catch {
    // What cannot be opened as text has another editor, or one that says why it is not shown.
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true, viewColumn });
  }
}
