/** A TCP proxy in front of a test server that delays what passes, and cuts connections at a chosen moment. */
import net from 'node:net';
import type { Postgres } from './postgres.ts';

export interface CuttingProxy {
  readonly port: number;
  /**
   * Cuts the connection that next sends something with this text: before the server gets it, or after it replied, of which
   * the client then gets nothing.
   */
  cutAt(text: string, when: 'before' | 'after'): void;
  /** From now on, nothing passes in either direction, and connections stay open. */
  freeze(): void;
  /** Ends what `freeze` began: connections of that time are cut, and new ones pass. */
  thaw(): void;
  /** Adds this many milliseconds to each round trip, half of it in each direction. */
  delay(roundTripMs: number): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(postgres: Postgres): Promise<CuttingProxy> {
  let next: { text: string; when: 'before' | 'after' } | null = null;
  let frozen = false;
  let delayMs = 0;
  const later = (act: () => void) => {
    // Timers of the same duration fire in order.
    if (delayMs === 0) act();
    else setTimeout(act, delayMs);
  };
  const pass = (to: net.Socket, bytes: Buffer) => {
    later(() => {
      if (!to.destroyed) to.write(bytes);
    });
  };
  const sockets = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const server = net.connect(`${postgres.host}/.s.PGSQL.${String(postgres.port)}`);
    client.setNoDelay();
    let silent = false;
    const cut = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          cut();
        });
    }
    client.on('data', (bytes) => {
      if (frozen) return;
      if (next && bytes.includes(next.text)) {
        const { when } = next;
        next = null;
        if (when === 'before') {
          cut();
          return;
        }
        silent = true;
      }
      pass(server, bytes);
    });
    server.on('data', (bytes) => {
      if (silent) cut();
      else if (!frozen) pass(client, bytes);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as net.AddressInfo).port,
    cutAt(text, when) {
      next = { text, when };
    },
    freeze() {
      frozen = true;
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.destroy();
    },
    delay(roundTripMs) {
      delayMs = roundTripMs / 2;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        proxy.close(() => {
          resolve();
        });
      });
    },
  };
}
