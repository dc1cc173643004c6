/** A scripted language model with the Gemini API, for Gemini CLI in tests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ModelTurn } from './scriptedModel.ts';
import { closeServer } from './ports.ts';

interface GeminiBody {
  readonly contents?: readonly { readonly parts?: readonly GeminiPart[] }[];
  readonly tools?: readonly unknown[];
}

interface GeminiPart {
  readonly text?: string;
  readonly functionResponse?: { readonly response?: unknown };
}

export interface GeminiRequest {
  /** All texts of the conversation, whichever side wrote them. */
  readonly texts: readonly string[];
  /** All tool results so far, oldest first, as JSON. */
  readonly results: readonly string[];
}

export interface ScriptedGemini {
  /** For GOOGLE_GEMINI_BASE_URL. */
  readonly url: string;
  close(): Promise<void>;
}

export async function startScriptedGemini(script: (request: GeminiRequest) => ModelTurn): Promise<ScriptedGemini> {
  const server = createServer((request, response) => {
    answer(request, response, script).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => closeServer(server),
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  script: (request: GeminiRequest) => ModelTurn,
): Promise<void> {
  const body = (await json(incoming)) as GeminiBody;
  const parts = (body.contents ?? []).flatMap(({ parts = [] }) => parts);
  const turn = script({
    texts: parts.flatMap(({ text }) => text ?? []),
    results: parts.flatMap(({ functionResponse }) =>
      functionResponse ? [JSON.stringify(functionResponse.response)] : [],
    ),
  });
  const calls = 'call' in turn ? turn.call : [];
  const said = turn.say === undefined ? [] : [{ text: turn.say }];
  const content = {
    role: 'model',
    parts: [...said, ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } }))],
  };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const message = JSON.stringify({ candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata });
  const isStream = (incoming.url ?? '').includes('stream');
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
  response.end(isStream ? `data: ${message}\n\n` : message);
}
