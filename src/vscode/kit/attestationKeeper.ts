/**
 * Writes each decision as a file for the repository, if enabled. Off by default, because others can read committed
 * files.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import type { Attesting } from '../../app/audit/attestations.ts';
import { createTrust } from '../../trust/envelope.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import { keepFiles } from './fileKeeper.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';

/** How long lines are processed before yielding. Milliseconds. */
const sliceMs = 8;

export function keepAttestations(folders: Folders): Closable {
  /** Number of decisions per store at the last write; nothing is read until it grows. */
  const done = new WeakMap<OpenFolder, { attesting: Attesting; decisions: number }>();
  return keepFiles({
    folders,
    setting: ids.settings.attestations,
    quietMs: 500,
    async write(folder, state, isClosed) {
      const decisions = state.nonces.size;
      if (done.get(folder)?.decisions === decisions) return;
      const { attest, writeAttestations } = await import('../../app/audit/attestations.ts');
      const { journalBytes } = await import('../../app/audit/audit.ts');
      const known = done.get(folder)?.attesting;
      const attesting = known && !known.walk.fault ? known : attest(createTrust(folder.workspace.pins));
      let since = Date.now();
      for (const found of attesting.follow(journalBytes(folder.workspace, attesting.walk.scanned))) {
        writeAttestations(folder.workspace, found);
        if (Date.now() - since < sliceMs) continue;
        await nextTurn();
        if (isClosed()) return;
        since = Date.now();
      }
      done.set(folder, { attesting, decisions });
    },
    failed: (folder, why) => l10n.t('Decisions of {0} could not be written as files: {1}', folder, why),
  });
}
