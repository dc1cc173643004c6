/** The cookie of a session. Cookies know no ports, so that its name has the port. */
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { Context } from 'hono';
import type { PasskeyPin } from '../../app/decision/passkey.ts';
import { passkeysAt } from '../kit/passkeys.ts';
import type { Session } from '../security/sessions.ts';
import type { Env, Served } from './context.ts';

type Origin = Pick<Served, 'origin'>;

function named({ origin }: Origin): { readonly name: string; readonly isTls: boolean } {
  const { protocol, port } = new URL(origin());
  const isTls = protocol === 'https:';
  return { isTls, name: `${isTls ? '__Host-' : ''}holdpoint-${port === '' ? '443' : port}` };
}

export function readCookie(context: Context, served: Origin): string | undefined {
  return getCookie(context, named(served).name);
}

export function writeCookie(context: Context, served: Origin, secret: string): void {
  const { name, isTls } = named(served);
  setCookie(context, name, secret, { httpOnly: true, sameSite: 'Strict', secure: isTls, path: '/' });
}

export function dropCookie(context: Context, served: Origin): void {
  const { name, isTls } = named(served);
  deleteCookie(context, name, { path: '/', secure: isTls });
}

/** A session of a passkey reads while the passkey counts, and one of a code while there is no passkey. */
export function mayRead({ workspace, origin }: Served, session: Session): boolean {
  return readsWith(passkeysAt(workspace, origin()), session);
}

function readsWith(passkeys: readonly PasskeyPin[], { keyid }: Session): boolean {
  return keyid === null ? passkeys.length === 0 : passkeys.some((pin) => pin.keyid === keyid);
}

/** Many streams are sent something at once: they share a look at the keys for this long. Milliseconds. */
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
export function withSession(served: Served) {
  return createMiddleware<Env>(async (context, next) => {
    const session = served.sessions.find(readCookie(context, served));
    if (!session || !mayRead(served, session)) return context.json({ error: 'signed_out' }, 401);
    context.set('session', session);
    await next();
  });
}

/** Answers 401 without a session. */
export function withAnySession(served: Served) {
  return createMiddleware<Env>(async (context, next) => {
    const session = served.sessions.find(readCookie(context, served));
    if (!session) return context.json({ error: 'signed_out' }, 401);
    context.set('session', session);
    await next();
  });
}
