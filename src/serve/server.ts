/** Where the server listens and what browsers call it. Beyond this machine only with TLS. */
import fs from 'node:fs';
import * as z from 'zod';
import { servePort } from '../app/serving/editorLink.ts';
import { isThisMachine } from '../core/kit/quickChecks.ts';
import { createServer as createHttp, type IncomingMessage } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAdaptorServer, type ServerType, type WebSocketServerLike } from '@hono/node-server';
import { WebSocketServer } from 'ws';

export interface Given {
  readonly port?: string | undefined;
  readonly listen?: string | undefined;
  readonly origin?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly behindProxy: boolean;
}

export interface Place {
  /** Addresses to listen on: all names of this machine that a browser may try for `localhost`. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** What browsers call it; null: `http://localhost` with the port that is found. */
  readonly origin: string | null;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  readonly behindProxy: boolean;
}

const port = z.coerce.number().int().min(0).max(65_535);

/** @throws Error naming the missing option */
export function placeOf(given: Given): Place {
  const number = port.safeParse(given.port ?? servePort);
  if (!number.success) throw new Error('--port: give a number from 0 to 65535');
  const listen = given.listen ?? 'localhost';
  const tls = tlsOf(given);
  const isLocal = isThisMachine(listen);
  if (!isLocal && given.origin === undefined)
    throw new Error('--listen beyond this machine needs --origin https://…, the address that browsers use');
  if (!isLocal && !tls && !given.behindProxy)
    throw new Error('--listen beyond this machine needs --tls-cert and --tls-key, or --behind-proxy with TLS');
  const origin = given.origin === undefined ? null : originOf(given.origin);
  if (origin !== null && !tls && !given.behindProxy)
    throw new Error('--origin needs --tls-cert and --tls-key, or --behind-proxy');
  if (origin === null && tls) throw new Error('--tls-cert needs --origin https://…, the address that browsers use');
  // Without another origin, browsers are told `localhost`.
  const addresses = listen === 'localhost' || origin === null ? ['127.0.0.1', '::1'] : [listen];
  return { addresses, port: number.data, origin, tls, behindProxy: given.behindProxy };
}

/** Passkeys belong to a domain, so that an address of digits cannot be used. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.origin !== text.replace(/\/$/, ''))
    throw new Error('--origin: give https:// and a host name, without a path');
  if (/^[\d.]+$|^\[/.test(url.hostname)) throw new Error('--origin: passkeys need a host name, not an address');
  return url.origin;
}

function tlsOf({ tlsCert, tlsKey }: Given): Place['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined) throw new Error('--tls-cert and --tls-key belong together');
  return { cert: fs.readFileSync(tlsCert), key: fs.readFileSync(tlsKey) };
}

// Listens: with TLS or without, on all addresses of a place, with short timeouts for slow and silent clients.

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
