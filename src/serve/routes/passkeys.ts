/** Adding a passkey: the browser makes it here, and the editor's form adds it when its human types the code. */
import { createPublicKey } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod';
import { offerPasskey } from '../../app/keys/offers.ts';
import { passkeyPublicKey } from '../../core/records/passkey.ts';
import { createLimit } from '../security/limits.ts';
import type { Env, Served } from './context.ts';
import { withAnySession } from './cookie.ts';
import { jsonOf } from './json.ts';

const made = z.strictObject({
  /** SPKI DER, base64. */
  publicKey: passkeyPublicKey,
  credentialId: z.base64url().min(1).max(1_400),
  label: z.string().trim().min(1).max(60),
});

export function passkeyRoutes(served: Served): Hono<Env> {
  const { workspace, origin, challenges, clock } = served;
  const may = createLimit({ burst: 10, perMinute: 10, clock });
  const routes = new Hono<Env>();
  routes.use('/passkeys/*', withAnySession(served));
  routes.post('/passkeys/options', (context) => {
    const { hostname } = new URL(origin());
    return context.json({
      rp: { id: hostname, name: 'Holdpoint' },
      user: { id: challenges.issue(), name: hostname, displayName: 'Holdpoint' },
      challenge: challenges.issue(),
      // Ed25519, and P-256 for devices without it.
      pubKeyCredParams: [-8, -7].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      attestation: 'none',
    });
  });
  routes.post('/passkeys/offer', async (context) => {
    const given = await jsonOf(context, made);
    if (!given) return context.json({ error: 'malformed' }, 400);
    if (!may('')) return context.json({ error: 'too_many' }, 429);
    const key = createPublicKey({ key: Buffer.from(given.publicKey, 'base64'), format: 'der', type: 'spki' });
    const publicKey = key.export({ format: 'der', type: 'spki' }).toString('base64');
    const { credentialId, label } = given;
    const passkey = { origin: origin(), rpId: new URL(origin()).hostname, credentialId, label };
    return context.json({ code: offerPasskey(workspace, { publicKey, passkey, at: workspace.now() }) });
  });
  return routes;
}
