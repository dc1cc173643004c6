/** What the editor keeps next to each journal: a copy, its position, and which saved states were compared. */
import path from 'node:path';
import {
  openCopy,
  type EditorsCopy,
  needsVouching,
  vouchFor,
  agrees,
  isNewer,
  testify,
  testimony,
  witness,
  type Witness,
} from '../../app/recovery/editorKeeps.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { ignoreErrors } from '../../store/journal/problem.ts';
import { stateFileName } from '../../store/journal/stateFile.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import * as vscode from 'vscode';
import { inTurn, oncePerBurst } from '../../ui/kit/timing.ts';
import * as l10n from '@vscode/l10n';
import { isCurrentForged, type Comparison, discardSavedState } from '../../app/audit/savedState.ts';
import { warning } from './messages.ts';
import { answerBeside, type ThreadWork } from '../../ui/kit/threads.ts';
import type { Keys } from '../../ui/surface/standing.ts';

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
    for (const { workspace } of folders.all) ignoreErrors(() => copyOf(workspace).update());
  }

  all.add(folders.onDidChange(all.add(oncePerBurst(quietMs, save)).soon));
  all.add({
    dispose() {
      save();
      for (const copy of copies.values()) copy.close();
    },
  });
  return { fileFor, dispose: all.dispose };
}

// Remembers each store's position in SecretStorage, and detects a rollback of a store with its state file.

export function keepWitness(secrets: vscode.SecretStorage, folders: Folders): Closable {
  const all = collect();

  const look = inTurn(async () => {
    if (!vscode.workspace.isTrusted) return;
    for (const [{ workspace }] of folders.stores) await lookAt(workspace);
  });

  async function lookAt(workspace: Workspace): Promise<void> {
    const name = `holdpoint.witness.${stateFileName(workspace.location.root)}`;
    const known = parseWitness(await secrets.get(name));
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

  all.add(folders.onDidChange(all.add(oncePerBurst(quietMs, look)).soon));
  void folders.opened.then(look);
  return all;
}

function parseWitness(text: string | undefined): Witness | null {
  try {
    const read = witness.safeParse(JSON.parse(text ?? ''));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

// Compares the saved state that gates and hooks start from with the journal, once for each saved state, and discards
// one that another program forged. Which ones were compared is in SecretStorage, where agents' programs do not write.
// If an administrator manages the keys, programs start only from what it has signed.

/** After the start, which has other work. Milliseconds. */
const firstMs = 30_000;
const againMs = 10 * 60_000;

type Kept = Pick<vscode.ExtensionContext, 'secrets' | 'extensionPath'>;

export function keepSavedState({ secrets, extensionPath }: Kept, folders: Folders, keys: Keys): Closable {
  const all = collect();

  const look = inTurn(async () => {
    if (!vscode.workspace.isTrusted) return;
    for (const [{ workspace, name }] of folders.stores) {
      try {
        await lookAt(workspace, name);
      } catch {
        // If the disk or keychain refuses, the next look tries again.
      }
    }
  });

  /** Null where there is nothing to compare. */
  async function compareBeside(workspace: Workspace): Promise<Comparison | null> {
    const { location, pins } = workspace;
    const work: ThreadWork = { kind: 'compare', folder: location.root, pins: pins() };
    return (await answerBeside(extensionPath, work)) as Comparison | null;
  }

  async function lookAt(workspace: Workspace, name: string): Promise<void> {
    if (isCurrentForged(workspace)) {
      discardSavedState(workspace);
      warnOf(name);
    }
    const key = `holdpoint.savedState.${stateFileName(workspace.location.root)}`;
    const hash = workspace.stateFile.read()?.snapshot?.stateHash;
    if (hash === undefined) return;
    const canVouch = async () => needsVouching(workspace) && (await keys.standing(workspace)).kind === 'enrolled';
    if (hash === (await secrets.get(key)) && !(await canVouch())) return;
    const found = await compareBeside(workspace);
    if (!found) return;
    if (found.differs === null) {
      await secrets.store(key, found.saved.stateHash);
      if (await canVouch()) vouchFor(workspace, found.saved, await keys.signer(workspace));
      return;
    }
    discardSavedState(workspace);
    warnOf(name);
  }

  function warnOf(name: string): void {
    const text = l10n.t(
      'Another program changed the saved copy of the journal of {0}. It is no longer used. Restart agents that were running.',
      name,
    );
    void warning(text);
  }

  const first = setTimeout(() => void look(), firstMs);
  const again = setInterval(() => void look(), againMs);
  all.add({
    dispose() {
      clearTimeout(first);
      clearInterval(again);
    },
  });
  return all;
}
