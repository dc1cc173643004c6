/** Sessions of clients of the 2025 era: each has a server. A session belongs to the token that opened it. */
import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { openConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import { bodyAtMost, idleMs } from './httpCaller.ts';
import type { Caller, HttpEndpoint, HttpOptions } from './httpCaller.ts';
import { sentMessages } from './sentMessages.ts';
import { announced, createServer } from './server.ts';

interface Session extends Caller {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly connection: Connection;
  readonly used: number;
}

const perToken = 50;

export function httpSessions({ workspace, version, clock }: HttpOptions): HttpEndpoint {
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
    await announced(connection, createServer(connection, 'legacy')).connect(transport);
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
