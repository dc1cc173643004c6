/**
 * The AI reviewer in the editor: a language model that the extension calls when a human starts it, or when a human's
 * policy requires it. It writes answers and remarks; no command here makes a decision.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { AppError } from '../../app/workspace/errors.ts';
import type { RfcView } from '../../app/rfc/views.ts';
import { collect, type Closable } from '../../ui/kit/timing.ts';
import type { Folders, OpenFolder } from '../../ui/kit/folders.ts';
import { ids } from '../../ui/kit/ids.ts';
import { errorWords } from '../../ui/kit/problemWords.ts';
import { noteWords } from '../../ui/rfc/model.ts';
import { failure, information } from '../kit/messages.ts';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Transition, ReviewPrompts } from '../../app/rfc/review.ts';
import { program } from '../../ui/kit/program.ts';
import fs from 'node:fs';
import { isReviewDue } from '../../core/rfc/review.ts';
import { latestRevision } from '../../core/rfc/rfc.ts';
import { shownLine } from '../../core/kit/text.ts';
import { errorCode } from '../../store/journal/files.ts';

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
  const reviewOnce = reviewing(context, log);
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
      const cancel = l10n.t('Cancel review');
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
      const rfc = await reviewOnce({ folder, id, signal: controller.signal, byHuman: true });
      if (!controller.signal.aborted && typeof rfc !== 'string' && !isShown(key)) void tell(key, rfc);
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      void failure(failureWords(error));
    } finally {
      running.delete(key);
    }
  }

  all.add(vscode.commands.registerCommand(ids.commands.reviewRfc, review));
  all.add(keepReviews({ context, folders, reviewOnce, log }));
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
            '{0}: the language model answered {1} of its open questions and left {2} to you. Only you can approve it.',
            rfc.id,
            answered,
            forHuman,
          );
  const picked = await information(text, open);
  if (picked === open) await vscode.commands.executeCommand(ids.commands.openRfc, key);
}

// One review by a language model of the editor, started by a human or by the policy. It decides nothing.

export interface ReviewRun {
  readonly folder: OpenFolder;
  readonly id: string;
  /** Ends the review without a trace. */
  readonly signal: AbortSignal;
  /** A human has just started it, so the editor may ask for consent to use the model. */
  readonly byHuman: boolean;
}

/** `running`: this window is already reviewing it. `consent`: a human must allow the model first. Both did nothing. */
export type ReviewResult = RfcView | 'running' | 'consent';

type Review = (run: ReviewRun) => Promise<ReviewResult>;

