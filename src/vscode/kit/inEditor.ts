/** The file in the active editor, if it belongs to one of the folders. */
import * as vscode from 'vscode';
import { AppError } from '../../app/workspace/errors.ts';
import { workspaceRelative } from '../../app/workspace/paths.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';

/** A file or folder of one of the open folders; workspace-relative. */
export interface Place {
  readonly folder: OpenFolder;
  readonly path: string;
}

export type InEditor =
  | { readonly kind: 'file'; readonly place: Place }
  | { readonly kind: 'nothing' }
  /** A document without a file, or with a file elsewhere. */
  | { readonly kind: 'untitled' | 'outside'; readonly name: string };

export function inEditor(folders: Folders): InEditor {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const uri = tab ? uriOf(tab.input) : undefined;
  if (!tab || !uri) return tab && uri === null ? { kind: 'nothing' } : fromTextEditor(folders);
  return placeIn(folders, uri, tab.label);
}

/** A window without tabs can still have editors. */
function fromTextEditor(folders: Folders): InEditor {
  const document = vscode.window.activeTextEditor?.document;
  return document ? placeIn(folders, document.uri, document.fileName) : { kind: 'nothing' };
}

function placeIn(folders: Folders, uri: vscode.Uri, name: string): InEditor {
  if (uri.scheme === 'untitled') return { kind: 'untitled', name };
  const place = placeOf(folders, uri);
  return place ? { kind: 'file', place } : { kind: 'outside', name };
}

/** Place in the innermost folder that contains it; null outside of all folders, and for non-files. */
export function placeOf(folders: Folders, uri: vscode.Uri): Place | null {
  if (uri.scheme !== 'file') return null;
  let best: Place | null = null;
  for (const folder of folders.all) {
    const depth = (one: OpenFolder) => one.workspace.location.worktree.length;
    if (best && depth(best.folder) >= depth(folder)) continue;
    try {
      best = { folder, path: workspaceRelative(folder.workspace, uri.fsPath, 'file') };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return best;
}

/** Null for a tab without a document: a settings page, a webview. */
function uriOf(input: unknown): vscode.Uri | null | undefined {
  if (input === undefined) return null;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return input.uri;
  if (input instanceof vscode.TabInputNotebook) return input.uri;
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) return input.modified;
  return null;
}

/**
 * Calls back when another document is shown: at once for a file of the folders; otherwise with a delay, because one
 * switch fires several events, and between two files there may be none.
 */
export function onLookingElsewhere(folders: Folders, run: () => void): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  let last: Place | null = null;
  const look = () => {
    clearTimeout(timer);
    const now = inEditor(folders);
    if (now.kind !== 'file') {
      timer = setTimeout(() => {
        last = null;
        run();
      }, settleMs);
    } else if (now.place.folder !== last?.folder || now.place.path !== last.path) {
      last = now.place;
      run();
    }
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(look),
    vscode.window.tabGroups.onDidChangeTabs(look),
    vscode.window.tabGroups.onDidChangeTabGroups(look),
    {
      dispose() {
        clearTimeout(timer);
      },
    },
  );
}

const settleMs = 120;
