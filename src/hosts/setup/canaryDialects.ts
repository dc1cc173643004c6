/** How a canary's language model speaks to each host that can be started without an account. */
import type { ServerResponse } from 'node:http';
import type { CanaryCall, Dialect } from './canaryModel.ts';

/** The messages API of api.anthropic.com, for Claude Code. */
export const anthropic: Dialect = {
  url: /^\/v1\/messages(?:\?|$)/,
  results: (body) => ((body as { messages?: unknown[] }).messages ?? []).flatMap(toolResults),
  stream,
};

/** Texts of the tool results in one message, in any of its forms. */
function toolResults(message: unknown): string[] {
  const { content } = message as { content?: unknown };
  if (!Array.isArray(content)) return [];
  return (content as readonly { type?: unknown; content?: unknown }[])
    .filter(({ type }) => type === 'tool_result')
    .map((block) => JSON.stringify(block.content ?? ''));
}

/** One message as server-sent events: a tool call, or the end of the turn. */
function stream(response: ServerResponse, call: CanaryCall | undefined): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const id = `canary_${String(Date.now())}`;
  const head = { id, type: 'message', role: 'assistant', model: 'canary', content: [], stop_reason: null };
  send('message_start', { message: { ...head, stop_sequence: null, usage } });
  const [start, delta] = call
    ? [
        { type: 'tool_use', id, name: call.name, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
      ]
    : [
        { type: 'text', text: '' },
        { type: 'text_delta', text: 'Done.' },
      ];
  send('content_block_start', { index: 0, content_block: start });
  send('content_block_delta', { index: 0, delta });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}

/** The API of generativelanguage.googleapis.com, for Gemini CLI. */
export const gemini: Dialect = {
  url: /^\/v1\w*\/models\/[^/]+:streamGenerateContent(?:\?|$)/,
  results: (body) =>
    ((body as { contents?: readonly { parts?: readonly { functionResponse?: unknown }[] }[] }).contents ?? []).flatMap(
      ({ parts = [] }) =>
        parts.flatMap(({ functionResponse }) =>
          functionResponse === undefined ? [] : [JSON.stringify(functionResponse)],
        ),
    ),
  stream(response, call) {
    const parts = call ? [{ functionCall: { name: call.name, args: call.input } }] : [{ text: 'Done.' }];
    const candidate = { content: { role: 'model', parts }, finishReason: 'STOP', index: 0 };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.end(`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\n\n`);
  },
};
