/**
 * The long texts of a question as read-only documents beside its form: the agent's text, with hidden characters
 * shown as codes and without links that could run anything.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { evidenceKind, evidencePart, evidenceText } from '../../core/question/evidence.ts';
import type { EvidencePart } from '../../core/question/evidence.ts';
import { visibleText } from '../../core/kit/visible.ts';
import { withoutCommands } from '../../core/kit/withoutCommands.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { warning } from '../kit/messages.ts';

const scheme = 'holdpoint-evidence';

export function registerEvidence(folders: Folders): Closable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => {
      const [, id = '', name = ''] = uri.path.split('/');
      const part = evidencePart.safeParse(name.replace(/\.\w+$/, ''));
      const folder = folders.all.find((one) => one.uri.toString() === uri.query);
      const text = folder && part.success ? textOf(folder, id, part.data) : null;
      return text === null
        ? l10n.t('This text cannot be read: its folder is not open, or its store is damaged.')
        : visibleText(withoutCommands(text));
    },
  });
}

/** @param column `Beside` if the document must not cover the form's own group */
export async function openEvidence(
  folders: Folders,
  { key, part }: { readonly key: string; readonly part: EvidencePart },
  column: vscode.ViewColumn,
): Promise<void> {
  const found = folders.find(key);
  const text = found ? textOf(found.folder, found.id, part) : null;
  if (!found || text === null) {
    void warning(l10n.t('This text cannot be read: its folder is not open, or its store is damaged.'));
    return;
  }
  const path = `/${found.id}/${part}.${evidenceKind(text, part)}`;
  const uri = vscode.Uri.from({ scheme, path, query: found.folder.uri.toString() });
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {
    preview: true,
    viewColumn: column,
  });
}

function textOf({ workspace }: OpenFolder, id: string, part: EvidencePart): string | null {
  const question = workspace.standing().state?.questions.get(id);
  return question ? evidenceText(question, part) : null;
}
