import { createServer, request as forward, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface Front {
  readonly origin: string;
  close(): Promise<void>;
}

export interface FrontOptions {
  /** The port of VS Code's server. */
  readonly port: number;
  /** The server's half of the key that encrypts secrets in the browser; 32 bytes. */
  readonly secretKey: Buffer;
  /** The target of `/`, as a path with query. */
  readonly home?: (origin: string, query: URLSearchParams) => string;
}

/**
 * A proxy in front of VS Code's server. It adds `/mint-key`, which the server leaves to its host: without it, the
 * workbench creates a new key for every page, so that a reload loses all secrets.
 */
export async function startFront(options: FrontOptions): Promise<Front> {
  const sockets = new Set<Socket>();
  let origin = '';

  const server = createServer((incoming, response) => {
    const url = new URL(incoming.url ?? '/', origin);
    if (url.pathname.endsWith('/mint-key')) {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' });
      response.end(options.secretKey);
      return;
    }
    if (options.home && url.pathname === '/' && !url.searchParams.has('payload')) {
      response.writeHead(302, { location: options.home(origin, url.searchParams) });
      response.end();
      return;
    }
    const { method, url: target, headers } = incoming;
    const onward = forward({ host: '127.0.0.1', port: options.port, method, path: target, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    });
    incoming.pipe(onward);
  });

  // WebSockets: all traffic between workbench and extension host.
  server.on('upgrade', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    const upstream = connect(options.port, '127.0.0.1', () => {
      const headers = incoming.rawHeaders.map((part, index) => part + (index % 2 === 0 ? ': ' : '\r\n')).join('');
      upstream.write(`${incoming.method ?? 'GET'} ${incoming.url ?? '/'} HTTP/1.1\r\n${headers}\r\n`);
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
