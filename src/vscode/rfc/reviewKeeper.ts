/**
 * Reviews by themselves: where a human's policy says so, each submitted revision goes to a language model first, in one
 * window. The human is notified afterwards (waiting/notifications.ts), with what is left open. Whatever goes wrong, it
 * goes to the human.
 */
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { AppError } from '../../app/workspace/errors.ts';
import { reviewWithoutModel } from '../../app/rfc/review.ts';
import { isReviewDue } from '../../core/rfc/review.ts';
import { latestRevision } from '../../core/rfc/rfc.ts';
import { shownLine } from '../../core/kit/text.ts';
import { errorCode } from '../../store/journal/files.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders, OpenFolder } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { information } from '../kit/messages.ts';
import type { Reviewing } from './reviewRun.ts';

/** A window that began a review and did not end it is taken for closed after this long. */
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
  /** Revisions that this window has begun with: each once, whatever comes of it. */
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

  /** Another window reviews it. Should that one be closed before the end, this one does. */
  function again(name: string): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      begun.delete(name);
      look();
    }, claimMs);
    timers.add(timer);
  }

  /** What this window did not finish, the next one does at once. */
  function release(file: string): void {
    if (ended.signal.aborted) fs.rmSync(file, { force: true });
  }

  async function review(folder: OpenFolder, id: string): Promise<void> {
    try {
      const result = await reviews.review({ folder, id, signal: ended.signal, byHuman: false });
      if (result === 'consent') await askConsent(folder, id);
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      // It was revised, decided or reviewed meanwhile: nothing is left to do about this revision.
      if (!(error instanceof AppError)) await giveToHuman(folder, id);
    }
  }

  async function giveToHuman(folder: OpenFolder, id: string): Promise<void> {
    try {
      reviewWithoutModel(await folder.workspace.store(), id, 'failed');
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
    }
  }

  /** The editor lets an extension use a model once a human has allowed it, and asks only after something they did. */
  async function askConsent(folder: OpenFolder, id: string): Promise<void> {
    const title = folder.workspace.standing().state?.rfcs.get(id)?.title ?? id;
    const [start, read] = [vscode.l10n.t('Start'), vscode.l10n.t('Review It Yourself')];
    const picked = await information(
      vscode.l10n.t('{0} was submitted: {1} Allow a language model to review it first?', id, shownLine(title)),
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

/** One window reviews: the first to make the file, or the first to find it old. */
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
