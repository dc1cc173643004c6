/** Posts reminders to a webhook. Its address is a secret: no result, error or log contains a part of it. */
import { requireSafeAddress } from '../app/waiting/reminderFiles.ts';
import type { Channel } from '../app/waiting/reminderSender.ts';
import { webhookBody } from '../core/waiting/reminderFormats.ts';
import type { WebhookFormat } from '../core/waiting/reminderSettings.ts';
import { postTo } from './posting.ts';

export interface WebhookOptions {
  readonly name: string;
  readonly format: WebhookFormat;
  readonly address: string | undefined;
  /** Milliseconds; for tests. */
  readonly timeoutMs?: number | undefined;
}

const usualTimeoutMs = 10_000;

export function webhookChannel({ name, format, address, timeoutMs = usualTimeoutMs }: WebhookOptions): Channel {
  return {
    name,
    async send(message) {
      const url = parseAddress(address);
      if (typeof url === 'string') return { outcome: 'failed', why: url, isFinal: true };
      const { attempt } = await postTo(url, {
        headers: { 'content-type': 'application/json', 'user-agent': 'holdpoint' },
        body: JSON.stringify(webhookBody(format, message)),
        timeoutMs,
      });
      return attempt;
    },
  };
}

/** The URL, or why it is not used. */
function parseAddress(address: string | undefined): URL | string {
  if (address === undefined) return 'no address is set';
  try {
    return requireSafeAddress(address);
  } catch {
    return 'the address is not allowed';
  }
}
