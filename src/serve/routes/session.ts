/** What routes share; and opening and ending a session. */
import type { Workspace } from '../../app/workspace/workspace.ts';
import type { HttpEndpoint } from '../../mcp/httpEndpoint.ts';
import type { Folders } from '../../ui/kit/folders.ts';
import type { InboxFeed } from '../pages/inbox.ts';
import type { LivePages } from '../pages/livePages.ts';
import {
  type Challenges,
  isSignedBy,
  passkeysAt,
  algorithms,
  registeredPasskey,
  registration,
} from '../security/passkeys.ts';
import { type AddressOptions, addressOf, createLimit } from '../security/guard.ts';
import type { Codes, Session, Sessions } from '../security/sessions.ts';
import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { passkeySignature } from '../../trust/webauthn.ts';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { jsonOrNull } from '../../core/kit/quickChecks.ts';
import type { PasskeyPin } from '../../app/decision/passkey.ts';
import { randomBytes } from 'node:crypto';
import { offerCode, offerPasskey, type PasskeyOffer, readPasskeyOffers } from '../../app/keys/acts.ts';

export interface EditorLink {
  readonly secret: string;
  readonly byEditor: boolean;
  readonly end: () => void;
}

export interface Served extends AddressOptions {
  readonly workspace: Workspace;
  readonly folders: Folders;
  readonly pages: LivePages;
  readonly inbox: InboxFeed;
  readonly sessions: Sessions;
  readonly codes: Codes;
  readonly challenges: Challenges;
  readonly mcp: HttpEndpoint;
  /** What browsers call the server. */
  readonly origin: () => string;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** The editor's way to this server; null beyond this machine. */
  readonly editor: EditorLink | null;
  readonly assets: string;
}

/** Set by the middleware that requires a session, and by the one that writes headers. */
export interface Env {
  readonly Variables: {
    readonly session: Session;
    readonly secureHeadersNonce?: string;
  };
}

// Opening and ending a session: with a passkey, or with a one-time code. A session that a code opened reads only
// until the first passkey of this address is trusted; then it can only add another one.

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
    const pin = passkeysAt(workspace, origin()).find(({ passkey }) => passkey.credentialId === given.credentialId);
    // A signature cannot be guessed: a valid one is never refused for the failures of others.
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

// The cookie of a session. Cookies know no ports, so that its name has the port.

type Origin = Pick<Served, 'origin'>;

function cookieOf({ origin }: Origin): { readonly name: string; readonly isTls: boolean } {
  const { protocol, port } = new URL(origin());
  const isTls = protocol === 'https:';
  return { isTls, name: `${isTls ? '__Host-' : ''}holdpoint-${port === '' ? '443' : port}` };
}

export function readCookie(context: Context, served: Origin): string | undefined {
  return getCookie(context, cookieOf(served).name);
}

export function writeCookie(context: Context, served: Origin, secret: string): void {
  const { name, isTls } = cookieOf(served);
  setCookie(context, name, secret, { httpOnly: true, sameSite: 'Strict', secure: isTls, path: '/' });
}

export function dropCookie(context: Context, served: Origin): void {
  const { name, isTls } = cookieOf(served);
  deleteCookie(context, name, { path: '/', secure: isTls });
}

/** A session of a passkey reads while the passkey is trusted, and one of a code while there is no passkey. */
export function mayRead({ workspace, origin }: Served, session: Session): boolean {
  return readsWith(passkeysAt(workspace, origin()), session);
}

function readsWith(passkeys: readonly PasskeyPin[], { keyid }: Session): boolean {
  return keyid === null ? passkeys.length === 0 : passkeys.some((pin) => pin.keyid === keyid);
}

/** Many streams are sent something at the same time: they share a look at the keys for this long. Milliseconds. */
const sharedMs = 50;

/** Whether a session has not ended and may still read, for streams that stay open: they renew no session. */
export function createReadCheck({ workspace, origin, sessions, clock }: Served): (session: Session) => boolean {
  let seen: { readonly at: number; readonly passkeys: readonly PasskeyPin[] } | null = null;
  return (session) => {
    if (!sessions.isOpen(session)) return false;
    try {
      const now = clock();
      if (seen === null || now - seen.at > sharedMs) seen = { at: now, passkeys: passkeysAt(workspace, origin()) };
      return readsWith(seen.passkeys, session);
    } catch (error) {
      console.error(error);
      return false;
    }
  };
}

/** Answers 401 without a session that may read. */
export const withSession = (served: Served) => requireSession(served, (session) => mayRead(served, session));
/** Answers 401 without a session. */
export const withAnySession = (served: Served) => requireSession(served, () => true);

function requireSession(served: Served, isEnough: (session: Session) => boolean) {
  return createMiddleware<Env>(async (context, next) => {
    const session = served.sessions.find(readCookie(context, served));
    if (!session || !isEnough(session)) return context.json({ error: 'signed_out' }, 401);
    context.set('session', session);
    await next();
  });
}

/** The body. @throws HTTPException that answers 400 if it does not have the shape */
export async function jsonOf<T>(context: Context, schema: z.ZodType<T>): Promise<T> {
  const { data, success } = schema.safeParse(jsonOrNull(await context.req.text().catch(() => '')));
  if (!success) throw new HTTPException(400, { res: context.json({ error: 'malformed' }, 400) });
  return data;
}

// Adding a passkey: the browser makes it here, and the editor's form adds it when its human types the code.

const made = z.strictObject({ registration, label: z.string().trim().min(1).max(60) });

/** Of challenges: a new passkey of one session, so that no login and no other session's is valid. */
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
    if (!may('')) return context.json({ error: 'too_many' }, 429);
    const owner = forSession(context.get('session').id);
    const registered = registeredPasskey(given.registration, {
      isChallenge: (challenge) => challenges.use(challenge, owner),
      origin: origin(),
    });
    if (!registered) return context.json({ error: 'wrong_passkey' }, 403);
    const { publicKey, credentialId } = registered;
    const home = { origin: origin(), rpId: new URL(origin()).hostname };
    const offer = { publicKey, passkey: { ...home, credentialId, label: given.label }, at: workspace.now() };
    return context.json({ code: offerPasskey(workspace, offer) });
  });
  routes.get('/passkeys/offers/:code', (context) => {
    const isIt = (one: Pick<PasskeyOffer, 'publicKey' | 'passkey'>) => offerCode(one) === context.req.param('code');
    if (passkeysAt(workspace, origin()).some(isIt)) return context.json({ offer: 'added' });
    return context.json({ offer: readPasskeyOffers(workspace).some(isIt) ? 'waits' : 'gone' });
  });
  return routes;
}
