/**
 * Runs the host itself in a canary's environment: with the hook that setup writes, a scripted model on this machine,
 * and a separate home. Needs no account and sends nothing off the machine. If the hook does not stop the edit, Claude
 * Code's own permissions do; Gemini CLI, which offers no edits without permission, changes the canary's file.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collected, type Ground } from './canary.ts';
import { hosts } from '../hosts.ts';
import { programOf } from './found.ts';
import { partsOf } from './hostFiles.ts';
import type { Place, SetupName } from './place.ts';
import type { CanaryTool } from '../host.ts';

export type HostRun =
  /** The program is not installed. */
  | null
  /** The host ran the hook, which denied the edit because of the hold. */
  | { readonly code: 'hostDenied'; readonly about: string }
  /** The host went on, or proceeded to its own permission check: it does not run the hook. */
  | { readonly code: 'hostGoesOn'; readonly about: string }
  /** The host did not attempt the edit. */
  | { readonly code: 'hostUnclear'; readonly about: string };

/** Hosts start slowly, especially the first time. Milliseconds. */
const lateMs = 90_000;

/** Null where the program is not installed, or needs an account. */
export async function runHost(place: Place, host: SetupName, ground: Ground): Promise<HostRun> {
  if (host === 'git') return null;
  const { run: start, signs, canary } = hosts[host].setup;
  const program = start && programOf(place, signs.program);
  if (!start || program === undefined) return null;
  const part = partsOf({ ...place, workspace: ground.folder }, host).find(({ kind }) => kind === 'hook');
  if (!part) return null;
  write(part.file, part.add(null));
  for (const [file, content] of Object.entries(start.home?.(ground.folder) ?? {}))
    write(path.join(ground.home, file), JSON.stringify(content));
  const { read: reading, edit } = canary(path.join(ground.folder, 'held.txt'));
  const model = await startCanaryModel(dialects[start.model], [reading, edit]);
  try {
    const kept = Object.entries(ground.env).filter(([name]) => !start.cleared.test(name));
    const env = { ...Object.fromEntries(kept), ...start.env(model.url), NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' };
    const ran = await collected(spawn(program, start.args, { cwd: ground.folder, env, windowsHide: true }), '', lateMs);
    const [read, edited] = model.answers();
    if (read === undefined || edited === undefined || read.includes(ground.secret))
      return { code: 'hostUnclear', about: `${program}: ${ran.said.trim().slice(-200)}` };
    return { code: edited.includes(ground.secret) ? 'hostDenied' : 'hostGoesOn', about: program };
  } finally {
    await model.close();
  }
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

interface CanaryModel {
  /** On the loopback interface. */
  readonly url: string;
  /** The host's tool result for each call, oldest first. */
  answers(): readonly string[];
  close(): Promise<void>;
}

/** The streaming API of a host's own language model. */
interface Dialect {
  readonly url: RegExp;
  /** The texts of all tool results in a request. */
  results(body: unknown): string[];
  /** Sends a tool call, or the end of the turn. */
  stream(response: ServerResponse, call: CanaryTool | undefined): void;
}

/** @param calls one per turn, with the host's tool names */
export async function startCanaryModel(dialect: Dialect, calls: readonly CanaryTool[]): Promise<CanaryModel> {
  let answers: readonly string[] = [];
  const server = createServer((request, response) => {
    reply(request, response).catch(() => response.destroy());
  });

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (!dialect.url.test(request.url ?? '')) {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"error":{"code":404,"type":"not_found_error","message":"not found"}}');
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { tools?: unknown[] };
    const offered = (body.tools ?? []).length > 0;
    const said = dialect.results(body);
    if (said.length > answers.length) answers = said;
    dialect.stream(response, offered ? calls[said.length] : undefined);
  }

  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    answers: () => answers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

// How it speaks to each host that can be started without an account.

/** The messages API of api.anthropic.com, for Claude Code. */
const anthropic: Dialect = {
  url: /^\/v1\/messages(?:\?|$)/,
  results: (body) => ((body as { messages?: unknown[] }).messages ?? []).flatMap(toolResults),
  stream,
};

function toolResults(message: unknown): string[] {
  const { content } = message as { content?: unknown };
  if (!Array.isArray(content)) return [];
  return (content as readonly { type?: unknown; content?: unknown }[])
    .filter(({ type }) => type === 'tool_result')
    .map((block) => JSON.stringify(block.content ?? ''));
}

function stream(response: ServerResponse, call: CanaryTool | undefined): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const id = `canary_${String(Date.now())}`;
  const head = { id, type: 'message', role: 'assistant', model: 'canary', content: [], stop_reason: null };
  send('message_start', { message: { ...head, stop_sequence: null, usage } });
  const [start, delta] = call
    ? [
        { type: 'tool_use', id, name: call[0], input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(call[1]) },
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
const gemini: Dialect = {
  url: /^\/v1\w*\/models\/[^/]+:streamGenerateContent(?:\?|$)/,
  results: (body) =>
    ((body as { contents?: readonly { parts?: readonly { functionResponse?: unknown }[] }[] }).contents ?? []).flatMap(
      ({ parts = [] }) =>
        parts.flatMap(({ functionResponse }) =>
          functionResponse === undefined ? [] : [JSON.stringify(functionResponse)],
        ),
    ),
  stream(response, call) {
    const parts = call ? [{ functionCall: { name: call[0], args: call[1] } }] : [{ text: 'Done.' }];
    const candidate = { content: { role: 'model', parts }, finishReason: 'STOP', index: 0 };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.end(`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\n\n`);
  },
};

export const dialects = { anthropic, gemini };
