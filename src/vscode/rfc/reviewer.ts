/**
 * The AI reviewer in the editor: a language model that the extension calls when a human starts it, or when a human's
 * policy requires it. It writes answers and remarks; no command here takes a decision.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { AppError } from '../../app/workspace/errors.ts';
import type { RfcView } from '../../app/rfc/views.ts';
import { collect } from '../../ui/kit/disposables.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { errorWords } from '../../ui/kit/problemWords.ts';
import { noteWords } from '../../ui/rfc/reviewWords.ts';
import { failure, information } from '../kit/messages.ts';
import { keepReviews } from './reviewKeeper.ts';
import { reviewing } from './reviewRun.ts';

export interface ReviewerOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  /** The RFC for the command's argument; if omitted or unknown, the first waiting one. */
  readonly keyOf: (argument: unknown) => Promise<string | undefined>;
  /** Whether the review of this RFC is visible, which then shows the result. */
  readonly isShown: (key: string) => boolean;
}

export function registerReviewer({ context, folders, keyOf, isShown }: ReviewerOptions): Closable {
  const all = collect();
  const log = all.add(vscode.window.createOutputChannel('Holdpoint', { log: true }));
  const reviews = reviewing(context, log);
  const running = new Map<string, AbortController>();

  async function review(argument: unknown): Promise<void> {
    const key = await keyOf(argument);
    const found = folders.find(key ?? '');
    if (key === undefined || !found) {
      void information(l10n.t('No RFC is waiting for review.'));
      return;
    }
    const current = running.get(key);
    if (current) {
      const cancel = l10n.t('Cancel Review');
      if ((await information(l10n.t('A language model is already reviewing {0}.', found.id), cancel)) === cancel)
        current.abort();
      return;
    }
    // In the status bar: a notification could cover the buttons of the RFC in front.
    await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Window,
        title: l10n.t('A language model is reviewing {0}', found.id),
      },
      () => run(key, found),
    );
  }

  async function run(key: string, { folder, id }: { readonly folder: OpenFolder; readonly id: string }): Promise<void> {
    const controller = new AbortController();
    running.set(key, controller);
    try {
      const rfc = await reviews.review({ folder, id, signal: controller.signal, byHuman: true });
      if (!controller.signal.aborted && typeof rfc !== 'string' && !isShown(key)) void tell(key, rfc);
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      void failure(failureWords(error));
    } finally {
      running.delete(key);
    }
  }

  all.add(vscode.commands.registerCommand(ids.commands.reviewRfc, review));
  all.add(keepReviews({ context, folders, reviews, log }));
  return all;
}

function failureWords(error: unknown): string {
  return error instanceof AppError
    ? errorWords(error)
    : l10n.t('The review failed: {0}', error instanceof Error ? error.message : String(error));
}

async function tell(key: string, rfc: RfcView): Promise<void> {
  const last = rfc.reviews.at(-1);
  const open = l10n.t('Review');
  const answered = rfc.questions.filter(({ state }) => state === 'ai_answered').length;
  const forHuman = rfc.questions.filter(({ state }) => state === 'human_required').length;
  const text =
    last?.note != null
      ? `${rfc.id}: ${noteWords(last.note)}`
      : last?.stage === 'reviewing'
        ? l10n.t('{0}: the language model requested changes from the author. The hold stays.', rfc.id)
        : l10n.t(
            '{0}: of its open questions the language model answered {1} and left {2} to you. Only you can approve it.',
            rfc.id,
            answered,
            forHuman,
          );
  const picked = await information(text, open);
  if (picked === open) await vscode.commands.executeCommand(ids.commands.openRfc, key);
}
