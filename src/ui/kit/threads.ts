/** Work that would block the editor, or the server of forms, in threads (`src/vscode/kit/thread.ts`). */
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import * as l10n from '@vscode/l10n';
import type { HoldToNote, WorkspaceOptions, WrittenBaseline } from '../../app/workspace/workspace.ts';
import type { PinnedKey } from '../../trust/keyring.ts';

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
