/** The routes behind the guard. Further families of routes are added here. */
import { Hono } from 'hono';
import { apiRoutes } from './api/api.ts';
import type { ApiOptions } from './api/calls.ts';
import { documentRoutes } from './routes/documents.ts';
import { editorRoutes } from './routes/editor.ts';
import { fileRoutes } from './routes/files.ts';
import { mcpRoutes } from './routes/mcp.ts';
import { pageRoutes } from './routes/pages.ts';
import { passkeyRoutes } from './routes/passkeys.ts';
import { pushRoutes } from './routes/push.ts';
import { sessionRoutes } from './routes/session.ts';
import type { Env, Served } from './routes/context.ts';
import { guard } from './security/guard.ts';

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
    console.error(error);
    return context.text('This failed.', 500);
  });
  return app;
}
