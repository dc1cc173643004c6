/** A human saves held files as always: the fence is lifted for exactly the file that is saved, and then set again. */
import * as vscode from 'vscode';
import { hasFence } from '../../app/hold/fenceFile.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders } from '../kit/folders.ts';

/** A save that failed leaves the file writable for as long. Milliseconds. */
const unsavedMs = 30_000;

export function keepSavesPossible(folders: Folders): Closable {
  const all = collect();
  /** Files that are being saved. */
  const lifted = new Map<string, NodeJS.Timeout>();

  async function lift(file: string): Promise<void> {
    const { liftFence } = await import('../../app/hold/fencedFile.ts');
    if (!fenced().some((workspace) => liftFence(workspace, file))) return;
    clearTimeout(lifted.get(file));
    lifted.set(
      file,
      setTimeout(() => void raise(file), unsavedMs),
    );
  }

  async function raise(file: string): Promise<void> {
    if (!lifted.has(file)) return;
    clearTimeout(lifted.get(file));
    lifted.delete(file);
    const { raiseFence } = await import('../../app/hold/fencedFile.ts');
    for (const workspace of fenced()) await raiseFence(workspace, file);
  }

  const fenced = () => folders.all.flatMap(({ workspace }) => (hasFence(workspace) ? [workspace] : []));
  const willSave = ({ uri }: { readonly uri: vscode.Uri }, waitUntil: (done: Promise<void>) => void) => {
    if (uri.scheme === 'file' && fenced().length > 0) waitUntil(lift(uri.fsPath));
  };
  const didSave = ({ uri }: { readonly uri: vscode.Uri }) => void raise(uri.fsPath);
  const { workspace } = vscode;
  all.add(
    workspace.onWillSaveTextDocument((event) => {
      willSave(event.document, (done) => event.waitUntil(done));
    }),
  );
  all.add(
    workspace.onWillSaveNotebookDocument((event) => {
      willSave(event.notebook, (done) => event.waitUntil(done));
    }),
  );
  all.add(workspace.onDidSaveTextDocument(didSave));
  all.add(workspace.onDidSaveNotebookDocument(didSave));
  all.add({
    dispose() {
      for (const file of [...lifted.keys()]) void raise(file);
    },
  });
  return all;
}
