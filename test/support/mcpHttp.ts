/** MCP over HTTP on a port of this machine. Who may call is the web server's part: here the header is the token. */
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { httpEndpoint, type HttpEndpoint } from '../../src/mcp/httpEndpoint.ts';

export interface McpHttp {
  readonly url: URL;
  readonly endpoint: HttpEndpoint;
  /** Passes for the endpoint's clock. */
  wait(ms: number): void;
  /** Takes effect with the next sweep. */
  revoke(token: string): void;
  close(): Promise<void>;
}

/** The tokens `one` and `two` have agents of their own. */
export async function startMcpHttp(workspace: Workspace): Promise<McpHttp> {
  const revoked = new Set<string>();
  let now = 0;
  const endpoint = httpEndpoint({ workspace, version: '1.0.0', clock: () => now });
  const server = createAdaptorServer({
    fetch: (request: Request) => {
      const token = request.headers.get('authorization') ?? '';
      const agent = token === 'one' ? 'codex-001' : 'codex-002';
      return endpoint.handle(request, { token, agent, counts: () => !revoked.has(token) });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/mcp`),
    endpoint,
    wait: (ms) => (now += ms),
    revoke: (token) => void revoked.add(token),
    async close() {
      await endpoint.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
