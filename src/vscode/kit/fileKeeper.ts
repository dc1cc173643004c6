/**
 * Keeps files in the repository up to date with the stores, if enabled by a setting: after a quiet time, one store
 * after the other. A failure is reported once, not with every change.
 */
import * as vscode from 'vscode';
import type { State } from '../../core/state/state.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { warning } from './messages.ts';

export interface FileKeeperOptions {
  readonly folders: Folders;
  /** A boolean setting, off by default. */
  readonly setting: string;
  /** Quiet time before writing. Milliseconds. */
  readonly quietMs: number;
  /** @param isClosed whether the extension stopped meanwhile */
  readonly write: (folder: OpenFolder, state: State, isClosed: () => boolean) => Promise<void>;
  /** The message for a failed write. */
  readonly failed: (folder: string, why: string) => string;
}

export function keepFiles({ folders, setting, quietMs, write, failed }: FileKeeperOptions): Closable {
  const all = collect();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let closed = false;
  const reported = new Set<string>();

  async function run(): Promise<void> {
    for (const [folder] of folders.stores) {
      const { state } = folder.workspace.standing();
      if (!state?.workspace || !vscode.workspace.isTrusted || closed) continue;
      try {
        await write(folder, state, () => closed);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        if (reported.has(folder.name + why)) continue;
        reported.add(folder.name + why);
        void warning(failed(folder.name, why));
      }
    }
  }

  function later(): void {
    clearTimeout(timer);
    if (!vscode.workspace.getConfiguration().get<boolean>(setting, false)) return;
    timer = setTimeout(() => {
      running = running.then(run, run);
    }, quietMs);
  }

  all.add(folders.onDidChange(later));
  all.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(setting)) later();
    }),
  );
  all.add({
    dispose() {
      closed = true;
      clearTimeout(timer);
    },
  });
  return all;
}
