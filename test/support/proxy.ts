/** A TCP proxy in front of a test server that loses, delays or cuts what passes, as networks do. */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Postgres } from './postgres.ts';

/** What reaches whom. */
export type Direction = 'toServer' | 'toClient';

export interface Proxy {
  readonly port: number;
  /** How many connections were opened so far. */
  readonly opened: number;
  /**
   * Cuts the connection that next sends something with this text: before the server gets it, or after it replied, of which
   * the client then gets nothing.
   */
  cutAt(text: string, when: 'before' | 'after'): void;
  /** Calls back once, when the server has replied to a message with this text and before the client gets the reply. */
  onReplyTo(text: string, act: () => void): void;
  /** Calls back with the text of each message to the server. Null ends it. */
  onMessage(hear: ((text: string) => void) | null): void;
  /** From now on, nothing passes in these directions, and connections stay open; what is sent arrives after `restore`. */
  hold(...directions: readonly Direction[]): void;
  /** Cuts all connections; new ones are refused until `restore`. */
  cut(): void;
  /** Cuts the clients off, while the server keeps its ends open until `restore`. */
  halfOpen(): void;
  /** Adds this many milliseconds to each round trip, half of it in each direction. */
  delay(roundTripMs: number): void;
  /** From now on, it stands in front of this server; connections to the one before are cut. */
  lead(to: Pick<Postgres, 'host' | 'port'>): void;
  /** Ends everything above but `lead`, and delivers what was held. */
  restore(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: net.Socket;
  readonly server: net.Socket;
  /** What was held, in order. */
  readonly held: { to: Direction; bytes: Buffer }[];
  /** Settled when all was delivered: bytes without a delay do not overtake those with one. */
  readonly sent: Record<Direction, Promise<unknown>>;
  /** Whom the next reply concerns. */
  reply: 'lose' | (() => void) | null;
}

interface Watch {
  readonly text: string;
  readonly act: 'before' | 'after' | (() => void);
}

export async function startProxy(postgres: Pick<Postgres, 'host' | 'port'>): Promise<Proxy> {
  let target = postgres;
  let watch: Watch | null = null;
  let opened = 0;
  let hear: ((text: string) => void) | null = null;
  let refuses = false;
  let leaves = false;
  let delayMs = 0;
  let held: readonly Direction[] = [];
  const pairs = new Set<Pair>();

  function end(pair: Pair): void {
    pair.client.destroy();
    if (leaves) return;
    pair.server.destroy();
    pairs.delete(pair);
  }

  function deliver({ client, server, sent }: Pair, to: Direction, bytes: Buffer): void {
    const socket = to === 'toServer' ? server : client;
    const late = delayMs === 0 ? null : sleep(delayMs);
    sent[to] = Promise.all([sent[to], late]).then(() => {
      if (!socket.destroyed) socket.write(bytes);
    });
  }

  function pass(pair: Pair, to: Direction, bytes: Buffer): void {
    if (held.includes(to)) pair.held.push({ to, bytes });
    else deliver(pair, to, bytes);
  }

  function fromClient(pair: Pair, bytes: Buffer): void {
    hear?.(bytes.toString('latin1'));
    if (watch && bytes.includes(watch.text)) {
      const { act } = watch;
      watch = null;
      if (act === 'before') {
        end(pair);
        return;
      }
      pair.reply = act === 'after' ? 'lose' : act;
    }
    pass(pair, 'toServer', bytes);
  }

  function fromServer(pair: Pair, bytes: Buffer): void {
    const { reply } = pair;
    if (reply === 'lose') {
      end(pair);
      return;
    }
    pair.reply = null;
    reply?.();
    pass(pair, 'toClient', bytes);
  }

  const proxy = net.createServer((client) => {
    opened++;
    if (refuses) {
      client.destroy();
      return;
    }
    const server = net.connect(`${target.host}/.s.PGSQL.${String(target.port)}`);
    client.setNoDelay();
    const sent = { toServer: Promise.resolve(), toClient: Promise.resolve() };
    const pair: Pair = { client, server, held: [], sent, reply: null };
    pairs.add(pair);
    for (const socket of [client, server])
      socket
        .on('error', () => undefined)
        .on('close', () => {
          end(pair);
        });
    client.on('data', (bytes: Buffer) => {
      fromClient(pair, bytes);
    });
    server.on('data', (bytes: Buffer) => {
      fromServer(pair, bytes);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));

  function restore(): void {
    [refuses, leaves, delayMs, held] = [false, false, 0, []];
    for (const pair of pairs) {
      for (const { to, bytes } of pair.held.splice(0)) deliver(pair, to, bytes);
      if (pair.client.destroyed) end(pair);
    }
  }

  return {
    port: (proxy.address() as net.AddressInfo).port,
    get opened() {
      return opened;
    },
    cutAt(text, when) {
      watch = { text, act: when };
    },
    onReplyTo(text, act) {
      watch = { text, act };
    },
    onMessage(listener) {
      hear = listener;
    },
    hold(...directions) {
      held = directions;
    },
    cut() {
      refuses = true;
      for (const pair of pairs) end(pair);
    },
    halfOpen() {
      refuses = true;
      leaves = true;
      for (const pair of pairs) end(pair);
    },
    delay(roundTripMs) {
      delayMs = roundTripMs / 2;
    },
    lead(to) {
      target = to;
      for (const pair of pairs) end(pair);
    },
    restore,
    async close() {
      restore();
      for (const pair of pairs) end(pair);
      await new Promise<void>((resolve) => {
        proxy.close(() => {
          resolve();
        });
      });
    },
  };
}
