/** Posts reminders to a webhook. Its address is a secret: no result, error or log contains a part of it. */
import { requireSafeAddress } from '../app/waiting/reminderFiles.ts';
import type { Attempt, Channel } from '../app/waiting/reminderSender.ts';
import { webhookBody } from '../core/waiting/reminderFormats.ts';
import type { WebhookFormat } from '../core/waiting/reminderSettings.ts';

export interface WebhookOptions {
  readonly name: string;
  readonly format: WebhookFormat;
  readonly address: string | undefined;
  /** Milliseconds; for tests. */
  readonly timeoutMs?: number | undefined;
}

const usualTimeoutMs = 10_000;
/** The receiver may be busy: worth another attempt. */
const transient: ReadonlySet<number> = new Set([408, 425, 429]);

export function webhookChannel({ name, format, address, timeoutMs = usualTimeoutMs }: WebhookOptions): Channel {
  return {
    name,
    async send(message) {
      const url = safe(address);
      if (typeof url === 'string') return { outcome: 'failed', why: url, isFinal: true };
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': 'holdpoint' },
          body: JSON.stringify(webhookBody(format, message)),
          // The address was chosen by the person; where it would lead was not.
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
        });
        // What it says is not needed, however long it is.
        response.body?.cancel().catch(() => undefined);
        return attemptOf(response.status);
      } catch (error) {
        return { outcome: 'failed', why: reasonOf(error), isFinal: false };
      }
    },
  };
}

/** The URL, or why it is not used. */
function safe(address: string | undefined): URL | string {
  if (address === undefined) return 'no address is set';
  try {
    return requireSafeAddress(address);
  } catch {
    return 'the address is not allowed';
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
