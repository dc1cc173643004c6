/** The editor's own copy of each journal, stored outside the workspace, for "restore". */
import path from 'node:path';
import type * as vscode from 'vscode';
import { openCopy } from '../../app/recovery/editorsCopy.ts';
import type { EditorsCopy } from '../../app/recovery/editorsCopy.ts';
import { inSteps } from '../../app/workspace/inSteps.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { finish } from '../../core/kit/finish.ts';
import { stateFileName } from '../../store/journal/stateFile.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { inTurn } from '../../ui/kit/inTurn.ts';

export interface CopyKeeper extends Closable {
  fileFor(workspace: Workspace): string;
}

const quietMs = 2_000;

export function keepCopies(context: vscode.ExtensionContext, folders: Folders): CopyKeeper {
  const all = collect();
  const fileFor = ({ location }: Workspace) =>
    path.join(context.globalStorageUri.fsPath, 'copies', stateFileName(location.root).replace('.json', '.jsonl'));
  const copies = new Map<Workspace, EditorsCopy>();
  let steps: Iterator<void, void> | null = null;
  let closed = false;

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

  const save = inTurn(async () => {
    closeUnused();
    for (const { workspace } of folders.all) {
      if (closed) return;
      try {
        steps = copyOf(workspace).update();
        await inSteps(steps);
      } catch {
        // A failed copy is retried after the next change; the journal itself is sound.
      }
    }
  });

  /** The last chance, at once. */
  function saveNow(): void {
    steps?.return?.();
    for (const { workspace } of folders.all) {
      try {
        finish(copyOf(workspace).update());
      } catch {
        // The next window tries again.
      }
    }
    for (const copy of copies.values()) copy.close();
  }

  let timer: NodeJS.Timeout | null = null;
  const later = () => {
    timer ??= setTimeout(() => {
      timer = null;
      void save();
    }, quietMs);
  };
  all.add(folders.onDidChange(later));
  all.add({
    dispose() {
      if (timer) clearTimeout(timer);
      closed = true;
      saveNow();
    },
  });
  return { fileFor, dispose: () => all.dispose() };
}
