/**
 * An MCP server that is not Holdpoint's, over standard input and output. It writes each call it receives to a log, so
 * that tests see whether a denied call reached it. Hosts run this file with Node: `node foreignMcp.ts LOG`.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface ForeignCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** How a host starts it. */
export function foreignMcp(log: string): { readonly command: string; readonly args: string[] } {
  return { command: process.execPath, args: [import.meta.filename, log] };
}

/** The calls of tools that reached it, oldest first. */
export function foreignCalls(log: string): ForeignCall[] {
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ForeignCall);
}

const text = { type: 'string' };
const tools = [
  {
    name: 'put_note',
    description: 'Writes a text to the file at a path.',
    inputSchema: { type: 'object', properties: { path: text, text }, required: ['path', 'text'] },
  },
  { name: 'ping', description: 'Replies "pong".', inputSchema: { type: 'object', properties: {} } },
];

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
  };
}

function resultOf({ method, params = {} }: Request, log: string): object {
  if (method === 'initialize')
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'foreign', version: '1' },
    };
  if (method === 'tools/list') return { tools };
  if (method !== 'tools/call') return {};
  const { name = '', arguments: input = {} } = params;
  appendFileSync(log, `${JSON.stringify({ tool: name, input } satisfies ForeignCall)}\n`);
  if (name === 'put_note') writeFileSync(String(input['path']), String(input['text']));
  return { content: [{ type: 'text', text: name === 'put_note' ? 'noted' : 'pong' }] };
}

async function serve(log: string): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as Request;
    if (request.id === undefined) continue;
    console.log(JSON.stringify({ jsonrpc: '2.0', id: request.id, result: resultOf(request, log) }));
  }
}

if (import.meta.main) await serve(process.argv[2] ?? '');
