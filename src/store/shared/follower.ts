/**
 * Notices that the server may have something new, on a connection of its own. What it says is a hint, never the truth: the
 * reader asks the server. It asks at least every two seconds, so a lost notification costs no more than that.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { connectAnyway, cut, leave } from './session.ts';
import type { SessionOptions } from './session.ts';

export interface FollowerOptions extends SessionOptions {
  readonly workspace: string;
  /**
   * Why to ask: a notification came, the connection is there (again), or two seconds have passed. Must not throw.
   * @param reached the offset after the line that the notification is about; null when it is about something else
   */
  readonly onHint: (why: 'notified' | 'connected' | 'poll', reached: number | null) => void;
  /** Between 0 and 1; spreads reconnections of many machines. */
  readonly random?: (() => number) | undefined;
  /** Milliseconds; for tests. Defaults: 2,000, 20,000, 5,000. */
  readonly pollMs?: number | undefined;
  readonly probeMs?: number | undefined;
  readonly probeLimitMs?: number | undefined;
}

export interface Follower {
  /** Whether notifications arrive, as far as the last probe knows. */
  readonly listening: boolean;
  close(): Promise<void>;
}

const firstWaitMs = 200;
/** Back within two seconds, once the server is. */
const longestWaitMs = 1_600;

export function follow(options: FollowerOptions): Follower {
  const { workspace, onHint, random = Math.random } = options;
  const channel = `holdpoint_${workspace}`;
  let client: Client | null = null;
  let listening = false;
  let closed = false;
  let wait = firstWaitMs;
  let retry: NodeJS.Timeout | undefined;

  const poll = setInterval(() => {
    onHint('poll', null);
  }, options.pollMs ?? 2_000);

  async function listen(): Promise<void> {
    const made = await connectAnyway(options);
    if (closed) {
      cut(made);
      return;
    }
    client = made;
    const ended = () => {
      if (client !== made) return;
      client = null;
      listening = false;
      again();
    };
    made.once('end', ended).once('error', ended);
    made.on('notification', ({ channel: heard, payload = '' }) => {
      if (heard === channel) onHint('notified', /^\d{1,15}$/.test(payload) ? Number(payload) : null);
    });
    await made.query(`listen ${made.escapeIdentifier(channel)}`);
    await startProbing(made);
    listening = true;
    wait = firstWaitMs;
    onHint('connected', null);
  }

  /** Some poolers take `listen` and drop it silently: a notification to ourselves must come back. */
  async function startProbing(made: Client): Promise<void> {
    const own = `holdpoint_probe_${randomUUID()}`;
    let limit: NodeJS.Timeout | undefined;
    made.on('notification', ({ channel: heard }) => {
      if (heard === own) clearTimeout(limit);
    });
    const probe = () => {
      clearTimeout(limit);
      limit = setTimeout(() => {
        cut(made);
      }, options.probeLimitMs ?? 5_000);
      made.query('select pg_notify($1, $2)', [own, '']).catch(() => undefined);
    };
    const timer = setInterval(probe, options.probeMs ?? 20_000);
    const stop = () => {
      clearInterval(timer);
      clearTimeout(limit);
    };
    made.once('end', stop).once('error', stop);
    await made.query(`listen ${made.escapeIdentifier(own)}`);
    probe();
  }

  function again(): void {
    if (closed) return;
    clearTimeout(retry);
    retry = setTimeout(start, wait * (0.5 + random() / 2));
    wait = Math.min(wait * 2, longestWaitMs);
  }

  function start(): void {
    listen().catch(() => {
      if (client) cut(client);
      else again();
    });
  }

  start();
  return {
    get listening() {
      return listening;
    },
    async close() {
      closed = true;
      clearInterval(poll);
      clearTimeout(retry);
      listening = false;
      const open = client;
      client = null;
      if (open) await leave(open);
    },
  };
}
