/** MCP over Streamable HTTP: sessions for clients of the 2025 era, single requests for those of the 2026 era. */
import {
  isLegacyRequest,
  createMcpHandler,
  WebStandardStreamableHTTPServerTransport,
  type McpHttpHandler,
  type EventStore,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import { openConnection, refusalOf } from './connection.ts';
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

/** What lasts longer than a request, the latest used last. */
interface Kept extends Caller {
  readonly used: number;
  /** Ends its waits. */
  end(): Promise<void>;
}

function keepClients<K extends Kept>(clock: () => number) {
  const kept = new Map<string, K>();

  async function end(name: string): Promise<void> {
    const one = kept.get(name);
    kept.delete(name);
    await one?.end();
  }

  return {
    get: (name: string) => kept.get(name),
    set(name: string, one: K): void {
      kept.delete(name);
      kept.set(name, one);
    },
    namesOf: (token: string) => [...kept].filter(([, one]) => one.token === token).map(([name]) => name),
    end,
    async sweep(): Promise<void> {
      const over = [...kept].filter(([, { used, counts }]) => clock() - used > idleMs || !counts());
      await Promise.all(over.map(([name]) => end(name)));
    },
    async close(): Promise<void> {
      await Promise.all([...kept.keys()].map(end));
    },
  };
}

// Requests of the 2026 era: each has a server of its own. What outlives a request belongs to its token.

interface Client extends Kept {
  readonly handler: McpHttpHandler;
}

function httpRequests({ workspace, version, clock }: HttpOptions): HttpEndpoint {
  const clients = keepClients<Client>(clock);

  function open(caller: Caller): Client {
    const connection = openConnection({ workspace, version, agent: caller.agent });
    const handler = createMcpHandler(({ era }) => createServer(connection, era), {
      legacy: 'reject',
      maxRequestBodySize: bodyAtMost,
    });
    connection.onOfferChange(() => {
      handler.notify.toolsChanged();
    });
    const end = async () => {
      await connection.close();
      await handler.close();
    };
    return { ...caller, handler, end, used: clock() };
  }

  return {
    handle(request, caller) {
      const client = { ...(clients.get(caller.token) ?? open(caller)), ...caller, used: clock() };
      clients.set(caller.token, client);
      return client.handler.fetch(request);
    },
    sweep: clients.sweep,
    close: clients.close,
  };
}

// Sessions of clients of the 2025 era: each has a server. A session belongs to the token that opened it.

interface Session extends Kept {
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

const perToken = 50;

function httpSessions({ workspace, version, clock }: HttpOptions): HttpEndpoint {
  const sessions = keepClients<Session>(clock);

  function keep(id: string, session: Session): void {
    sessions.set(id, session);
    for (const old of sessions.namesOf(session.token).slice(0, -perToken)) void sessions.end(old);
  }

  /** A request without a session: only one that opens a session gets more than an error. */
  async function open(request: Request, caller: Caller): Promise<Response> {
    const connection = openConnection({ workspace, version, agent: caller.agent });
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: sentMessages(),
      maxRequestBodySize: bodyAtMost,
      onsessioninitialized: (id) => {
        keep(id, { ...caller, transport, end, used: clock() });
      },
      onsessionclosed: sessions.end,
    });
    const end = async () => {
      await connection.close();
      await transport.close();
    };
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
    sweep: sessions.sweep,
    close: sessions.close,
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
