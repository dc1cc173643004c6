import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer } from './ports.ts';

export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

export interface ModelTool {
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown };
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
}

export type ModelTurn =
  | { readonly say: string }
  | { readonly say?: string; readonly call: readonly { readonly name: string; readonly input: unknown }[] };

/** Determines the model's next turn from its request. */
export type ModelScript = (request: ModelRequest) => ModelTurn | Promise<ModelTurn>;

export interface ScriptedModel {
  /** The address for a `customendpoint` model of VS Code. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

/** A scripted language model with the OpenAI chat-completions API. */
export async function startScriptedModel(script: ModelScript): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: String(error) } }));
    });
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse(await text(incoming)) as { messages: ModelMessage[]; tools?: ModelTool[] };
    const request: ModelRequest = { messages: body.messages, tools: body.tools ?? [] };
    requests.push(request);
    const turn = await script(request);
    const calls = 'call' in turn ? turn.call : [];
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const send = (delta: unknown, finish: string | null): void => {
      const chunk = {
        id: `turn-${requests.length}`,
        object: 'chat.completion.chunk',
        created: 0,
        model: 'scripted-1',
        choices: [{ index: 0, delta, finish_reason: finish }],
      };
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    };
    send({ role: 'assistant', content: turn.say ?? '' }, null);
    if (calls.length > 0) {
      const tool_calls = calls.map(({ name, input }, index) => ({
        index,
        id: `call-${requests.length}-${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      }));
      send({ tool_calls }, null);
    }
    send({}, calls.length > 0 ? 'tool_calls' : 'stop');
    response.end('data: [DONE]\n\n');
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    requests,
    close: () => closeServer(server),
  };
}

async function text(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The text of a message in either of its two forms. */
export function textOf(message: ModelMessage): string {
  if (typeof message.content === 'string') return message.content;
  return (message.content ?? []).map((part) => part.text ?? '').join('');
}

/** The tool results since the last user message, oldest first. */
export function toolResults(request: ModelRequest): string[] {
  const lastUser = request.messages.findLastIndex((message) => message.role === 'user');
  return request.messages
    .slice(lastUser + 1)
    .filter((message) => message.role === 'tool')
    .map(textOf);
}
