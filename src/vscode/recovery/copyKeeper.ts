/** The editor's own copy of each journal, stored outside the workspace, for "restore". */
import path from 'node:path';
import type * as vscode from 'vscode';
import { updateCopy } from '../../app/recovery/recovery.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { stateFileName } from '../../store/journal/stateFile.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders } from '../kit/folders.ts';

export interface CopyKeeper extends Closable {
  fileFor(workspace: Workspace): string;
}

const quietMs = 2_000;

export function keepCopies(context: vscode.ExtensionContext, folders: Folders): CopyKeeper {
  const all = collect();
  const fileFor = ({ location }: Workspace) =>
    path.join(context.globalStorageUri.fsPath, 'copies', stateFileName(location.root).replace('.json', '.jsonl'));
  const save = () => {
    for (const { workspace } of folders.all) {
      try {
        updateCopy(workspace, fileFor(workspace));
      } catch {
        // A failed copy is retried after the next change; the journal itself is sound.
      }
    }
  };
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
    },
  });
  return { fileFor, dispose: () => all.dispose() };
}
