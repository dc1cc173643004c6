/** A language model behind an OpenAI-compatible endpoint (`POST …/chat/completions`), named by the environment. */
import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';

export interface Endpoint {
  readonly url: URL;
  readonly model: string;
  readonly key: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const variables = {
  url: 'HOLDPOINT_REVIEWER_URL',
  model: 'HOLDPOINT_REVIEWER_MODEL',
  key: 'HOLDPOINT_REVIEWER_KEY',
} as const;

/** @throws AppError `bad_input` naming the variable that is missing or malformed */
export function endpointOf(env: Environment): Endpoint {
  const model = required(env, variables.model);
  const key = env[variables.key]?.trim();
  return { url: completionsUrl(required(env, variables.url)), model, key: key === '' ? undefined : key };
}

function required(env: Environment, name: string): string {
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
export async function askEndpoint({ url, model, key }: Endpoint, prompt: string, signal: AbortSignal): Promise<string> {
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
