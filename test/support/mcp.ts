/** The built MCP server, called by the official client. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { dataKey } from '../../src/mcp/server.ts';
import { root } from './host.ts';
import { checkOutput } from './outputs.ts';

export interface Place {
  readonly folder: string;
  readonly home: string;
}

export interface StartOptions {
  /** The client's name. */
  readonly name?: string;
  readonly node?: string;
  /** Program and arguments before `--workspace`. */
  readonly program?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Mcp {
  readonly client: Client;
  readonly pid: number;
  /** Calls a tool; returns its text and data. */
  call(name: string, input?: object): Promise<Result>;
  /** Kills the program without notice. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface Result {
  readonly text: string;
  readonly isError: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

const dist = (file: string) => path.join(root, 'dist', file);
export const serverProgram = [dist('mcp.cjs')];
export const cliProgram = [dist('cli.cjs'), 'mcp'];

function command(place: Place, options: StartOptions) {
  return {
    command: options.node ?? process.execPath,
    args: [...(options.program ?? serverProgram), '--workspace', place.folder, ...(options.args ?? [])],
    env: environment(place, options.env),
  };
}

export function environment({ home }: Place, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, USERPROFILE: home, LOCALAPPDATA: home, ...more };
}

export async function startMcp(place: Place, options: StartOptions = {}): Promise<Mcp> {
  const transport = new StdioClientTransport({ ...command(place, options), stderr: 'inherit' });
  const client = new Client({ name: options.name ?? 'codex-mcp-client', version: '1.0.0' }, { capabilities: {} });
  const closed = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  await client.connect(transport);
  const pid = transport.pid!;
  return {
    client,
    pid,
    async call(name, input = {}) {
      const result = resultOf((await client.callTool({ name, arguments: { ...input } })) as CallToolResult);
      checkOutput(result.data);
      assert.doesNotMatch(result.text, /holdpoint (?:question|rfc|work|request|gate) /, 'tools advise tools');
      return result;
    },
    async kill() {
      process.kill(pid, 'SIGKILL');
      await closed;
    },
    close: () => client.close(),
  };
}

export function resultOf({ content, structuredContent, _meta, isError = false }: CallToolResult): Result {
  assert.equal(structuredContent, undefined, 'hosts give it to their models');
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { text, isError, data: (_meta?.[dataKey] ?? {}) as Result['data'] };
}

export interface RawMcp {
  readonly child: ChildProcessWithoutNullStreams;
  /** All lines of standard output so far. */
  readonly lines: readonly string[];
  readonly errors: () => string;
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  send(message: object): void;
  /** The answer to a request. */
  answer(id: number): Promise<Record<string, unknown>>;
}

/** The same program without a client, to test its standard output and exit. */
export function startRaw(place: Place, options: StartOptions = {}): RawMcp {
  const { command: program, args, env } = command(place, options);
  const child = spawn(program, args, { env, stdio: 'pipe' });
  const lines: string[] = [];
  const waiting = new Map<number, (message: Record<string, unknown>) => void>();
  const answers = new Map<number, Record<string, unknown>>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const message = JSON.parse(line) as Record<string, unknown>;
    if (typeof message['id'] !== 'number') return;
    answers.set(message['id'], message);
    waiting.get(message['id'])?.(message);
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return {
    child,
    lines,
    errors: () => errors,
    exit: new Promise((resolve) => {
      child.once('close', (code, signal) => {
        resolve({ code, signal });
      });
    }),
    send: (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    answer(id) {
      const known = answers.get(id);
      return known ? Promise.resolve(known) : new Promise((resolve) => waiting.set(id, resolve));
    },
  };
}

/** Sends a client's first messages. */
export function greet(raw: RawMcp): void {
  raw.send({
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    },
  });
  raw.send({ method: 'notifications/initialized' });
}

export function callMessage(id: number, name: string, input: object): object {
  return { id, method: 'tools/call', params: { name, arguments: input } };
}
