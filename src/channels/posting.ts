/** Posts to an address that its person or their browser chose. No result contains a part of it. */
import type { Attempt } from '../app/waiting/reminderSender.ts';

export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly timeoutMs: number;
}

/** The receiver may be busy: worth another attempt. */
const transient: ReadonlySet<number> = new Set([408, 425, 429]);

/** Never rejects. `status` is missing without an answer. */
export async function postTo(
  url: URL,
  { headers, body, timeoutMs }: Post,
): Promise<{ readonly attempt: Attempt; readonly status?: number }> {
  try {
    const response = await fetch(url, {
      ...{ method: 'POST', headers, body },
      // The address was chosen by the person; where it would lead was not.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // What it says is not needed, however long it is.
    response.body?.cancel().catch(() => undefined);
    return { attempt: attemptOf(response.status), status: response.status };
  } catch (error) {
    return { attempt: { outcome: 'failed', why: reasonOf(error), isFinal: false } };
  }
}

function attemptOf(status: number): Attempt {
  if (status >= 200 && status < 300) return { outcome: 'delivered' };
  if (status >= 300 && status < 400)
    return { outcome: 'failed', why: 'redirected, which is not followed', isFinal: true };
  const isFinal = status < 500 && !transient.has(status);
  return { outcome: 'failed', why: `HTTP status ${String(status)}`, isFinal };
}

/** A code of the system, never a message: messages can contain the address. */
function reasonOf(error: unknown): string {
  if (error instanceof DOMException) return 'no answer in time';
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return /^[A-Z][A-Z0-9_]{2,50}$/.test(code) ? `not reached (${code})` : 'not reached';
}
