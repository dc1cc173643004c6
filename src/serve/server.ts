/** Listens: with TLS or without, on all addresses of a place, with short timeouts for slow and silent clients. */
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAdaptorServer, type ServerType, type WebSocketServerLike } from '@hono/node-server';
import { WebSocketServer } from 'ws';
import type { Place } from './options.ts';

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

type Fetch = Parameters<typeof createAdaptorServer>[0]['fetch'];

export interface Timeouts {
  readonly headersTimeout: number;
  /** For the whole request, with its body. */
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
}

const usual: Timeouts = {
  headersTimeout: 20_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
};
const connectionsAtMost = 1_000;
/** Clients of streams send nothing but pongs. Bytes. */
const messageAtMost = 1_000;

/** @throws Error if the first address cannot be used; others of this machine may be missing, such as IPv6 */
export async function listen(
  { addresses, port, tls }: Pick<Place, 'addresses' | 'port' | 'tls'>,
  fetch: Fetch,
  timeouts = usual,
): Promise<Listening> {
  const overTls = { ...tls, ...timeouts, handshakeTimeout: timeouts.headersTimeout };
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageAtMost });
  const websocket = { server: sockets as WebSocketServerLike };
  const servers: ServerType[] = [];
  let used = port;
  for (const address of addresses) {
    const server = tls
      ? createAdaptorServer({ fetch, websocket, createServer: createHttps, serverOptions: overTls })
      : createAdaptorServer({ fetch, websocket, createServer: createHttp, serverOptions: timeouts });
    onlyWebSockets(server, sockets, timeouts.requestTimeout);
    server.setMaxListeners(0);
    (server as { maxConnections?: number }).maxConnections = connectionsAtMost;
    try {
      await start(server, used, address);
    } catch (error) {
      if (servers.length === 0 || !isMissing(error)) throw error;
      continue;
    }
    used = (server.address() as AddressInfo).port;
    servers.push(server);
  }
  return {
    port: used,
    async close() {
      await Promise.all(servers.map(stop));
    },
  };
}

/**
 * The adaptor leaves a connection open that asks for another protocol, and one that it refuses: no timeout of HTTP
 * applies after a request for an upgrade. So each has a deadline until its handshake is done.
 */
function onlyWebSockets(server: ServerType, sockets: WebSocketServer, deadlineMs: number): void {
  const upgrades = server.listeners('upgrade') as ((request: IncomingMessage, ...more: unknown[]) => void)[];
  const opening = new WeakMap<Duplex, () => void>();
  sockets.on('connection', (_, { socket }) => opening.get(socket)?.());
  server.removeAllListeners('upgrade');
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const end = () => void socket.destroy();
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      end();
      return;
    }
    const deadline = setTimeout(end, deadlineMs);
    const done = () => {
      clearTimeout(deadline);
      socket.off('finish', end);
    };
    // A refusal finishes only the server's half.
    socket.once('finish', end).once('close', done);
    opening.set(socket, done);
    for (const upgrade of upgrades) upgrade(request, socket, head);
  });
}

function start(server: ServerType, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function isMissing(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function stop(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}
