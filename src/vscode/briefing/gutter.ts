/** The mark of a held file in the editor's gutter. Its first line says on hover what holds it, and opens the form. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { plain } from '../../core/kit/plain.ts';
import { shownLine } from '../../core/kit/text.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { formLink } from '../kit/formLink.ts';

export interface HeldBy {
  /** As `Folders.keyOf` names it. */
  readonly key: string;
  readonly id: string;
  /** The question, or the RFC's title. */
  readonly name: string;
}

export interface Gutter extends Closable {
  /** Marks the visible editors. */
  mark(heldBy: (file: vscode.Uri) => HeldBy | undefined): void;
}

export function createGutter({ extensionUri }: Pick<vscode.ExtensionContext, 'extensionUri'>): Gutter {
  const icon = (name: string) => ({ gutterIconPath: vscode.Uri.joinPath(extensionUri, 'media', name) });
  const held = vscode.window.createTextEditorDecorationType({
    light: icon('held-light.svg'),
    dark: icon('held-dark.svg'),
  });
  return {
    mark(heldBy) {
      for (const editor of vscode.window.visibleTextEditors) {
        const found = heldBy(editor.document.uri);
        const range = editor.document.lineAt(0).range;
        editor.setDecorations(held, found ? [{ range, hoverMessage: hover(found) }] : []);
      }
    },
    dispose: () => {
      held.dispose();
    },
  };
}

/** The name is an agent's text, so it stays plain, and apart from the link. */
function hover({ key, id, name }: HeldBy): vscode.MarkdownString[] {
  return [new vscode.MarkdownString().appendText(heldWords(id, name)), formLink(key)];
}

export function heldWords(id: string, name: string): string {
  return l10n.t('Held by {0}: {1}', id, shownLine(plain(name)));
}
