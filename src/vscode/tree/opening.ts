/**
 * External entry points: `holdpoint open Q-12`, `vscode://holdpoint.holdpoint/open/Q-12`, and another window's list of
 * other folders. They only open a form.
 */
import os from 'node:os';
import * as vscode from 'vscode';
import { thisMachine } from '../../app/workspace/thisMachine.ts';
import { openNoteFile, readOpenNote } from '../../app/waiting/openNote.ts';
import { openRequestFile, takeOpenRequest } from '../../app/workspace/openRequest.ts';
import { hasItem } from '../../core/waiting/items.ts';
import { userFolder } from '../../store/journal/stateFile.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { linked } from '../kit/files.ts';
import { information } from '../kit/messages.ts';

export function registerOpening(context: vscode.ExtensionContext, folders: Folders): Closable {
  const all = collect();
  const open = (key: string) => vscode.commands.executeCommand(ids.commands.openForm, key);
  all.add(
    vscode.window.registerUriHandler({
      async handleUri(uri) {
        const found = linked(folders, uri);
        if (found === null) return;
        if ('key' in found) await open(found.key);
        else void information(found.why);
      },
    }),
  );
  const requests = all.add(
    followOpenRequests({
      folders,
      watch(root, changed) {
        const pattern = new vscode.RelativePattern(vscode.Uri.file(root), openRequestFile);
        const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, false, true);
        return vscode.Disposable.from(watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed));
      },
      open: (key) => void open(key),
    }),
  );
  all.add(folders.onDidChange(requests.update));
  all.add(followNotes(context, folders));
  return all;
}

const followedName = 'holdpoint.openNote';

/** Shows the item for which another window opened a folder of this one; each note once, also after a reload. */
function followNotes(context: vscode.ExtensionContext, folders: Folders): Closable {
  const all = collect();
  let followed = context.workspaceState.get(followedName, 0);

  async function look(): Promise<void> {
    const machine = thisMachine(process, os.homedir());
    const note = readOpenNote(machine, userFolder(machine));
    if (!note || note.at <= followed) return;
    const folder = folders.all.find(({ uri }) => uri.fsPath === vscode.Uri.file(note.folder).fsPath);
    if (!folder) return;
    followed = note.at;
    void context.workspaceState.update(followedName, followed);
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

// What `holdpoint open` asks for in the stores of this window.

export interface OpenRequestsOptions {
  readonly folders: Pick<Folders, 'stores' | 'keyOf'>;
  /** Watches the file with the request in the store at this root. */
  readonly watch: (root: string, changed: () => void) => Closable;
  readonly open: (key: string) => void;
}

export interface OpenRequests extends Closable {
  /** Watches each open store once, and no others. */
  update(): void;
}

/** Ids are per store: a request opens the item of the store that it was found in, and of no other. */
export function followOpenRequests({ folders, watch, open }: OpenRequestsOptions): OpenRequests {
  const watchers = new Map<string, Closable>();

  function look(root: string): void {
    const [folder] = folders.stores.find(([one]) => one.workspace.location.root === root) ?? [];
    const id = folder ? takeOpenRequest(folder.workspace) : null;
    if (folder && id !== null) open(folders.keyOf(folder, id));
  }

  return {
    update() {
      const roots = new Set(folders.stores.map(([{ workspace }]) => workspace.location.root));
      for (const [root, watcher] of watchers) {
        if (roots.has(root)) continue;
        watcher.dispose();
        watchers.delete(root);
      }
      for (const root of roots) {
        if (watchers.has(root)) continue;
        const changed = () => {
          look(root);
        };
        watchers.set(root, watch(root, changed));
      }
    },
    dispose() {
      for (const watcher of watchers.values()) watcher.dispose();
      watchers.clear();
    },
  };
}
