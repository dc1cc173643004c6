/** Sessions of browsers, in memory only: they end with the server. A session reads; it never decides. */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { sessionOfToken } from '../../app/tokens/tokens.ts';
import type { AgentSession } from '../../app/workspace/session.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { addressOf, createLimit, problem, type AddressOptions } from './guard.ts';

export interface Session {
  /** The hash of its secret, which names the session. */
  readonly id: string;
  /** The passkey that opened it; null when a one-time code did. */
  readonly keyid: string | null;
}

const idleMs = 2 * 60 * 60_000;
const longestMs = 12 * 60 * 60_000;
const atMost = 200;

export type Sessions = ReturnType<typeof createSessions>;

interface Known extends Session {
  readonly began: number;
  readonly used: number;
}

/** @param clock monotonic milliseconds */
export function createSessions(clock: () => number) {
  /** By their ids, the latest used last. */
  const known = new Map<string, Known>();
  const end = (secret: string | undefined) => secret !== undefined && known.delete(hashOf(secret));
  const isOver = ({ used, began }: Known) => clock() - used > idleMs || clock() - began > longestMs;
  return {
    /** A new session, and the secret that its browser keeps. Earlier ones of that browser end. */
    open(keyid: string | null, before: string | undefined): string {
      end(before);
      const secret = randomBytes(32).toString('base64url');
      const id = hashOf(secret);
      const now = clock();
      known.set(id, { id, keyid, began: now, used: now });
      const [oldest] = known.keys();
      if (known.size > atMost && oldest !== undefined) known.delete(oldest);
      return secret;
    },
    find(secret: string | undefined): Session | null {
      if (secret === undefined) return null;
      const id = hashOf(secret);
      const session = known.get(id);
      known.delete(id);
      if (!session || isOver(session)) return null;
      known.set(id, { ...session, used: clock() });
      return session;
    },
    /** Whether it has not ended. Is not treated as use: for streams that stay open. */
    isOpen({ id }: Session): boolean {
      const session = known.get(id);
      return session !== undefined && !isOver(session);
    },
    end(secret: string | undefined): void {
      end(secret);
    },
  };
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

// One-time codes: the terminal or the editor shows one, and it opens one session. Sixty bits, five minutes, and few
// tries a minute (see `routes/session.ts`).

/** No letter or digit that can be mistaken for another. */
const letters = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const groups = 3;
const groupLength = 4;
const validMs = 5 * 60_000;
const codesAtMost = 20;

export type Codes = ReturnType<typeof createCodes>;

/** @param clock monotonic milliseconds */
export function createCodes(clock: () => number) {
  let open: { readonly hash: Buffer; readonly until: number }[] = [];
  return {
    /** A new code, as a person types it: `7K4M-…`. */
    issue(): string {
      const code = Array.from({ length: groups }, group).join('-');
      open = [...open, { hash: codeHash(code), until: clock() + validMs }].slice(-codesAtMost);
      return code;
    },
    /** Whether this code opens a session now; it never does again. */
    redeem(typed: string): boolean {
      const hash = codeHash(typed);
      const now = clock();
      open = open.filter(({ until }) => until > now);
      // Compares with all, so that the time tells nothing.
      const found = open.filter((one) => timingSafeEqual(one.hash, hash));
      open = open.filter((one) => !found.includes(one));
      return found.length > 0;
    },
  };
}

function group(): string {
  return Array.from({ length: groupLength }, () => letters[randomInt(letters.length)]).join('');
}

/** Of equal length whatever was typed; spaces, hyphens and small letters are forgiven. */
function codeHash(code: string): Buffer {
  return createHash('sha256').update(code.toUpperCase().replace(/[\s-]/g, '')).digest();
}

// Requests of programs: each carries the token of an agent. Cookies do not count here, and tokens count nowhere else.

export interface ProgramEnv {
  readonly Variables: {
    readonly agent: AgentSession;
    /** Whether the caller's token is still valid, for streams that stay open. Never throws. */
    readonly isStillAllowed: () => boolean;
  };
}

export interface TokenOptions extends AddressOptions {
  readonly workspace: Workspace;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** The host in the agent's registration, for example `api`. */
  readonly host: string;
}

/** Failed tries. A valid token is never refused for the failures of others. */
const failures = { burst: 10, perMinute: 10 };

/** Answers 401 without a token that is valid here, and 429 after too many of these. */
export function withToken({ workspace, clock, host, behindProxy }: TokenOptions) {
  const mayFail = createLimit({ ...failures, clock });
  return createMiddleware<ProgramEnv>(async (context, next) => {
    const [, secret = ''] = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '') ?? [];
    const agent = sessionOfToken(workspace, secret, host);
    if (!agent) {
      if (!mayFail(addressOf(context, { behindProxy }))) {
        context.header('retry-after', '60');
        return problem(context, {
          ...{ status: 429, code: 'too_many', error: 'Too many wrong tokens' },
          detail: 'Wait for a minute, then send a valid token.',
        });
      }
      context.header('www-authenticate', 'Bearer');
      return problem(context, {
        ...{ status: 401, code: 'no_token', error: 'No token that is valid here' },
        detail:
          'Send "Authorization: Bearer …" with a token of this workspace. "holdpoint serve token add" makes one; it may have expired or been removed.',
      });
    }
    context.set('agent', agent);
    context.set('isStillAllowed', () => counts(() => sessionOfToken(workspace, secret, host)));
    await next();
  });
}

/** Timers ask, and nothing catches what they throw. If the tokens cannot be read, none counts. */
function counts(session: () => AgentSession | null): boolean {
  try {
    return session() !== null;
  } catch {
    return false;
  }
}
