/** MCP over Streamable HTTP: sessions for clients of the 2025 era, single requests for those of the 2026 era. */
import {
  isLegacyRequest,
  createMcpHandler,
  WebStandardStreamableHTTPServerTransport,
  type McpHttpHandler,
  type EventStore,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import { openConnection, type Connection, refusalOf } from './connection.ts';
import { createServer, announceTools } from './server.ts';
import { randomUUID } from 'node:crypto';
import type { Workspace } from '../app/workspace/workspace.ts';

export function httpEndpoint(options: HttpOptions): HttpEndpoint {
  const [sessions, requests] = [httpSessions(options), httpRequests(options)];

  async function isOfSession(request: Request): Promise<boolean> {
    const known = { maxRequestBodySize: bodyAtMost };
    return request.headers.has('mcp-session-id') || isLegacyRequest(request, undefined, known);
  }

  return {
    async handle(request, caller) {
      // Longer ones, and those of unknown length, the library refuses.
      const length = Number(request.headers.get('content-length') ?? Infinity);
      const refused = length <= bodyAtMost ? refusalOf(await request.clone().text()) : null;
      if (request.method === 'POST' && refused) return Response.json(refused, { status: 400 });
      return ((await isOfSession(request)) ? sessions : requests).handle(request, caller);
    },
    async sweep() {
      await Promise.all([sessions.sweep(), requests.sweep()]);
    },
    async close() {
      await Promise.all([sessions.close(), requests.close()]);
    },
  };
}

// Requests of the 2026 era: each has a server of its own. What outlives a request belongs to its token.

interface Client extends Caller {
  readonly connection: Connection;
  readonly handler: McpHttpHandler;
  readonly used: number;
}

function httpRequests({ workspace, version, clock }: HttpOptions): HttpEndpoint {
  const clients = new Map<string, Client>();

  function open(caller: Caller): Client {
    const connection = openConnection({ workspace, version, agent: caller.agent });
    const handler = createMcpHandler(({ era }) => createServer(connection, era), {
      legacy: 'reject',
      maxRequestBodySize: bodyAtMost,
    });
    connection.onOfferChange(() => {
      handler.notify.toolsChanged();
    });
    return { ...caller, connection, handler, used: clock() };
  }

  async function end(token: string): Promise<void> {
    const client = clients.get(token);
    if (!client) return;
    clients.delete(token);
    await client.connection.close();
    await client.handler.close();
  }

  return {
    handle(request, caller) {
      const client = { ...(clients.get(caller.token) ?? open(caller)), ...caller, used: clock() };
      clients.set(caller.token, client);
      return client.handler.fetch(request);
    },
    async sweep() {
      const over = [...clients].filter(([, { used, counts }]) => clock() - used > idleMs || !counts());
      await Promise.all(over.map(([token]) => end(token)));
    },
    async close() {
      await Promise.all([...clients.keys()].map(end));
    },
  };
}

// Sessions of clients of the 2025 era: each has a server. A session belongs to the token that opened it.

interface Session extends Caller {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly connection: Connection;
  readonly used: number;
}

const perToken = 50;

function httpSessions({ workspace, version, clock }: HttpOptions): HttpEndpoint {
  /** The latest used last. */
  const sessions = new Map<string, Session>();

  async function end(id: string): Promise<void> {
    const session = sessions.get(id);
    if (!session) return;
    sessions.delete(id);
    await session.connection.close();
    await session.transport.close();
  }

  function keep(id: string, session: Session): void {
    sessions.delete(id);
    sessions.set(id, session);
    const own = [...sessions].filter(([, { token }]) => token === session.token);
    for (const [old] of own.slice(0, -perToken)) void end(old);
  }

  /** A request without a session: only one that opens a session gets more than an error. */
  async function open(request: Request, caller: Caller): Promise<Response> {
    const connection = openConnection({ workspace, version, agent: caller.agent });
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: sentMessages(),
      maxRequestBodySize: bodyAtMost,
      onsessioninitialized: (id) => {
        keep(id, { ...caller, transport, connection, used: clock() });
      },
      onsessionclosed: end,
    });
    await announceTools(connection, createServer(connection, 'legacy')).connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await connection.close();
    return response;
  }

  return {
    async handle(request, caller) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return open(request, caller);
      const session = sessions.get(id);
      // As if there were none: a client then opens a new session.
      if (session?.token !== caller.token) return notFound();
      keep(id, { ...session, used: clock() });
      return session.transport.handleRequest(request);
    },
    async sweep() {
      const over = [...sessions].filter(([, { used, counts }]) => clock() - used > idleMs || !counts());
      await Promise.all(over.map(([id]) => end(id)));
    },
    async close() {
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

function notFound(): Response {
  return Response.json(
    { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null },
    { status: 404 },
  );
}

// The latest messages of a session over HTTP: a client that lost its connection asks for those after the last it got.

const keptAtMost = 500;

interface Sent {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
}

function sentMessages(): EventStore {
  let kept: readonly Sent[] = [];
  let count = 0;
  return {
    storeEvent(stream, message) {
      const id = String((count += 1));
      kept = [...kept, { id, stream, message }].slice(-keptAtMost);
      return Promise.resolve(id);
    },
    getStreamIdForEventId: (id) => Promise.resolve(kept.find((one) => one.id === id)?.stream),
    async replayEventsAfter(id, { send }) {
      const from = kept.findIndex((one) => one.id === id);
      const stream = kept[from]?.stream ?? '';
      for (const one of kept.slice(from + 1)) if (one.stream === stream) await send(one.id, one.message);
      return stream;
    },
  };
}

export interface Caller {
  /** Names the token; not its secret. */
  readonly token: string;
  readonly agent: string;
  /** Whether the token is still valid. */
  counts(): boolean;
}

export interface HttpEndpoint {
  handle(request: Request, caller: Caller): Promise<Response>;
  /** Ends sessions that are not used any more, and those of tokens that are no longer valid. Call it every few seconds. */
  sweep(): Promise<void>;
  /** Ends all waits and sessions. */
  close(): Promise<void>;
}

export interface HttpOptions {
  readonly workspace: Workspace;
  readonly version: string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export const idleMs = 2 * 60 * 60_000;
/** Bytes of a request's body. */
export const bodyAtMost = 1_000_000;
