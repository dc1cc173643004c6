/**
 * Automatic reviews: if a human's policy enables them, each submitted revision goes to a language model first, in one
 * window. The human is notified afterwards (waiting/notifications.ts), with the remaining questions. If anything fails,
 * the revision goes to the human.
 */
import fs from 'node:fs';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { AppError } from '../../app/workspace/errors.ts';
import { reviewWithoutModel } from '../../app/rfc/review.ts';
import { isReviewDue } from '../../core/rfc/review.ts';
import { latestRevision } from '../../core/rfc/rfc.ts';
import { shownLine } from '../../core/kit/text.ts';
import { errorCode } from '../../store/journal/files.ts';
import type { Closable } from '../../ui/kit/disposables.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { information } from '../kit/messages.ts';
import type { Reviewing } from './reviewRun.ts';

/** A window that has not finished its review after this long counts as closed. */
const claimMs = 15 * 60_000;

export interface ReviewKeeperOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  readonly reviews: Reviewing;
  readonly log: vscode.LogOutputChannel;
}

export function keepReviews({ context, folders, reviews, log }: ReviewKeeperOptions): Closable {
  const claims = path.join(context.globalStorageUri.fsPath, 'reviews');
  const ended = new AbortController();
  /** Revisions that this window has started: each is tried once. */
  const begun = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();

  function look(): void {
    if (!vscode.workspace.isTrusted) return;
    for (const [folder] of folders.stores) {
      const { state } = folder.workspace.standing();
      if (!state?.workspace) continue;
      for (const rfc of state.rfcs.values()) {
        const name = `${state.workspace.id}-${rfc.id}-${String(latestRevision(rfc).number)}`;
        if (!isReviewDue(state, rfc) || begun.has(name)) continue;
        begun.add(name);
        const file = path.join(claims, name);
        if (claim(file)) void review(folder, rfc.id).finally(() => release(file));
        else again(name);
      }
    }
  }

  /** Another window reviews it. If that window closes before it finishes, this one takes over. */
  function again(name: string): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      begun.delete(name);
      look();
    }, claimMs);
    timers.add(timer);
  }

  /** Lets another window take over immediately. */
  function release(file: string): void {
    if (ended.signal.aborted) fs.rmSync(file, { force: true });
  }

  async function review(folder: OpenFolder, id: string): Promise<void> {
    try {
      const result = await reviews.review({ folder, id, signal: ended.signal, byHuman: false });
      if (result === 'consent') await askConsent(folder, id);
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      // An AppError means that it was revised, decided or reviewed meanwhile, so this revision needs no review.
      if (!(error instanceof AppError)) await giveToHuman(folder, id);
    }
  }

  async function giveToHuman(folder: OpenFolder, id: string): Promise<void> {
    try {
      await reviewWithoutModel(await folder.workspace.store(), id, 'failed');
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
    }
  }

  /** The editor requires a human's consent to use a model, and requests it only after a user action. */
  async function askConsent(folder: OpenFolder, id: string): Promise<void> {
    const title = folder.workspace.standing().state?.rfcs.get(id)?.title ?? id;
    const [start, read] = [l10n.t('Start'), l10n.t('Review It Yourself')];
    const picked = await information(
      l10n.t('{0} was submitted: {1} Allow a language model to review it first?', id, shownLine(title)),
      start,
      read,
    );
    const key = folders.keyOf(folder, id);
    if (picked === start) await vscode.commands.executeCommand(ids.commands.reviewRfc, key);
    if (picked === read) await vscode.commands.executeCommand(ids.commands.openRfc, key);
  }

  const listening = folders.onDidChange(look);
  return {
    dispose() {
      ended.abort();
      for (const timer of timers) clearTimeout(timer);
      listening.dispose();
    },
  };
}

/** One window reviews: the first to create the file, or the first to find it expired. */
function claim(file: string): boolean {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const made = fs.statSync(file, { throwIfNoEntry: false });
    if (made && Date.now() - made.mtimeMs >= claimMs) fs.rmSync(file, { force: true });
    fs.closeSync(fs.openSync(file, 'wx'));
    return true;
  } catch (error) {
    return errorCode(error) !== 'EEXIST';
  }
}
