/**
 * Opening and ending a session: with a passkey, or with a one-time code. A session that a code opened reads only until
 * the first passkey of this address counts; then it can only add another one.
 */
import { Hono } from 'hono';
import * as z from 'zod';
import { passkeySignature } from '../../trust/webauthn.ts';
import { isSignedBy, passkeysAt } from '../kit/passkeys.ts';
import { addressOf } from '../security/address.ts';
import { createLimit } from '../security/limits.ts';
import type { Env, Served } from './context.ts';
import { dropCookie, mayRead, readCookie, withAnySession, writeCookie } from './cookie.ts';
import { jsonOf } from './json.ts';

const typed = z.strictObject({ code: z.string().min(1).max(100) });
const signed = z.strictObject({
  challenge: z.base64url().max(200),
  credentialId: z.base64url().max(1_400),
  assertion: passkeySignature,
});

export function sessionRoutes(served: Served): Hono<Env> {
  const { workspace, sessions, codes, pages, clock, challenges, origin } = served;
  const mayTry = createLimit({ burst: 10, perMinute: 10, clock });
  // One attacker may have many addresses: this is still too little to find a code.
  const mayTryInAll = createLimit({ burst: 600, perMinute: 600, clock });
  const mayFail = createLimit({ burst: 60, perMinute: 60, clock });
  const routes = new Hono<Env>();
  routes.get('/session', withAnySession(served), (context) => {
    const session = context.get('session');
    return context.json({ reads: mayRead(served, session), passkey: session.keyid !== null });
  });
  routes.post('/session', async (context) => {
    const given = await jsonOf(context, typed);
    if (!given) return context.json({ error: 'malformed' }, 400);
    if (!mayTry(addressOf(context, served)) || !mayTryInAll('')) return context.json({ error: 'too_many' }, 429);
    if (!codes.redeem(given.code)) return context.json({ error: 'wrong_code' }, 403);
    writeCookie(context, served, sessions.open(null, readCookie(context, served)));
    return context.json({});
  });
  routes.post('/session/challenge', (context) =>
    context.json({
      challenge: challenges.issue(),
      rpId: new URL(origin()).hostname,
      allowCredentials: passkeysAt(workspace, origin()).map(({ passkey }) => ({
        type: 'public-key',
        id: passkey.credentialId,
      })),
      userVerification: 'required',
    }),
  );
  routes.post('/session/passkey', async (context) => {
    const given = await jsonOf(context, signed);
    if (!given) return context.json({ error: 'malformed' }, 400);
    const pin = passkeysAt(workspace, origin()).find(({ passkey }) => passkey.credentialId === given.credentialId);
    // A signature cannot be guessed: one that counts is never refused for the failures of others.
    if (!pin || !isSignedBy(pin, given.challenge, given.assertion) || !challenges.use(given.challenge))
      return mayFail(addressOf(context, served))
        ? context.json({ error: 'wrong_passkey' }, 403)
        : context.json({ error: 'too_many' }, 429);
    writeCookie(context, served, sessions.open(pin.keyid, readCookie(context, served)));
    return context.json({});
  });
  routes.post('/session/end', withAnySession(served), (context) => {
    pages.endOf(context.get('session'));
    sessions.end(readCookie(context, served));
    dropCookie(context, served);
    return context.json({});
  });
  return routes;
}
