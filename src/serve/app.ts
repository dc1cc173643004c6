/** The routes behind the guard. Further families of routes are added here. */
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { apiRoutes } from './api/api.ts';
import type { ApiOptions } from './api/toolCall.ts';
import { documentRoutes, fileRoutes } from './routes/documents.ts';
import { pageRoutes, pushRoutes } from './routes/pages.ts';
import { passkeyRoutes, sessionRoutes, jsonOf, type Env, type Served } from './routes/session.ts';
import { guard, createLimit } from './security/guard.ts';
import { createHash } from 'node:crypto';
import { withToken, type ProgramEnv } from './security/sessions.ts';
import { editorProof, editorRequest, isSameProof, serverProof } from '../app/serving/editorLink.ts';

export function createApp(served: Served & ApiOptions): Hono<Env> {
  const app = new Hono<Env>();
  guard(app, served);
  app.route('/api', apiRoutes(served));
  app.route('/', mcpRoutes(served));
  app.route('/', fileRoutes(served));
  app.route('/', editorRoutes(served));
  app.route('/', sessionRoutes(served));
  app.route('/', passkeyRoutes(served));
  app.route('/', pushRoutes(served));
  app.route('/', pageRoutes(served));
  app.route('/', documentRoutes(served));
  app.notFound((context) => context.text('There is nothing here.', 404));
  // What went wrong is for the terminal, not for browsers.
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse();
    console.error(error);
    return context.text('This failed.', 500);
  });
  return app;
}

// MCP over Streamable HTTP, for agents that cannot start a program next to the workspace. A token names the agent.

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

// What the editor asks: whether the program on this port is the one that it looks for, a one-time code, and its end.

const endAfterMs = 100;

export function editorRoutes({ workspace, codes, origin, clock, editor }: Served): Hono<Env> {
  const routes = new Hono<Env>();
  if (!editor) return routes;
  const { secret, byEditor, end } = editor;
  const may = createLimit({ burst: 30, perMinute: 60, clock });
  routes.post('/editor', async (context) => {
    if (!may('')) return context.json({ error: 'too_many' }, 429);
    const given = await jsonOf(context, editorRequest);
    const asked = { origin: origin(), ask: given.ask, nonce: given.nonce };
    if (!isSameProof(given.proof, editorProof(secret, asked))) return context.json({ error: 'wrong_proof' }, 403);
    const code = given.ask === 'code' ? { code: codes.issue() } : {};
    const reply = { folder: workspace.location.root, byEditor, ...code };
    if (given.ask === 'end') setTimeout(end, endAfterMs);
    return context.json({ ...reply, proof: serverProof(secret, asked, reply) });
  });
  return routes;
}
