/** What every request passes before a route sees it. */
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { NONCE, secureHeaders } from 'hono/secure-headers';
import type { Hono } from 'hono';
import { addressOf, connectionOf } from './address.ts';
import type { AddressOptions } from './address.ts';
import { createLimit } from './limits.ts';

export interface GuardOptions extends AddressOptions {
  /** What browsers call the server: the only `Origin`, and the only `Host`. */
  readonly origin: () => string;
  readonly clock: () => number;
}

const bodyAtMost = 1_000_000;
/** Requests here carry a token, which no browser sends by itself: programs need not send an `Origin`. */
const forPrograms = /^\/(?:api|mcp)(?:\/|$)/;

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export function guard(app: Hono<any>, { origin, clock, behindProxy }: GuardOptions): void {
  const may = createLimit({ burst: 400, perMinute: 12_000, clock });
  // Of one connection's address, whatever addresses are reported there.
  const mayInAll = createLimit({ burst: 4_000, perMinute: 120_000, clock });
  // A name that an attacker's DNS points to this machine is not ours.
  app.use(
    createMiddleware(async (context, next) => {
      if (context.req.header('host') !== new URL(origin()).host) return context.text('Another host.', 421);
      await next();
    }),
  );
  app.use(headers(origin().startsWith('https:')));
  app.use(
    createMiddleware(async (context, next) => {
      if (!may(addressOf(context, { behindProxy })) || !mayInAll(connectionOf(context)))
        return context.text('Too many requests.', 429);
      await next();
    }),
  );
  // Other sites can neither act nor read, whatever their browser sends along.
  app.use(
    createMiddleware(async (context, next) => {
      const { method } = context.req;
      const from = context.req.header('origin');
      const site = context.req.header('sec-fetch-site') ?? 'none';
      const reads = method === 'GET' || method === 'HEAD';
      const mayOmit = reads || forPrograms.test(context.req.path);
      const isOwn = from === origin() || (mayOmit && from === undefined);
      const isPage = reads && context.req.header('sec-fetch-mode') === 'navigate';
      if (!isOwn || !(site === 'none' || site === 'same-origin' || isPage)) return context.text('Another site.', 403);
      const type = context.req.header('content-type') ?? '';
      if (!reads && method !== 'DELETE' && !/^application\/json(;|$)/.test(type))
        return context.text('Only JSON.', 415);
      await next();
    }),
  );
  // Hono answers HEAD as GET and drops the body: a stream would stay open without anybody who could end it.
  app.use(
    createMiddleware(async (context, next) => {
      await next();
      if (context.req.method === 'HEAD') await context.res.body?.cancel();
    }),
  );
  app.use(bodyLimit({ maxSize: bodyAtMost, onError: (context) => context.text('Too long.', 413) }));
}

function headers(isTls: boolean) {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: [NONCE],
      styleSrc: ["'self'", NONCE],
      fontSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      workerSrc: ["'self'"],
      manifestSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: 'DENY',
    referrerPolicy: 'no-referrer',
    strictTransportSecurity: isTls ? 'max-age=31536000' : false,
    permissionsPolicy: {
      camera: [],
      geolocation: [],
      microphone: [],
      publickeyCredentialsGet: ['self'],
    },
  });
}
