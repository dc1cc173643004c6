/** Files and links: what is in the editor, and what pages ask to open, compare or restore. */
import fs from 'node:fs';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import path from 'node:path';
import { realPathInside, workspaceRelative } from '../../app/workspace/paths.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { warning, information } from './messages.ts';
import { AppError } from '../../app/workspace/errors.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { holderOf } from '../../core/hold/holds.ts';
import { contentBefore, restoreOne, undoRestore, type HeldName, type Restored } from '../../app/hold/restore.ts';
import { gitContent } from '../../hosts/gitChanges.ts';
import type { Closable } from '../../ui/kit/timing.ts';
import { errorWords } from '../../ui/kit/problemWords.ts';
import { ids } from '../../ui/kit/ids.ts';
import { hasItem, itemId } from '../../core/waiting/items.ts';

/** Opens a file in the group next to the form, at a line (1-based) if given; shows a folder in the explorer. */
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

/** Shows a file in an editor, also one that is not text, such as an image. */
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

// The file in the active editor, if it belongs to one of the folders.

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

// What a human does about held files that have changed: compares or restores them.

const scheme = 'holdpoint-held';

interface Named {
  readonly key: string;
  readonly path: string;
}

/** Documents with held files as they were when the hold began. */
export function registerHeldContent(folders: Folders): Closable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent(uri) {
      const folder = folders.all.find((one) => one.uri.toString() === uri.query);
      if (!folder || uri.fragment === 'none') return '';
      const [, id = '', ...file] = uri.path.split('/');
      // Words in place of the content would look like the file, so the editor shows that it cannot open this.
      const content = beforeOrWords(folder, { id, name: file.join('/') });
      if (typeof content === 'string') throw new Error(content);
      return content?.toString('utf8') ?? '';
    },
  });
}

/** The content of a held file when its hold began, null if it did not exist then, or why that is not known. */
function beforeOrWords({ workspace }: OpenFolder, held: HeldName): Buffer | null | string {
  try {
    return contentBefore(workspace, held, gitContent(process.env));
  } catch (error) {
    return whyNot(error);
  }
}

function whyNot(error: unknown): string {
  if (error instanceof AppError) return errorWords(error);
  return error instanceof Error ? error.message : String(error);
}

export async function compareHeld(folders: Folders, message: Named, viewColumn: vscode.ViewColumn): Promise<void> {
  const found = folders.find(message.key);
  if (!found) return;
  const { folder, id } = found;
  const content = beforeOrWords(folder, { id, name: message.path });
  if (typeof content === 'string') {
    void warning(l10n.t('{0} cannot be compared: {1}', message.path, content));
    return;
  }
  const place = fileOf(folder, id, message.path);
  const of = { scheme, path: `/${id}/${message.path}`, query: folder.uri.toString() };
  const exists = await vscode.workspace.fs.stat(place).then(
    () => true,
    () => false,
  );
  const now = exists ? place : vscode.Uri.from({ ...of, fragment: 'none' });
  const title = l10n.t('{0} (held by {1}): before ↔ now', path.posix.basename(message.path), id);
  await vscode.commands.executeCommand('vscode.diff', vscode.Uri.from(of), now, title, { viewColumn, preview: true });
}

export async function restoreFile(folders: Folders, message: Named): Promise<void> {
  const found = folders.find(message.key);
  if (!found) return;
  const { workspace } = found.folder;
  const held = { id: found.id, name: message.path };
  const carriedOut = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act();
    } catch (error) {
      void warning(l10n.t('{0} was not restored: {1}', message.path, whyNot(error)));
      return undefined;
    } finally {
      workspace.changed();
    }
  };
  const done = await carriedOut(() => restoreOne(workspace, held, gitContent(process.env)));
  const kept = done?.kept ?? null;
  if (!done || kept === null) return;
  const words = wordsOf(done, kept);
  const undo = l10n.t('Undo');
  if ((await information(words, undo)) === undo) await carriedOut(() => undoRestore(workspace, held, kept));
}

function wordsOf({ how, path: name }: Restored, kept: string): string {
  return how === 'removed'
    ? l10n.t('Deleted {0}. A copy is kept as {1}.', name, kept)
    : l10n.t('Restored {0}. A copy of the changed file is kept as {1}.', name, kept);
}

/** The path of a change starts where its question or RFC holds. */
function fileOf({ workspace }: OpenFolder, id: string, file: string): vscode.Uri {
  const { state } = workspace.standing();
  const worktree = (state && holderOf(state, id)?.asker.worktree) ?? '.';
  return vscode.Uri.file(path.join(workspace.location.root, worktree, file));
}

// Requests shared by the pages of several surfaces, and their handlers. None changes a workspace.

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

// Links that open a form, and nothing else: `vscode://holdpoint.holdpoint/open/Q-12?workspace=<id>`.

/** A link to one item. It includes the workspace, because ids are per workspace. */
export function linkTo(extension: string, { workspace }: OpenFolder, id: string): string {
  const of = workspace.standing().state?.workspace?.id;
  return `${vscode.env.uriScheme}://${extension}/open/${id}${of === undefined ? '' : `?workspace=${of}`}`;
}

/** The form's key for a link, or why the link has none; null for foreign links. */
export function linkedFile(folders: Folders, uri: vscode.Uri): { key: string } | { why: string } | null {
  const id = itemId.safeParse(/^\/open\/([^/]+)$/.exec(uri.path)?.[1]);
  if (!id.success) return null;
  const of = new URLSearchParams(uri.query).get('workspace');
  const states = folders.all.map((folder) => ({ folder, state: folder.workspace.standing().state }));
  const here = states.filter(({ state }) => of === null || state?.workspace?.id === of);
  const found = here.find(({ state }) => state !== null && hasItem(state, id.data));
  if (found) return { key: folders.keyOf(found.folder, id.data) };
  return {
    why:
      here.length === 0
        ? l10n.t('{0} belongs to a folder that is not open in this window.', id.data)
        : l10n.t('There is no {0} here.', id.data),
  };
}
