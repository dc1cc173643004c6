/** What every request passes before a route sees it. */
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { NONCE, secureHeaders } from 'hono/secure-headers';
import type { Hono, Context } from 'hono';
import { isIPv4, isIPv6 } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';

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

// Who sends a request, for limits: an address of the network, or what the proxy in front of the server reports.

export interface AddressOptions {
  /** Every request comes through a proxy, which adds the address that it sees to `X-Forwarded-For`. */
  readonly behindProxy: boolean;
}

/** An IPv6 /64 network is treated as one address, because its owner has all the addresses in it. */
const networkGroups = 4;

export function addressOf(context: Context, { behindProxy }: AddressOptions): string {
  // Entries before the last one come from the client.
  const reported = behindProxy ? context.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return (reported === undefined ? null : countedAs(reported)) ?? connectionOf(context);
}

export function connectionOf(context: Context): string {
  const { address = '' } = getConnInfo(context).remote;
  return countedAs(address) ?? address;
}

/** Null for anything but an address. */
function countedAs(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIPv4(plain)) return plain;
  if (!isIPv6(plain)) return null;
  const [head = '', tail] = plain.replace(/%.*$/, '').toLowerCase().split('::');
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [string[], string[]];
  const missing = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: missing }, () => '0'), ...last];
  return `${groups
    .slice(0, networkGroups)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::`;
}

// What programs get instead of a result: problem details (RFC 9457), with a code for programs and what to do.

export interface Problem {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500 | 503;
  readonly code: string;
  /** What was wrong, in a few words. */
  readonly error: string;
  readonly detail: string;
  /** Further members, for example `blocker_id`. */
  readonly more?: Readonly<Record<string, unknown>>;
}

export function problem(context: Context, { status, code, error, detail, more }: Problem): Response {
  const body = { type: 'about:blank', title: error, status, error, code, detail, ...more };
  return context.body(JSON.stringify(body), status, {
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
  });
}

/** Ends the request with a problem, wherever it is found. */
export function refuse(context: Context, found: Problem): never {
  throw new HTTPException(found.status, { res: problem(context, found) });
}

/** How often something may happen: a bucket of tokens for each key, filled evenly. */
export interface LimitOptions {
  readonly burst: number;
  readonly perMinute: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** More keys than this are never kept: an attacker must not fill the memory. */
const keysAtMost = 10_000;

/** @returns whether it may happen once more now */
export function createLimit({ burst, perMinute, clock }: LimitOptions): (key: string) => boolean {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>();
  return (key) => {
    const now = clock();
    const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now };
    const filled = Math.min(burst, tokens + ((now - at) * perMinute) / 60_000);
    const may = filled >= 1;
    buckets.delete(key);
    buckets.set(key, { tokens: may ? filled - 1 : filled, at: now });
    const [oldest] = buckets.keys();
    if (buckets.size > keysAtMost && oldest !== undefined) buckets.delete(oldest);
    return may;
  };
}
