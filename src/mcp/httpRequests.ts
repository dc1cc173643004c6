/** Requests of the 2026 era: each has a server of its own. What outlives a request belongs to its token. */
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { openConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import { bodyAtMost, idleMs } from './httpCaller.ts';
import type { Caller, HttpEndpoint, HttpOptions } from './httpCaller.ts';
import { createServer } from './server.ts';

interface Client extends Caller {
  readonly connection: Connection;
  readonly handler: McpHttpHandler;
  readonly used: number;
}

export function httpRequests({ workspace, version, clock }: HttpOptions): HttpEndpoint {
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
