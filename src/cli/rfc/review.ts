/** `holdpoint rfc review`: the AI reviewer for a shell or CI. It advises and approves nothing, so it never exits with 0. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { reviewCallMs, reviewRfc } from '../../app/rfc/review.ts';
import { reviewPrompts } from '../../app/rfc/reviewText.ts';
import type { RfcView } from '../../app/rfc/views.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { plural } from '../../core/kit/plural.ts';
import { limits } from '../../core/kit/limits.ts';
import type { ReviewNote } from '../../core/records/rfcWords.ts';
import { defaultMaxIterations } from '../../core/rfc/review.ts';
import type { ExitCode, Io } from '../kit/io.ts';
import { shellSession } from '../kit/session.ts';
import type { Shown } from '../kit/outputs.ts';
import { askEndpoint, endpointOf } from './endpoint.ts';

export interface Reviewed {
  readonly shown: Shown;
  readonly code: ExitCode;
}

/** @throws AppError as `endpointOf` and `reviewRfc` */
export async function review(io: Io, workspace: Workspace, id: string): Promise<Reviewed> {
  const endpoint = endpointOf(io.env);
  const rfc = await reviewRfc(await workspace.store(), id, {
    // Shows the human which agent used which model and endpoint: any program can run this.
    model: `${endpoint.model} at ${endpoint.url.host}, run by ${shellSession(io, workspace).actor.id}`.slice(
      0,
      limits.title,
    ),
    async askModel(prompt, signal) {
      try {
        return await askEndpoint(endpoint, prompt, signal);
      } catch (error) {
        io.err(`holdpoint: ${endpoint.url.host}: ${wordsOf(error)}`);
        throw error;
      }
    },
    prompts: reviewPrompts((file) =>
      readFileSync(path.join(import.meta.dirname, '..', 'media', 'prompts', file), 'utf8'),
    ),
    maxIterations: defaultMaxIterations,
    callMs: reviewCallMs,
    newId: randomUUID,
    signal: io.signal,
  });
  workspace.changed();
  return reviewed(rfc);
}

/** `fetch` puts the actual error in the cause. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

const noteWords: Readonly<Record<ReviewNote, string>> = {
  no_model: 'No language model is available.',
  not_allowed: 'Language models are not allowed here.',
  failed: 'The language model could not answer.',
  timed_out: 'The language model took too long.',
  malformed: 'The language model gave an unreadable reply twice.',
  budget_spent: 'The language model reached its call limit.',
};

function reviewed(rfc: RfcView): Reviewed {
  const last = rfc.reviews.at(-1);
  const revise = last?.verdict === 'revise';
  const answered = rfc.questions.filter(({ state }) => state === 'ai_answered').length;
  const left = rfc.questions.filter(({ state }) => state === 'human_required').length;
  const verdict = [
    ...(last?.note == null ? [] : [noteWords[last.note]]),
    ...(revise ? ['The language model asks the author for changes. The hold remains.'] : []),
    ...(last?.note == null && !revise ? ['The language model has no objections; this is not an approval.'] : []),
  ].join(' ');
  const said = last?.summary == null ? '' : ` It says: "${last.summary}"`;
  const next = revise ? `The author reads why with: holdpoint rfc show ${rfc.id}` : 'A human decides, in the editor.';
  const text = `${rfc.id}, revision ${String(rfc.revision)}: ${verdict}${said} It answered ${plural(answered, 'open question')}; ${String(left)} ${left === 1 ? 'is' : 'are'} for a human. ${next}`;
  const data = {
    result: revise ? 'denied' : 'waiting',
    outcome: revise ? 'revise' : 'waiting',
    effect: null,
    approved: null,
    verdict: last?.verdict ?? null,
    note: last?.note ?? null,
    answered,
    for_human: left,
    rfc,
  } as const;
  return { shown: { schema: 'rfc_review', text, data }, code: revise ? 2 : 3 };
}
