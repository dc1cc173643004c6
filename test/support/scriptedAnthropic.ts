/** A scripted language model with the Anthropic messages API, for Claude Code in tests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelTurn } from './scriptedModel.ts';
import { closeServer } from './ports.ts';

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly name: string; readonly input: unknown }
  | { readonly type: 'tool_result'; readonly content: string | readonly Block[]; readonly is_error?: boolean };

export interface AnthropicRequest {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string | readonly Block[] }[];
  readonly tools: readonly { readonly name: string }[];
}

export interface ScriptedAnthropic {
  /** For ANTHROPIC_BASE_URL. */
  readonly url: string;
  /** Every request for a message so far, oldest first. */
  readonly requests: readonly AnthropicRequest[];
  close(): Promise<void>;
}

/** Determines the model's next turn from its request. */
export type AnthropicScript = (request: AnthropicRequest) => ModelTurn | Promise<ModelTurn>;

export async function startScriptedAnthropic(script: AnthropicScript): Promise<ScriptedAnthropic> {
  const requests: AnthropicRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: String(error) } }));
    });
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const path = (incoming.url ?? '').split('?')[0];
    if (path === '/v1/messages/count_tokens') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"input_tokens":1}');
      return;
    }
    if (path !== '/v1/messages') {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"type":"error","error":{"type":"not_found_error","message":"not found"}}');
      return;
    }
    const parsed = JSON.parse(body) as Partial<AnthropicRequest>;
    const request: AnthropicRequest = { messages: parsed.messages ?? [], tools: parsed.tools ?? [] };
    requests.push(request);
    const turn = await script(request);
    stream(response, turn, requests.length);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () => closeServer(server),
  };
}

/** One message as server-sent events. */
function stream(response: ServerResponse, turn: ModelTurn, number: number): void {
  const calls = 'call' in turn ? turn.call : [];
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-scripted',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      ...{ input_tokens: 1, output_tokens: 1, cache_read_input_tokens: 1_000 * (number - 1) },
      ...{
        cache_creation_input_tokens: 1_000,
        cache_creation: { ephemeral_5m_input_tokens: 1_000, ephemeral_1h_input_tokens: 0 },
      },
    },
  };
  send('message_start', { message });
  let index = 0;
  const block = (start: object, delta: object): void => {
    send('content_block_start', { index, content_block: start });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
    index++;
  };
  if (turn.say !== undefined) block({ type: 'text', text: '' }, { type: 'text_delta', text: turn.say });
  calls.forEach(({ name, input }, at) => {
    block(
      { type: 'tool_use', id: `toolu_${number}_${at}`, name, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    );
  });
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } });
  send('message_stop', {});
  response.end();
}

async function text(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** All tool results so far, oldest first. */
export function anthropicResults(request: AnthropicRequest): string[] {
  return request.messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((block) => (block.type === 'tool_result' ? [resultText(block.content)] : [])),
  );
}

function resultText(content: string | readonly Block[]): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}
