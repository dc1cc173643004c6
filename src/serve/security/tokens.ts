/** Requests of programs: each carries the token of an agent. Cookies do not count here, and tokens count nowhere else. */
import { createMiddleware } from 'hono/factory';
import { sessionOfToken } from '../../app/tokens/tokens.ts';
import type { AgentSession } from '../../app/workspace/session.ts';
import type { Workspace } from '../../app/workspace/workspace.ts';
import { addressOf } from './address.ts';
import type { AddressOptions } from './address.ts';
import { createLimit } from './limits.ts';
import { problem } from './problem.ts';

export interface ProgramEnv {
  readonly Variables: {
    /** The caller. */
    readonly agent: AgentSession;
    /** Whether the caller's token still counts, for streams that stay open. Never throws. */
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

/** Failed tries. A token that counts is never refused for the failures of others. */
const failures = { burst: 10, perMinute: 10 };

/** Answers 401 without a token that counts here, and 429 after too many of these. */
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
          detail: 'Wait for a minute, then send a token that counts.',
        });
      }
      context.header('www-authenticate', 'Bearer');
      return problem(context, {
        ...{ status: 401, code: 'no_token', error: 'No token that counts here' },
        detail:
          'Send "Authorization: Bearer …" with a token of this workspace. "holdpoint serve token add" makes one; it may have expired or been removed.',
      });
    }
    context.set('agent', agent);
    context.set('isStillAllowed', () => counts(() => sessionOfToken(workspace, secret, host)));
    await next();
  });
}

/** Timers ask, and nothing catches what they throw. Where the tokens cannot be read, none counts. */
function counts(session: () => AgentSession | null): boolean {
  try {
    return session() !== null;
  } catch {
    return false;
  }
}
