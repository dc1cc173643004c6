/**
 * Writes each decision as a file for the repository as soon as it is made, where somebody switched that on. Off unless
 * they did: what is committed is read by others.
 */
import * as vscode from 'vscode';
import type { Attesting } from '../app/attestations.ts';
import { createTrust } from '../trust/envelope.ts';
import { collect } from './disposables.ts';
import type { Closable } from './disposables.ts';
import type { Folders, OpenFolder } from './folders.ts';
import { ids } from './ids.ts';
import { warning } from './messages.ts';

const quietMs = 500;
/** How long lines are read before others get their turn. Milliseconds. */
const sliceMs = 8;

export function keepAttestations(folders: Folders): Closable {
  const all = collect();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let closed = false;
  /** Decisions of each store as of the last writing: nothing is read while there are no more. */
  const done = new WeakMap<OpenFolder, { attesting: Attesting; decisions: number }>();
  const told = new Set<string>();

  async function run(): Promise<void> {
    for (const [folder] of folders.stores) {
      const { state } = folder.workspace.standing();
      if (!state?.workspace || !vscode.workspace.isTrusted || closed) continue;
      if (done.get(folder)?.decisions === state.nonces.size) continue;
      try {
        await writeOf(folder, state.nonces.size);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        if (told.has(folder.name + why)) continue;
        told.add(folder.name + why);
        void warning(vscode.l10n.t('Decisions of {0} could not be written as files: {1}', folder.name, why));
      }
    }
  }

  async function writeOf(folder: OpenFolder, decisions: number): Promise<void> {
    const { attest, writeAttestations } = await import('../app/attestations.ts');
    const { journalBytes } = await import('../app/audit.ts');
    const known = done.get(folder)?.attesting;
    const attesting = known && !known.walk.fault ? known : attest(createTrust(folder.workspace.pins));
    let since = Date.now();
    for (const found of attesting.follow(journalBytes(folder.workspace, attesting.walk.scanned))) {
      writeAttestations(folder.workspace, found);
      if (Date.now() - since < sliceMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (closed) return;
      since = Date.now();
    }
    done.set(folder, { attesting, decisions });
  }

  function later(): void {
    clearTimeout(timer);
    if (!vscode.workspace.getConfiguration().get<boolean>(ids.settings.attestations, false)) return;
    timer = setTimeout(() => {
      running = running.then(run, run);
    }, quietMs);
  }

  all.add(folders.onDidChange(later));
  all.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(ids.settings.attestations)) later();
    }),
  );
  all.add({
    dispose() {
      closed = true;
      clearTimeout(timer);
    },
  });
  later();
  return all;
}
