/**
 * Keeps files in the repository up to date with the stores, if enabled by a setting: after a quiet time, one store
 * after the other. A failure is reported once, not with every change.
 */
import * as vscode from 'vscode';
import type { State } from '../../core/state/state.ts';
import { collect, type Closable, inTurn, oncePerBurst } from '../../ui/kit/timing.ts';
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
import { journalBytes, isCurrentForged, type Comparison, discardSavedState } from '../../app/audit/savedState.ts';
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
import { ignoreErrors } from '../../store/journal/problem.ts';
import { stateFileName } from '../../store/journal/stateFile.ts';
import { answerBeside, type ThreadWork } from '../../ui/kit/keepers.ts';
import type { Keys } from '../../ui/surface/standing.ts';

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

// What the editor keeps next to each journal: a copy, its position, and which saved states were compared.

export type CopyKeeper = ReturnType<typeof keepCopies>;

const quietMs = 2_000;

export function keepCopies(context: vscode.ExtensionContext, folders: Folders) {
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
