/** MCP over Streamable HTTP: a server for each session of a client. A session belongs to the token that opened it. */
import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Workspace } from '../app/workspace/workspace.ts';
import { sentMessages } from './sentMessages.ts';
import { createServer } from './server.ts';
import type { RunningServer } from './server.ts';

export interface Caller {
  /** Names the token; not its secret. */
  readonly token: string;
  readonly agent: string;
  /** Whether the token still counts. */
  counts(): boolean;
}

export interface HttpSessions {
  handle(request: Request, caller: Caller): Promise<Response>;
  /** Ends sessions that are not used any more, and those of tokens that no longer count. Call it every few seconds. */
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

interface Session extends Caller {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: RunningServer;
  readonly used: number;
}

const idleMs = 2 * 60 * 60_000;
const perToken = 50;
const bodyAtMost = 1_000_000;

export function httpSessions({ workspace, version, clock }: HttpOptions): HttpSessions {
  /** The latest used last. */
  const sessions = new Map<string, Session>();

  async function end(id: string): Promise<void> {
    const session = sessions.get(id);
    if (!session) return;
    sessions.delete(id);
    await session.server.close();
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
    const server = createServer({ workspace, version, agent: caller.agent });
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: sentMessages(),
      maxRequestBodySize: bodyAtMost,
      onsessioninitialized: (id) => {
        keep(id, { ...caller, transport, server, used: clock() });
      },
      onsessionclosed: end,
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
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
