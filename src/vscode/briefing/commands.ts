/** Commands of project memory. They open the view and its forms; none records or closes anything by itself. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Briefings } from './briefingView.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { inEditor, placeOf } from '../kit/inEditor.ts';
import { information } from '../kit/messages.ts';

export function registerMemoryCommands(folders: Folders, briefings: Briefings): Closable {
  const all = collect();
  const on = (id: string, run: (argument: unknown) => Promise<void>) =>
    all.add(vscode.commands.registerCommand(id, run));
  on(ids.commands.showBriefing, () => briefings.show());
  on(ids.commands.openEvent, async (argument) => {
    const found = typeof argument === 'string' ? folders.find(argument) : null;
    await briefings.show(found ?? undefined);
  });
  on(ids.commands.postEvent, async () => {
    const looking = inEditor(folders);
    const place = looking.kind === 'file' ? looking.place : undefined;
    await briefings.compose({ scopes: place ? [place.path] : [], text: '' }, place);
  });
  on(ids.commands.recordWarning, async () => {
    const editor = vscode.window.activeTextEditor;
    const place = editor && placeOf(folders, editor.document.uri);
    if (!editor || !place) {
      void information(l10n.t('You can post a warning only about a file in an open folder.'));
      return;
    }
    await briefings.compose(
      { type: 'warning', scopes: [place.path], text: whereOf(place.path, editor.selection) },
      place,
    );
  });
  return all;
}

/** A link to the selected lines, as the start of the text: `[login.ts:12-18](src/login.ts#L12)`. */
function whereOf(path: string, selection: vscode.Selection): string {
  const from = selection.start.line + 1;
  // A selection of whole lines ends at the start of the next line.
  const last = selection.end.character === 0 && !selection.isEmpty ? selection.end.line : selection.end.line + 1;
  const lines = last > from ? `${String(from)}-${String(last)}` : String(from);
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/[[\]]/g, '');
  return `[${name}:${lines}](${encodeURI(path).replace(/[()]/g, encodeURIComponent)}#L${String(from)}): `;
}
