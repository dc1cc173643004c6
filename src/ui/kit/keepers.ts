/** What runs next to the pages: sweeps, and baselines of held files. */
import { nextRequestTime } from '../../core/request/due.ts';
import { type State, undecidedQuestions } from '../../core/state/state.ts';
import { isSweepDue, sweep } from '../../app/workspace/sweep.ts';
import { collect, type Closable, inTurn } from './timing.ts';
import type { Folders } from './folders.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { baselinesAtOnce, takeBaselines } from '../../app/hold/takeBaselines.ts';
import type { Workspace, HoldToNote, WorkspaceOptions, WrittenBaseline } from '../../app/workspace/workspace.ts';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import type { PinnedKey } from '../../trust/keyring.ts';

/** Clocks are adjusted and machines sleep, so no timer runs longer. Milliseconds. */
const atLatestMs = 60 * 60 * 1000;
/** Items become due strictly after their time. Milliseconds. */
const afterMs = 50;

export function registerSweep(folders: Folders): Closable {
  const all = collect();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function run(): Promise<void> {
    for (const { workspace } of folders.all) {
      const { state } = workspace.standing();
      const now = workspace.now();
      if (!state || !isSweepDue(state, now)) continue;
      if ((await sweep(await workspace.store())).length > 0) workspace.changed();
    }
  }

  function plan(): void {
    if (closed) return;
    clearTimeout(timer);
    const waits = folders.all.map(({ workspace }) => nextDue(workspace.standing().state, workspace.now()));
    timer = setTimeout(
      () => {
        // A failed sweep is retried after the next change, and within the hour.
        run().then(plan, plan);
      },
      Math.min(atLatestMs, ...waits) + afterMs,
    );
  }

  all.add(folders.onDidChange(plan));
  all.add({
    dispose() {
      closed = true;
      clearTimeout(timer);
    },
  });
  void folders.opened.then(run).then(plan, plan);
  return all;
}

/** Milliseconds until the next item is due. Ignores overdue items, which a sweep could not write. */
function nextDue(state: State | null, now: string): number {
  // Compared as texts: parsing thousands of times takes long.
  let first = nextRequestTime(state?.requests.values() ?? [], now);
  for (const { status, expiresAt } of state ? undecidedQuestions(state) : [])
    if (status === 'pending' && expiresAt > now && (first === null || expiresAt < first)) first = expiresAt;
  return first === null ? Infinity : Date.parse(first) - Date.parse(now);
}

// What this machine sees first here of holds that begin and end: how held files are then, for example where a human
// held all.

/** How many times as long as taking some baselines the pause after it is. */
const restFactor = 4;

export function keepHeldFiles(folders: Folders): Closable {
  let closed = false;
  const isOpen = (workspace: Workspace) => !closed && folders.all.some((one) => one.workspace === workspace);

  async function keep(workspace: Workspace): Promise<void> {
    while (isOpen(workspace)) {
      const began = performance.now();
      // If no baseline can be taken, the next change of a store tries again.
      if (!(await takeBaselines(workspace, baselinesAtOnce))) return;
      workspace.changed();
      // Thousands would slow down all that a human does in the meantime.
      await pause(restFactor * (performance.now() - began));
    }
  }

  const run = inTurn(async () => {
    for (const { workspace } of folders.all) await keep(workspace);
  });
  const listening = folders.onDidChange(() => void run());
  return {
    dispose() {
      closed = true;
      listening.dispose();
    },
  };
}

// Work that would block the editor, or the server of forms, in threads (`src/vscode/kit/thread.ts`).

export type ThreadWork = { readonly folder: string } & (
  | { readonly kind: 'save' }
  | { readonly kind: 'baselines'; readonly holds: readonly HoldToNote[] }
  /** By the keys that the editor knows: the thread takes none from files. */
  | { readonly kind: 'compare'; readonly pins: readonly PinnedKey[] }
);

/** What a workspace leaves to threads. */
export function inThreads(extensionPath: string, folder: string) {
  return {
    // A failure loses nothing: a snapshot is a cache.
    async saveBeside() {
      await answerBeside(extensionPath, { kind: 'save', folder });
    },
    baselinesBeside: async (holds) =>
      (await answerBeside(extensionPath, { kind: 'baselines', folder, holds })) as readonly WrittenBaseline[],
  } satisfies Partial<WorkspaceOptions>;
}

/** @throws Error where the thread fails or ends without an answer */
export function answerBeside(extensionPath: string, workerData: ThreadWork): Promise<unknown> {
  const thread = new Worker(path.join(extensionPath, 'dist', 'thread.cjs'), { workerData });
  thread.unref();
  return new Promise((resolve, reject) => {
    thread.once('message', resolve).once('error', reject);
    // After a message this rejects a promise that is settled.
    thread.once('exit', () => {
      reject(new Error(l10n.t('The work in the background ended without a result.')));
    });
  });
}
