/** MCP over Streamable HTTP, for agents that cannot start a program beside the workspace. A token names the agent. */
import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { withToken } from '../security/tokens.ts';
import type { ProgramEnv } from '../security/tokens.ts';
import type { Served } from './context.ts';

export function mcpRoutes({ workspace, clock, mcp, behindProxy }: Served): Hono<ProgramEnv> {
  const routes = new Hono<ProgramEnv>();
  routes.all('/mcp', withToken({ workspace, clock, behindProxy, host: 'mcp' }), (context) => {
    const token = createHash('sha256')
      .update(context.req.header('authorization') ?? '')
      .digest('hex');
    const { agent, isStillAllowed } = context.var;
    return mcp.handle(context.req.raw, { token, agent: agent.actor.id, counts: isStillAllowed });
  });
  return routes;
}
