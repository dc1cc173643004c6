/**
 * External entry points: `holdpoint open Q-12`, `vscode://holdpoint.holdpoint/open/Q-12`, and another window's list of
 * other folders. They only open a form.
 */
import os from 'node:os';
import * as vscode from 'vscode';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import { openNoteFile, takeOpenNote } from '../../app/waiting/openNote.ts';
import { hasItem } from '../../core/waiting/items.ts';
import { userFolder } from '../../store/journal/stateFile.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { linkedFile } from '../kit/files.ts';
import { information } from '../kit/messages.ts';

export function registerOpening(folders: Folders): Closable {
  const all = collect();
  const open = (key: string) => vscode.commands.executeCommand(ids.commands.openForm, key);
  all.add(
    vscode.window.registerUriHandler({
      async handleUri(uri) {
        const found = linkedFile(folders, uri);
        if (found === null) return;
        if ('key' in found) await open(found.key);
        else void information(found.why);
      },
    }),
  );
  all.add(followNotes(folders));
  return all;
}

/** Shows the item that the command line names for a folder of this window, or another window that opened the folder. */
function followNotes(folders: Folders): Closable {
  const all = collect();

  async function look(): Promise<void> {
    const machine = thisMachine(process, os.homedir());
    const folderOf = (named: string) =>
      folders.stores.map(([first]) => first).find(({ workspace }) => workspace.location.root === named) ??
      folders.all.find(({ uri }) => uri.fsPath === vscode.Uri.file(named).fsPath);
    const note = takeOpenNote(machine, userFolder(machine), (named) => folderOf(named) !== undefined);
    const folder = note && folderOf(note.folder);
    if (!note || !folder) return;
    const { state } = folder.workspace.standing();
    // An UNKNOWN store shows its recovery options in place of any item.
    if (state === null || note.id === null) await vscode.commands.executeCommand(ids.commands.openFirst);
    else if (hasItem(state, note.id))
      await vscode.commands.executeCommand(ids.commands.openForm, folders.keyOf(folder, note.id));
    else if (state.events.has(note.id))
      await vscode.commands.executeCommand(ids.commands.openEvent, folders.keyOf(folder, note.id));
  }

  void folders.opened.then(() => {
    const folder = userFolder(thisMachine(process, os.homedir()));
    const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), openNoteFile);
    const watcher = all.add(vscode.workspace.createFileSystemWatcher(pattern, false, false, true));
    all.add(watcher.onDidCreate(() => void look()));
    all.add(watcher.onDidChange(() => void look()));
    all.add(vscode.window.onDidChangeWindowState(() => void look()));
    void look();
  });
  return all;
}
