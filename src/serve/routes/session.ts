/** Opening and ending a session. A one-time code opens one only until the first passkey exists. */
import { Hono } from 'hono';
import * as z from 'zod';
import { dropCookie, readCookie, withSession, writeCookie } from './cookie.ts';
import { createLimit } from '../security/limits.ts';
import { jsonOf } from './json.ts';
import type { Env, Served } from './context.ts';

const typed = z.strictObject({ code: z.string().min(1).max(100) });

export function sessionRoutes(served: Served): Hono<Env> {
  const { sessions, codes, pages, clock } = served;
  // For all addresses together: one attacker may have many.
  const may = createLimit({ burst: 10, perMinute: 10, clock });
  const routes = new Hono<Env>();
  routes.get('/session', withSession(served), (context) => context.json({ passkey: context.get('session').keyid }));
  routes.post('/session', async (context) => {
    const given = await jsonOf(context, typed);
    if (!given) return context.json({ error: 'malformed' }, 400);
    if (!may('')) return context.json({ error: 'too_many' }, 429);
    if (!codes.redeem(given.code)) return context.json({ error: 'wrong_code' }, 403);
    writeCookie(context, served, sessions.open(null, readCookie(context, served)));
    return context.json({});
  });
  routes.post('/session/end', withSession(served), (context) => {
    pages.endOf(context.get('session'));
    sessions.end(readCookie(context, served));
    dropCookie(context, served);
    return context.json({});
  });
  return routes;
}
