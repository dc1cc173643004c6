/** One review by a language model of the editor, started by a human or by the policy. It decides nothing. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type * as vscode from 'vscode';
import { reviewCallMs, reviewRfc, reviewWithoutModel } from '../../app/rfc/review.ts';
import type { Transition } from '../../app/rfc/review.ts';
import { reviewPrompts } from '../../app/rfc/reviewText.ts';
import type { ReviewPrompts } from '../../app/rfc/reviewText.ts';
import type { RfcView } from '../../app/rfc/views.ts';
import type { OpenFolder } from '../../ui/kit/folders.ts';
import { askModel, chooseModel } from './languageModel.ts';
import { program } from '../../ui/kit/program.ts';

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

export interface Reviewing {
  /** @throws AppError as `reviewRfc` */
  review(run: ReviewRun): Promise<ReviewResult>;
}

export function reviewing(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Reviewing {
  const running = new Set<string>();
  let prompts: ReviewPrompts | undefined;
  const load = () =>
    reviewPrompts((file) => readFileSync(path.join(context.extensionPath, 'media', 'prompts', file), 'utf8'));

  function logged(transition: Transition): void {
    log.info(`review ${JSON.stringify(transition)}`);
  }

  async function run({ folder, id, signal, byHuman }: ReviewRun): Promise<ReviewResult> {
    const store = await folder.workspace.store();
    const model = await chooseModel();
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
      prompts: (prompts ??= load()),
      maxIterations: program().reviewsAtMost,
      callMs: reviewCallMs,
      newId: randomUUID,
      signal,
      onTransition: logged,
    });
  }

  return {
    async review(wanted) {
      const name = `${wanted.folder.workspace.location.root} ${wanted.id}`;
      if (running.has(name)) return 'running';
      running.add(name);
      try {
        return await run(wanted);
      } finally {
        running.delete(name);
        wanted.folder.workspace.changed();
      }
    },
  };
}
