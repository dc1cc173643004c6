/** Browsers subscribe to Web Push: pages with https, after a passkey signed in. */
import { Hono } from 'hono';
import * as z from 'zod';
import { AppError } from '../../app/workspace/errors.ts';
import {
  addSubscription,
  browserKeys,
  pushKey,
  readPushFile,
  removeSubscription,
} from '../../app/waiting/reminderFiles.ts';
import { makeVapid } from '../../channels/webPush.ts';
import type { Env, Served } from './context.ts';
import { withSession, jsonOf } from './session.ts';

const subscribed = z.object({ endpoint: z.url().max(2_000), keys: browserKeys });
const named = z.strictObject({ endpoint: z.url().max(2_000) });

export function pushRoutes(served: Served): Hono<Env> {
  const { workspace, origin } = served;
  const place = { ...workspace.options, userFolder: workspace.userFolder };
  const routes = new Hono<Env>();
  routes.use('/push/*', withSession(served), async (context, next) => {
    if (!origin().startsWith('https:')) return context.json({ error: 'needs_https' }, 404);
    if (context.get('session').keyid === null) return context.json({ error: 'needs_passkey' }, 403);
    await next();
  });
  routes.get('/push/key', (context) => context.json({ publicKey: pushKey(place, makeVapid) }));
  // The server may have removed a subscription that the browser still has.
  routes.post('/push/state', async (context) => {
    const given = await jsonOf(context, named);
    const id = workspace.standing().state?.workspace?.id;
    const subscriptions = readPushFile(place)?.subscriptions ?? [];
    const subscribed = subscriptions.some((one) => one.endpoint === given.endpoint && one.workspace === id);
    return context.json({ subscribed });
  });
  routes.post('/push/subscribe', async (context) => {
    const { endpoint, keys } = await jsonOf(context, subscribed);
    const { state } = workspace.standing();
    const { keyid } = context.get('session');
    if (!state?.workspace || keyid === null) return context.json({ error: 'malformed' }, 400);
    const owner = { origin: origin(), workspace: state.workspace.id, keyid, addedAt: workspace.now() };
    try {
      addSubscription(place, { endpoint, keys, ...owner });
      return context.body(null, 204);
    } catch (error) {
      if (error instanceof AppError) return context.json({ error: 'not_allowed' }, 400);
      throw error;
    }
  });
  routes.post('/push/end', async (context) => {
    removeSubscription(place, (await jsonOf(context, named)).endpoint);
    return context.body(null, 204);
  });
  return routes;
}
