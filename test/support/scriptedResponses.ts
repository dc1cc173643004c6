/** A scripted language model with the OpenAI responses API, for Codex in tests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { closeServer } from './ports.ts';

export interface ScriptedResponses {
  /** The base address of a provider. */
  readonly url: string;
  /** Results of tools, as the host sent them with its latest request. */
  results(): readonly string[];
  /** Texts of the user's messages in each request that offered tools, oldest first. */
  prompts(): readonly (readonly string[])[];
  /** Input of each request that offered tools, oldest first. */
  requests(): readonly string[];
  close(): Promise<void>;
}

/** `input` is a text for tools that take no JSON. A tool in a namespace is `namespace/tool`. */
export interface ResponsesCall {
  readonly name: string;
  readonly input: object | string;
}

export interface ResponsesRequest {
  /** Texts of people and other agents, oldest first. */
  readonly texts: readonly string[];
  /** Results of tools, oldest first, as JSON. */
  readonly results: readonly string[];
}

/** Determines the next call; undefined ends the turn. */
export type ResponsesScript = (
  request: ResponsesRequest,
) => ResponsesCall | undefined | Promise<ResponsesCall | undefined>;

interface Item {
  readonly type: string;
  readonly output?: unknown;
  readonly role?: string;
  readonly content?: readonly { readonly text?: string; readonly encrypted_content?: string }[];
}

/** @param script one call a turn, in this order, or a function */
export async function startScriptedResponses(
  script: readonly ResponsesCall[] | ResponsesScript,
): Promise<ScriptedResponses> {
  const next: ResponsesScript = typeof script === 'function' ? script : ({ results: said }) => script[said.length];
  let results: readonly string[] = [];
  const prompts: (readonly string[])[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      if (request.url?.endsWith('/responses') !== true) {
        response.writeHead(404).end('{}');
        return;
      }
      const { input, tools = [] } = JSON.parse(body) as { input: readonly Item[]; tools?: readonly unknown[] };
      const said = input
        .filter(({ type }) => type.endsWith('_call_output'))
        .map(({ output }) => JSON.stringify(output));
      if (said.length > results.length) results = said;
      const hasTools = tools.length > 0 || input.some(({ type }) => type === 'additional_tools');
      if (hasTools) {
        prompts.push(input.flatMap(promptOf));
        requests.push(JSON.stringify(input));
      }
      const call = hasTools ? await next({ texts: input.flatMap(promptOf), results: said }) : undefined;
      const id = `turn_${String(said.length)}`;
      const item = call
        ? { id, call_id: id, ...itemOf(call) }
        : { type: 'message', role: 'assistant', id, content: [{ type: 'output_text', text: 'Done.' }] };
      const usage = {
        ...{ input_tokens: 2_000, output_tokens: 10, total_tokens: 2_010 },
        input_tokens_details: { cached_tokens: 1_500 },
        output_tokens_details: { reasoning_tokens: 0 },
      };
      const events = [
        { type: 'response.created', response: { id } },
        { type: 'response.output_item.done', item },
        { type: 'response.completed', response: { id, usage } },
      ];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/v1`,
    results: () => results,
    prompts: () => prompts,
    requests: () => requests,
    close: () => closeServer(server),
  };
}

/** Context of hooks comes as messages of a developer, and the task of a subagent as one of another agent. */
function promptOf({ type, role, content }: Item): string[] {
  if (role !== 'user' && role !== 'developer' && type !== 'agent_message') return [];
  return [(content ?? []).map(({ text: said = '', encrypted_content: more = '' }) => said + more).join('\n')];
}

function itemOf({ name, input }: ResponsesCall): object {
  return typeof input === 'string'
    ? { type: 'custom_tool_call', ...named(name), input }
    : { type: 'function_call', ...named(name), arguments: JSON.stringify(input) };
}

/** Tools of an MCP server have its namespace. */
function named(name: string): { readonly name: string; readonly namespace?: string } {
  const [, namespace, tool] = /^(mcp__\w+?)__(\w+)$/.exec(name) ?? /^(\w+)\/(\w+)$/.exec(name) ?? [];
  return namespace !== undefined && tool !== undefined ? { namespace, name: tool } : { name };
}
