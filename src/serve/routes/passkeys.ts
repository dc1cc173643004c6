/** Adding a passkey: the browser makes it here, and the editor's form adds it when its human types the code. */
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod';
import { offerPasskey } from '../../app/keys/offers.ts';
import { createLimit } from '../security/limits.ts';
import { algorithms, registeredPasskey, registration } from '../security/registration.ts';
import type { Env, Served } from './context.ts';
import { withAnySession } from './cookie.ts';
import { jsonOf } from './json.ts';

const made = z.strictObject({ registration, label: z.string().trim().min(1).max(60) });

/** Of challenges: a new passkey of one session, so that no login and no other session's counts. */
const forSession = (id: string) => `passkey ${id}`;

export function passkeyRoutes(served: Served): Hono<Env> {
  const { workspace, origin, challenges, clock } = served;
  const may = createLimit({ burst: 10, perMinute: 10, clock });
  const routes = new Hono<Env>();
  routes.use('/passkeys/*', withAnySession(served));
  routes.post('/passkeys/options', (context) => {
    const { hostname } = new URL(origin());
    return context.json({
      rp: { id: hostname, name: 'Holdpoint' },
      user: { id: randomBytes(16).toString('base64url'), name: hostname, displayName: 'Holdpoint' },
      challenge: challenges.issue(forSession(context.get('session').id)),
      pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      attestation: 'none',
    });
  });
  routes.post('/passkeys/offer', async (context) => {
    const given = await jsonOf(context, made);
    if (!given) return context.json({ error: 'malformed' }, 400);
    if (!may('')) return context.json({ error: 'too_many' }, 429);
    const owner = forSession(context.get('session').id);
    const registered = await registeredPasskey(given.registration, {
      isChallenge: (challenge) => challenges.use(challenge, owner),
      origin: origin(),
    });
    if (!registered) return context.json({ error: 'wrong_passkey' }, 403);
    const { publicKey, credentialId } = registered;
    const home = { origin: origin(), rpId: new URL(origin()).hostname };
    const offer = { publicKey, passkey: { ...home, credentialId, label: given.label }, at: workspace.now() };
    return context.json({ code: offerPasskey(workspace, offer) });
  });
  return routes;
}
