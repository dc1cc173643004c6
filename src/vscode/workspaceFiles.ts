/** Files that agents name: shown and opened only where they really lie inside the workspace. */
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Workspace } from '../app/workspace.ts';
import { warning } from './messages.ts';

/** The real path of one that an agent wrote, relative or absolute; null when it is not there or leads outside. */
function inside({ location }: Workspace, relative: string): string | null {
  try {
    const real = fs.realpathSync.native(path.resolve(location.worktree, relative));
    const back = path.relative(location.worktree, real);
    return back.startsWith('..') || path.isAbsolute(back) ? null : real;
  } catch {
    return null;
  }
}

export function fileExists(workspace: Workspace, relative: string): boolean {
  const file = inside(workspace, relative);
  return file !== null && fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** A file or a folder. */
export function placeExists(workspace: Workspace, relative: string): boolean {
  return inside(workspace, relative) !== null;
}

/** Opens a file beside the form's editor group, at a line (1-based) where one is given; shows a folder in the explorer. */
export async function openFile(workspace: Workspace, relative: string, line?: number): Promise<void> {
  const file = inside(workspace, relative);
  if (file === null) {
    void warning(vscode.l10n.t('{0} is not a file of this workspace.', relative));
    return;
  }
  if (fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
    await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.file(file));
    return;
  }
  const at = new vscode.Position(Math.max(0, (line ?? 1) - 1), 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: true, selection: new vscode.Range(at, at) });
}
