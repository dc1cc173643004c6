/**
 * Keeps files in the repository up to date with the stores, if enabled by a setting: after a quiet time, one store
 * after the other. A failure is reported once, not with every change.
 */
import * as vscode from 'vscode';
import type { State } from '../../core/state/state.ts';
import { collect, type Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { warning } from './messages.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { attest, writeAttestations } from '../../app/audit/attestations.ts';
import { createTrust } from '../../trust/envelope.ts';
import { ids } from '../../ui/kit/ids.ts';
import type { MirrorMemory } from '../../app/mirrors/mirrors.ts';
import { freshnessOf } from '../../app/workspace/freshness.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { journalBytes } from '../../app/audit/savedState.ts';

export interface FileKeeperOptions {
  readonly folders: Folders;
  /** A boolean setting, off by default. */
  readonly setting: string;
  /** Quiet time before writing. Milliseconds. */
  readonly quietMs: number;
  /** @param isClosed whether the extension stopped in the meantime */
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

// Writes each decision as a file for the repository, if enabled. Off by default, because others can read committed
// files.

/** How long lines are processed before yielding. Milliseconds. */
const sliceMs = 8;

export function keepAttestations(folders: Folders): Closable {
  /** Number of decisions per store at the last write; nothing is read until it grows. */
  const done = new WeakMap<OpenFolder, { attesting: ReturnType<typeof attest>; decisions: number }>();
  return keepFiles({
    folders,
    setting: ids.settings.attestations,
    quietMs: 500,
    async write(folder, state, isClosed) {
      const decisions = state.nonces.size;
      if (done.get(folder)?.decisions === decisions) return;
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

// Keeps the mirrors up to date while the editor runs, if enabled. Off by default: mirrors duplicate content, and add
// files that watchers and searches find.

export function keepMirrors(folders: Folders): Closable {
  const memory: MirrorMemory = new WeakMap();
  return keepFiles({
    folders,
    setting: ids.settings.mirrors,
    quietMs: 1_000,
    async write({ workspace }) {
      const { looksEveryMs, mirror } = await import('../../app/mirrors/mirrors.ts');
      const { edited } = await mirror(workspace, { memory, everyMs: looksEveryMs });
      if (edited.length > 0)
        void warning(
          l10n.t('Mirrors are written from the journal. Edits of {0} are overwritten.', edited.slice(0, 5).join(', ')),
        );
    },
    failed: (folder, why) => l10n.t('The mirrors of {0} could not be written: {1}', folder, why),
  });
}

// Notices when the server of a shared workspace stops or begins to answer, which no change of a file announces.

const lookEveryMs = 1_000;

export function keepFreshness(folders: Folders): Closable {
  const all = collect();
  const known = new Map<Workspace, string>();
  let clock: NodeJS.Timeout | undefined;

  function look(): void {
    for (const [{ workspace }] of folders.stores) {
      const now = JSON.stringify(freshnessOf(workspace));
      const before = known.get(workspace);
      known.set(workspace, now);
      if (before !== undefined && before !== now) workspace.changed();
    }
  }

  /** Local journals cost no timer. */
  function plan(): void {
    const isShared = folders.stores.some(([{ workspace }]) => freshnessOf(workspace).state !== 'local');
    if (isShared) clock ??= setInterval(look, lookEveryMs);
    else {
      clearInterval(clock);
      clock = undefined;
    }
  }

  all.add(folders.onDidChange(plan));
  all.add({
    dispose() {
      clearInterval(clock);
    },
  });
  return all;
}
