/**
 * A scripted language model on this machine that reads a file, then edits it. A host started against it shows whether
 * it runs its hooks. Only for canaries.
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CanaryModel {
  /** On the loopback interface. */
  readonly url: string;
  /** The host's tool result for each call, oldest first. */
  answers(): readonly string[];
  close(): Promise<void>;
}

export interface CanaryCall {
  readonly name: string;
  readonly input: object;
}

/** The streaming API of a host's own language model. */
export interface Dialect {
  readonly url: RegExp;
  /** The texts of all tool results in a request. */
  results(body: unknown): string[];
  /** Sends a tool call, or the end of the turn. */
  stream(response: ServerResponse, call: CanaryCall | undefined): void;
}

/** @param calls one per turn, with the host's tool names */
export async function startCanaryModel(dialect: Dialect, calls: readonly CanaryCall[]): Promise<CanaryModel> {
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
