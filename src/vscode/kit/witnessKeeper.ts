/** Remembers each store's position in SecretStorage, and detects a rollback of a store with its state file. */
import * as vscode from 'vscode';
import { agrees, isNewer, testify, testimony, witness } from '../../app/workspace/witness.ts';
import type { Witness } from '../../app/workspace/witness.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { stateFileName } from '../../store/journal/stateFile.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { inTurn } from '../../ui/kit/inTurn.ts';

/** Debounce of writes. Milliseconds. */
const quietMs = 2_000;

export function keepWitness(secrets: vscode.SecretStorage, folders: Folders): Closable {
  const all = collect();
  let timer: NodeJS.Timeout | undefined;

  const look = inTurn(async () => {
    if (!vscode.workspace.isTrusted) return;
    for (const [{ workspace }] of folders.stores) await lookAt(workspace);
  });

  async function lookAt(workspace: Workspace): Promise<void> {
    const name = `holdpoint.witness.${stateFileName(workspace.location.root)}`;
    const known = parsed(await secrets.get(name));
    try {
      if (known && !agrees(workspace, known)) {
        testify(workspace, known);
        return;
      }
      const now = testimony(workspace);
      if (now && isNewer(now, known)) await secrets.store(name, JSON.stringify(now));
    } catch {
      // If the disk or keychain refuses, the next change tries again.
    }
  }

  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void look();
    }, quietMs);
  };
  all.add(folders.onDidChange(later));
  all.add({
    dispose: () => {
      clearTimeout(timer);
    },
  });
  void folders.opened.then(look);
  return all;
}

function parsed(text: string | undefined): Witness | null {
  try {
    const read = witness.safeParse(JSON.parse(text ?? ''));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}
