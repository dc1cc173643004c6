/** MCP over Streamable HTTP: sessions for clients of the 2025 era, single requests for those of the 2026 era. */
import { isLegacyRequest } from '@modelcontextprotocol/server';
import { bodyAtMost } from './httpCaller.ts';
import type { HttpEndpoint, HttpOptions } from './httpCaller.ts';
import { httpRequests } from './httpRequests.ts';
import { httpSessions } from './httpSessions.ts';
import { refusalOf } from './notMessages.ts';

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
