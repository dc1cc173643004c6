/** The editor's own copy of each journal, stored outside the workspace, for "restore". */
import path from 'node:path';
import type * as vscode from 'vscode';
import { openCopy } from '../../app/recovery/editorsCopy.ts';
import type { EditorsCopy } from '../../app/recovery/editorsCopy.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { quietly } from '../../store/journal/problem.ts';
import { stateFileName } from '../../store/journal/stateFile.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';

export interface CopyKeeper extends Closable {
  fileFor(workspace: Workspace): string;
}

const quietMs = 2_000;

export function keepCopies(context: vscode.ExtensionContext, folders: Folders): CopyKeeper {
  const all = collect();
  const fileFor = ({ location }: Workspace) =>
    path.join(context.globalStorageUri.fsPath, 'copies', stateFileName(location.root).replace('.json', '.jsonl'));
  const copies = new Map<Workspace, EditorsCopy>();

  function copyOf(workspace: Workspace): EditorsCopy {
    const copy = copies.get(workspace) ?? openCopy(workspace, fileFor(workspace));
    copies.set(workspace, copy);
    return copy;
  }

  function closeUnused(): void {
    for (const [workspace, copy] of copies) {
      if (folders.all.some((folder) => folder.workspace === workspace)) continue;
      copy.close();
      copies.delete(workspace);
    }
  }

  function save(): void {
    closeUnused();
    // A failed copy is tried again after the next change; the journal itself is sound.
    for (const { workspace } of folders.all) quietly(() => copyOf(workspace).update());
  }

  let timer: NodeJS.Timeout | null = null;
  const later = () => {
    timer ??= setTimeout(() => {
      timer = null;
      save();
    }, quietMs);
  };
  all.add(folders.onDidChange(later));
  all.add({
    dispose() {
      if (timer) clearTimeout(timer);
      save();
      for (const copy of copies.values()) copy.close();
    },
  });
  return { fileFor, dispose: () => all.dispose() };
}
