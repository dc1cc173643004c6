/** What a human does about held files that have changed: compares or restores them. */
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { holderOf } from '../../core/hold/holds.ts';
import { contentBefore, restoreOne, undoRestore } from '../../app/hold/restore.ts';
import type { HeldName, Restored } from '../../app/hold/restore.ts';
import { AppError } from '../../app/workspace/errors.ts';
import { gitContent } from '../../hosts/gitContent.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { information, warning } from './messages.ts';
import { errorWords } from '../../ui/kit/problemWords.ts';

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
