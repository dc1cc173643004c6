/** External entry points: `holdpoint open Q-12` and `vscode://holdpoint.holdpoint/open/Q-12`. They only open a form. */
import * as vscode from 'vscode';
import { openRequestFile, readOpenRequest } from '../../app/workspace/openRequest.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { linked } from '../kit/link.ts';
import { information } from '../kit/messages.ts';

export function registerOpening(folders: Folders): Closable {
  const all = collect();
  const open = (id: string) => vscode.commands.executeCommand(ids.commands.openForm, id);
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
  const watchers = new Map<string, vscode.Disposable>();
  const watch = () => {
    for (const { workspace } of folders.all) {
      const { root } = workspace.location;
      if (watchers.has(root)) continue;
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(vscode.Uri.file(root), openRequestFile),
        false,
        false,
        true,
      );
      const look = () => {
        const id = readOpenRequest(workspace);
        if (id !== null) void open(id);
      };
      watchers.set(root, vscode.Disposable.from(watcher, watcher.onDidCreate(look), watcher.onDidChange(look)));
    }
  };
  all.add(folders.onDidChange(watch));
  all.add({
    dispose: () => {
      for (const watcher of watchers.values()) watcher.dispose();
    },
  });
  return all;
}
