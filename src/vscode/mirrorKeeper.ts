/**
 * Keeps the mirrors in line with their rows as long as the editor runs, where somebody switched that on. Off unless they
 * did: a mirror is one more copy of what was written, and a file for every row that watchers and searches then meet.
 */
import * as vscode from 'vscode';
import { collect } from './disposables.ts';
import type { Closable } from './disposables.ts';
import type { Folders } from './folders.ts';
import { ids } from './ids.ts';
import { warning } from './messages.ts';

const quietMs = 1_000;

export function keepMirrors(folders: Folders): Closable {
  const all = collect();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  /** Where a failure was told already: it is told once, not with every change. */
  const told = new Set<string>();

  async function run(): Promise<void> {
    for (const [{ workspace, name }] of folders.stores) {
      const { state } = workspace.standing();
      if (!state?.workspace || !vscode.workspace.isTrusted) continue;
      try {
        const { mirror } = await import('../app/mirrors.ts');
        const { edited } = await mirror(workspace);
        if (edited.length > 0)
          void warning(
            vscode.l10n.t(
              'Mirrors are written from the database. What was edited in {0} is overwritten.',
              edited.slice(0, 5).join(', '),
            ),
          );
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        if (told.has(name + why)) continue;
        told.add(name + why);
        void warning(vscode.l10n.t('The mirrors of {0} could not be written: {1}', name, why));
      }
    }
  }

  function later(): void {
    clearTimeout(timer);
    if (!vscode.workspace.getConfiguration().get<boolean>(ids.settings.mirrors, false)) return;
    timer = setTimeout(() => {
      running = running.then(run, run);
    }, quietMs);
  }

  all.add(folders.onDidChange(later));
  all.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(ids.settings.mirrors)) later();
    }),
  );
  all.add({
    dispose() {
      clearTimeout(timer);
    },
  });
  later();
  return all;
}
