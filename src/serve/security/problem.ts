/** What programs get instead of a result: problem details (RFC 9457), with a code for programs and what to do. */
import type { Context } from 'hono';

export interface Problem {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500 | 503;
  /** For programs. */
  readonly code: string;
  /** What was wrong, in a few words. */
  readonly error: string;
  /** What was wrong and what to do. */
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
