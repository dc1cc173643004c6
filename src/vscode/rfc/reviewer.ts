/**
 * The AI reviewer in the editor: a language model that the extension asks because a human told it to. What it says are
 * rows and remarks; it decides nothing, and the command that starts it takes no decision.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { AppError } from '../../app/workspace/errors.ts';
import { reviewRfc, reviewWithoutModel } from '../../app/rfc/review.ts';
import type { ReviewPrompts, Transition } from '../../app/rfc/review.ts';
import type { RfcView } from '../../app/rfc/views.ts';
import { parsePrompt } from '../../core/kit/prompt.ts';
import type { ReviewNote } from '../../core/records/rfcWords.ts';
import { collect } from '../kit/disposables.ts';
import type { Closable } from '../kit/disposables.ts';
import type { Folders } from '../kit/folders.ts';
import { ids } from '../kit/ids.ts';
import { maxIterations } from './reviewBudget.ts';
import { errorWords } from '../kit/problemWords.ts';
import { noteWords } from './reviewWords.ts';
import { failure, information } from '../kit/messages.ts';

/** One call may take this long. */
const callMs = 120_000;

export interface ReviewerOptions {
  readonly context: vscode.ExtensionContext;
  readonly folders: Folders;
  /** The RFC an argument of the command means; left out or unknown: the first that waits. */
  readonly keyOf: (argument: unknown) => Promise<string | undefined>;
}

export function registerReviewer({ context, folders, keyOf }: ReviewerOptions): Closable {
  const all = collect();
  const log = all.add(vscode.window.createOutputChannel('Holdpoint', { log: true }));
  const running = new Set<string>();
  let prompts: ReviewPrompts | undefined;

  function load(): ReviewPrompts {
    const read = (name: string) =>
      parsePrompt(readFileSync(path.join(context.extensionPath, 'media', 'prompts', `${name}.md`), 'utf8'));
    return { review: read('rfc-review'), followUp: read('rfc-review-followup'), repair: read('rfc-review-repair') };
  }

  function told(transition: Transition): void {
    log.info(`review ${JSON.stringify(transition)}`);
  }

  async function review(argument: unknown): Promise<void> {
    const key = await keyOf(argument);
    const found = folders.find(key ?? '');
    if (key === undefined || !found) {
      void information(vscode.l10n.t('No RFC is waiting for review.'));
      return;
    }
    if (running.has(key)) return;
    running.add(key);
    try {
      await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: vscode.l10n.t('A language model reviews {0}', found.id),
          cancellable: true,
        },
        (_, token) => run(key, token),
      );
    } finally {
      running.delete(key);
    }
  }

  async function run(key: string, token: vscode.CancellationToken): Promise<void> {
    const found = folders.find(key);
    if (!found) return;
    const { folder, id } = found;
    const controller = new AbortController();
    const cancelling = token.onCancellationRequested(() => {
      controller.abort();
    });
    try {
      const store = await folder.workspace.store();
      const model = await chooseModel();
      let denied: ReviewNote | null = model === null ? 'no_model' : null;
      if (model && context.languageModelAccessInformation.canSendRequest(model) === false) denied = 'not_allowed';
      const rfc =
        model === null || denied !== null
          ? reviewWithoutModel(store, id, denied ?? 'no_model', told)
          : await reviewRfc(store, id, {
              model: model.name,
              askModel: (prompt, signal) => ask(model, prompt, signal),
              prompts: (prompts ??= load()),
              maxIterations: maxIterations(),
              callMs,
              newId: randomUUID,
              signal: controller.signal,
              onTransition: told,
            });
      folder.workspace.changed();
      if (!controller.signal.aborted) void tell(key, rfc);
    } catch (error) {
      log.error(error instanceof Error ? error : String(error));
      void failure(
        error instanceof AppError
          ? errorWords(error)
          : vscode.l10n.t('The review failed: {0}', error instanceof Error ? error.message : String(error)),
      );
    } finally {
      cancelling.dispose();
    }
  }

  async function ask(model: vscode.LanguageModelChat, prompt: string, signal: AbortSignal): Promise<string> {
    const source = new vscode.CancellationTokenSource();
    const cancel = () => {
      source.cancel();
    };
    signal.addEventListener('abort', cancel);
    try {
      const response = await model.sendRequest(
        [vscode.LanguageModelChatMessage.User(prompt)],
        { justification: vscode.l10n.t('Holdpoint asks it to review a design that an agent proposed.') },
        source.token,
      );
      let text = '';
      for await (const part of response.text) text += part;
      return text;
    } catch (error) {
      log.warn(`${model.id}: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    }
  }

  async function tell(key: string, rfc: RfcView): Promise<void> {
    const last = rfc.reviews.at(-1);
    const open = vscode.l10n.t('Review');
    const answered = rfc.questions.filter(({ state }) => state === 'ai_answered').length;
    const forHuman = rfc.questions.filter(({ state }) => state === 'human_required').length;
    const text =
      last?.note != null
        ? `${rfc.id}: ${noteWords(last.note)}`
        : last?.stage === 'reviewing'
          ? vscode.l10n.t('{0}: the language model requested changes from the author. The hold stays.', rfc.id)
          : vscode.l10n.t(
              '{0}: of its open questions the language model answered {1} and left {2} to you. Only you can approve it.',
              rfc.id,
              answered,
              forHuman,
            );
    const picked = await information(text, open);
    if (picked === open) await vscode.commands.executeCommand(ids.commands.openRfc, key);
  }

  all.add(vscode.commands.registerCommand(ids.commands.reviewRfc, review));
  return all;
}

/** The one the setting names (`vendor/id`, an id or a family), else Copilot's, else any. */
async function chooseModel(): Promise<vscode.LanguageModelChat | null> {
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