/** Its result throws AppError as `reviewRfc`. */
function reviewing(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Review {
  const running = new Set<string>();
  let prompts: ReviewPrompts | undefined;
  const load = async () =>
    (await import('../../app/rfc/review.ts')).reviewPrompts((file) =>
      fs.readFileSync(path.join(context.extensionPath, 'media', 'prompts', file), 'utf8'),
    );

  function logged(transition: Transition): void {
    log.info(`review ${JSON.stringify(transition)}`);
  }

  async function run({ folder, id, signal, byHuman }: ReviewRun): Promise<ReviewResult> {
    const store = await folder.workspace.store();
    const model = await chooseModel();
    const { reviewCallMs, reviewRfc, reviewWithoutModel } = await import('../../app/rfc/review.ts');
    if (model === null) return reviewWithoutModel(store, id, 'no_model', logged);
    const allowed = context.languageModelAccessInformation.canSendRequest(model);
    if (allowed === false) return reviewWithoutModel(store, id, 'not_allowed', logged);
    if (allowed === undefined && !byHuman) return 'consent';
    return reviewRfc(store, id, {
      model: model.name,
      async askModel(prompt, ended) {
        try {
          return await askModel(model, prompt, ended);
        } catch (error) {
          log.warn(`${model.id}: ${error instanceof Error ? error.message : String(error)}`);
          throw error;
        }
      },
      prompts: (prompts ??= await load()),
      maxIterations: program().reviewsAtMost,
      callMs: reviewCallMs,
      newId: randomUUID,
      signal,
      onTransition: logged,
    });
  }

  return async (wanted) => {
    const name = `${wanted.folder.workspace.location.root} ${wanted.id}`;
    if (running.has(name)) return 'running';
    running.add(name);
    try {
      return await run(wanted);
    } finally {
      running.delete(name);
      wanted.folder.workspace.changed();
    }
  };
}

// Automatic reviews: if a human's policy enables them, each submitted revision goes to a language model first, in one
// window. The human is notified afterwards (waiting/notifications.ts), with the remaining questions. If anything
// fails, the revision goes to the human.

/** A window that has not finished its review after this long is treated as closed. */
const claimMs = 15 * 60_000;

interface ReviewKeeperOptions extends Pick<ReviewerOptions, 'context' | 'folders'> {
  readonly reviewOnce: Review;
  readonly log: vscode.LogOutputChannel;
}

function keepReviews({ context, folders, reviewOnce, log }: ReviewKeeperOptions): Closable {
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
      const result = await reviewOnce({ folder, id, signal: ended.signal, byHuman: false });
      if (result === 'consent') await askConsent(folder, id);
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      // An AppError means that it was revised, decided or reviewed in the meantime, so this revision needs no review.
      if (!(error instanceof AppError)) await giveToHuman(folder, id);
    }
  }

  async function giveToHuman(folder: OpenFolder, id: string): Promise<void> {
    try {
      const { reviewWithoutModel } = await import('../../app/rfc/review.ts');
      await reviewWithoutModel(await folder.workspace.store(), id, 'failed');
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
    }
  }

  /** The editor requires a human's consent to use a model, and requests it only after a user action. */
  async function askConsent(folder: OpenFolder, id: string): Promise<void> {
    const title = folder.workspace.standing().state?.rfcs.get(id)?.title ?? id;
    const [start, read] = [l10n.t('Start'), l10n.t('Review it yourself')];
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

// The editor's own language models: selects a reviewer, and calls it.

/** The model that the setting names (`vendor/id`, an id or a family), else Copilot's, else any. */
export async function chooseModel(): Promise<vscode.LanguageModelChat | null> {
  const wanted = vscode.workspace.getConfiguration().get<string>(ids.settings.reviewerModel, '').trim();
  const models = await vscode.lm.selectChatModels();
  if (wanted !== '')
    return (
      models.find(({ vendor, id }) => `${vendor}/${id}` === wanted || id === wanted) ??
      models.find(({ family }) => family === wanted) ??
      null
    );
  return models.find(({ vendor }) => vendor === 'copilot') ?? models[0] ?? null;
}

/** @throws the error of the model or the editor */
export async function askModel(model: vscode.LanguageModelChat, prompt: string, signal: AbortSignal): Promise<string> {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => {
    source.cancel();
  };
  signal.addEventListener('abort', cancel);
  try {
    const response = await model.sendRequest(
      [vscode.LanguageModelChatMessage.User(prompt)],
      { justification: l10n.t('Holdpoint asks it to review a design that an agent proposed.') },
      source.token,
    );
    let text = '';
    for await (const part of response.text) text += part;
    return text;
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

// Whether the editor has a language model for reviews; reviews offer the AI reviewer only then.

export type Models = ReturnType<typeof watchModels>;

/** Checks once, and again when the editor's models change. */
export function watchModels() {
  const all = collect();
  const changed = all.add(new vscode.EventEmitter<void>());
  let some = false;
  const look = async (): Promise<void> => {
    const found = (await chooseModel()) !== null;
    if (found === some) return;
    some = found;
    changed.fire();
  };
  all.add(vscode.lm.onDidChangeChatModels(() => void look()));
  void look();
  return {
    some: () => some,
    onDidChange: changed.event,
    dispose: all.dispose,
  };
}
