/** Clients that send headers, bodies or a TLS handshake slowly, or nothing at all: they are cut, and others are served. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { connect as connectTls } from 'node:tls';
import { upgradeWebSocket } from '@hono/node-server';
import { Hono } from 'hono';
import { WebSocket } from 'ws';
import { listen, type Listening } from '../../src/serve/server.ts';
import { hasOpenssl, makeCertificates } from '../support/certificates.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { send } from './attacks.ts';

const timeouts = {
  headersTimeout: 300,
  requestTimeout: 600,
  keepAliveTimeout: 300,
  connectionsCheckingInterval: 50,
} as const;
const manyClients = 50;
const host = 'holdpoint.test';

/** Sends the beginning of a request, then one byte at a time, until it is cut. */
function dribble(socket: Socket, begin: string): Socket {
  socket.on('error', () => undefined).resume();
  socket.write(begin);
  const timer = setInterval(() => socket.write('x'), 20);
  return socket.on('close', () => {
    clearInterval(timer);
  });
}

describe('slow clients', () => {
  let server: Listening;
  let place: TemporaryFolder | undefined;
  const bodies: string[] = [];
  const fetch = async (request: Request) => {
    if (request.method === 'POST') bodies.push(await request.text());
    return new Response('served');
  };
  const address = { addresses: ['127.0.0.1'], port: 0 };
  const clients = (open: () => Socket) => Array.from({ length: manyClients }, open);

  async function areCut(slow: readonly Socket[], isServed: () => Promise<void>): Promise<void> {
    await isServed();
    await until('all slow clients are cut', async () => {
      await isServed();
      return slow.every(({ closed }) => closed);
    });
  }

  afterEach(() => server.close());
  after(() => place?.remove());

  for (const [what, begin] of [
    ['headers', 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: '],
    ['a body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n'],
    ['a chunked body', 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nffff\r\nabc'],
    ['nothing', ''],
  ] as const)
    it(`that send ${what} are cut while others are served`, async () => {
      server = await listen({ ...address, tls: null }, fetch, timeouts);
      const slow = clients(() => {
        const socket = connect(server.port, '127.0.0.1');
        return begin === '' ? socket.on('error', () => undefined).resume() : dribble(socket, begin);
      });
      await areCut(slow, async () => {
        const { body } = await send(`http://127.0.0.1:${String(server.port)}`, { path: '/' });
        assert.equal(body, 'served');
      });
      assert.deepEqual(bodies, [], 'no part of a body is taken for the whole');
    });

  const upgrade = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
  /** Keeps its half of the connection open, whatever the server does with its own. */
  const stubborn = (port: number) => connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const isServed = async () => {
    const { body } = await send(`http://127.0.0.1:${String(server.port)}`, { path: '/' });
    assert.equal(body, 'served');
  };

  it('that stay after their upgrade was refused are cut while others are served', async () => {
    server = await listen({ ...address, tls: null }, fetch, timeouts);
    let answers = 0;
    const slow = clients(() =>
      dribble(
        stubborn(server.port).once('data', () => (answers += 1)),
        upgrade,
      ),
    );
    await areCut(slow, isServed);
    assert.equal(answers, manyClients, 'each got the refusal');
  });

  it('whose upgrade gets no answer are cut, and a WebSocket that was opened stays', async () => {
    const app = new Hono();
    app.get(
      '/socket',
      upgradeWebSocket(() => ({})),
    );
    app.get('*', ({ req }) => (req.header('upgrade') ? new Promise<Response>(() => undefined) : fetch(req.raw)));
    server = await listen({ ...address, tls: null }, app.fetch, timeouts);
    const socket = new WebSocket(`ws://127.0.0.1:${String(server.port)}/socket`);
    await once(socket, 'open');
    await areCut(
      clients(() => dribble(stubborn(server.port), upgrade)),
      isServed,
    );
    socket.ping();
    await once(socket, 'pong');
    socket.terminate();
  });

  it('that never finish a TLS handshake, or dribble over TLS, are cut while others are served', async function () {
    if (!hasOpenssl()) this.skip();
    place = await temporaryFolder();
    const { folder } = place;
    makeCertificates(folder, host);
    const [cert, key, ca] = ['server.pem', 'server.key', 'ca.pem'].map((name) => readFileSync(path.join(folder, name)));
    server = await listen({ ...address, tls: { cert: cert!, key: key! } }, fetch, timeouts);
    const silent = clients(() =>
      connect(server.port, '127.0.0.1')
        .on('error', () => undefined)
        .resume(),
    );
    const slow = clients(() => {
      const socket = connectTls({ port: server.port, host: '127.0.0.1', servername: host, ca });
      return dribble(socket, 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: ');
    });
    await areCut([...silent, ...slow], async () => {
      const tls = { port: server.port, ca: ca!.toString() };
      assert.equal((await send(`https://${host}`, { path: '/', tls })).body, 'served');
    });
  });
});
