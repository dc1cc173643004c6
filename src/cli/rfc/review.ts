/** `holdpoint rfc review`: the AI reviewer for a shell or CI. It advises and approves nothing, so it never exits with 0. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { reviewCallMs, reviewRfc, reviewPrompts } from '../../app/rfc/review.ts';
import type { RfcView } from '../../app/rfc/views.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { plural } from '../../core/kit/text.ts';
import { limits } from '../../core/kit/limits.ts';
import type { ReviewNote } from '../../core/records/rfc.ts';
import { defaultMaxIterations } from '../../core/rfc/review.ts';
import { shellSession, type Io } from '../kit/io.ts';
import type { Printed } from '../kit/verb.ts';
import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';

// A language model behind an OpenAI-compatible endpoint (`POST …/chat/completions`), named by the environment.

interface Endpoint extends ReturnType<typeof endpointOf> {}

type Environment = Readonly<Record<string, string | undefined>>;

const variables = {
  url: 'HOLDPOINT_REVIEWER_URL',
  model: 'HOLDPOINT_REVIEWER_MODEL',
  key: 'HOLDPOINT_REVIEWER_KEY',
} as const;

/** @throws AppError `bad_input` naming the variable that is missing or malformed */
function endpointOf(env: Environment) {
  const model = requiredVariable(env, variables.model);
  const key = env[variables.key]?.trim();
  return { url: completionsUrl(requiredVariable(env, variables.url)), model, key: key === '' ? undefined : key };
}

function requiredVariable(env: Environment, name: string): string {
  const value = env[name]?.trim() ?? '';
  if (value !== '') return value;
  throw new AppError(
    'bad_input',
    `no language model is configured: ${name} is missing. Set ${variables.url} (for example https://api.openai.com/v1), ${variables.model} and, if the endpoint needs one, ${variables.key}. Nothing was reviewed`,
  );
}

/** Adds the usual path to a base URL; a URL that already has it stays as it is, with its query. */
function completionsUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new AppError('bad_input', `${variables.url} must be an http or https URL`);
  if (!url.pathname.endsWith('/chat/completions'))
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return url;
}

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });

/** Replies have a few thousand characters; longer ones are rejected. */
const replyAtMost = 4 * 1024 * 1024;

/** One call. Redirects are not followed: the design and the key only go to the configured URL. @throws Error */
async function askEndpoint({ url, model, key }: Endpoint, prompt: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: prompt }], stream: false }),
    redirect: 'error',
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the endpoint answered with HTTP ${String(response.status)}`);
  }
  const reply = completion.safeParse(JSON.parse(await limitedText(response)));
  if (!reply.success) throw new Error('the endpoint answered with something that is not a chat completion');
  return reply.data.choices[0]?.message.content ?? '';
}

async function limitedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true });
    if (text.length > replyAtMost) throw new Error('the reply of the endpoint is too long');
  }
  return text + decoder.decode();
}

/** @throws AppError as `endpointOf` and `reviewRfc` */
export async function review(io: Io, workspace: Workspace, id: string): Promise<Printed> {
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
  return reviewReport(rfc);
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

function reviewReport(rfc: RfcView): Printed {
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
  return { schema: 'rfc_review', text, data, code: revise ? 2 : 3 };
}
