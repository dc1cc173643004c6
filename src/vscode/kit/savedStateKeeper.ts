/**
 * Compares the saved state that gates and hooks start from with the journal, once for each saved state, and discards one
 * that another program forged. Which ones were compared is in SecretStorage, where agents' programs do not write. Where an
 * administrator manages the keys, programs start only from what it has signed.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Comparison } from '../../app/audit/savedState.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { stateFileName } from '../../store/journal/stateFile.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import { inTurn } from '../../ui/kit/inTurn.ts';
import { warning } from './messages.ts';
import { answerBeside } from '../../ui/kit/threads.ts';
import type { Keys } from '../../ui/surface/keys.ts';
import type { Checked } from './checkingThread.ts';

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
    const given: Checked = { folder: workspace.location.root, pins: workspace.pins() };
    return (await answerBeside(extensionPath, 'checkingThread.mjs', given)) as Comparison | null;
  }

  async function lookAt(workspace: Workspace, name: string): Promise<void> {
    const { discardSavedState } = await import('../../app/audit/checkSavedState.ts');
    const { isCurrentForged } = await import('../../app/audit/savedState.ts');
    if (isCurrentForged(workspace)) {
      discardSavedState(workspace);
      warnOf(name);
    }
    const key = `holdpoint.savedState.${stateFileName(workspace.location.root)}`;
    const hash = workspace.stateFile.read()?.snapshot?.stateHash;
    if (hash === undefined) return;
    const { needsVouching, vouchFor } = await import('../../app/recovery/vouch.ts');
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
      'The saved state of {0} was not what its journal says, so another program wrote it. It is no longer used. Restart agents that were running.',
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
