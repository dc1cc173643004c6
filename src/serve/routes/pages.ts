/** The stream of a page, and its messages. */
import { Hono } from 'hono';
import * as z from 'zod';
import { wantedAt } from '../pages/wanted.ts';
import { passkeySignature } from '../../trust/webauthn.ts';
import { createReadCheck, withSession } from './cookie.ts';
import { jsonOf } from './json.ts';
import type { Env, Served } from './context.ts';
import { streamPage } from './pageStream.ts';

const pageId = z.uuid();
const message = z.strictObject({ message: z.unknown() });
const signature = z.strictObject({ id: z.uuid(), assertion: passkeySignature.nullable() });

export function pageRoutes(served: Served): Hono<Env> {
  const { workspace, pages } = served;
  const mayStillRead = createReadCheck(served);
  const routes = new Hono<Env>();
  routes.get('/pages/:id/events', withSession(served), (context) => {
    const id = pageId.safeParse(context.req.param('id'));
    const wanted = wantedAt(workspace, context.req.query('path') ?? '');
    if (!id.success || !wanted) return context.json({ error: 'not_found' }, 404);
    if (context.req.method === 'HEAD') return context.body(null, 200, { 'content-type': 'text/event-stream' });
    const live = pages.open(id.data, context.get('session'), wanted);
    if (!live) return context.json({ error: 'too_many' }, 429);
    return streamPage(context, { ...served, mayStillRead }, { id: id.data, live });
  });
  routes.post('/pages/:id/messages', withSession(served), async (context) => {
    const live = pages.find(context.req.param('id'), context.get('session'));
    const given = await jsonOf(context, message);
    if (!given) return context.json({ error: 'malformed' }, 400);
    if (!live) return context.json({ error: 'not_found' }, 404);
    live.receive(given.message);
    return context.body(null, 204);
  });
  routes.post('/pages/:id/signature', withSession(served), async (context) => {
    const live = pages.find(context.req.param('id'), context.get('session'));
    const given = await jsonOf(context, signature);
    if (!given) return context.json({ error: 'malformed' }, 400);
    if (!live) return context.json({ error: 'not_found' }, 404);
    live.signed(given.id, given.assertion);
    return context.body(null, 204);
  });
  return routes;
}
