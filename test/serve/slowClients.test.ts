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
import { randomUUID } from 'node:crypto';
import { listen, type Listening } from '../../src/serve/server.ts';
import { hasOpenssl, makeCertificates } from '../support/certificates.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { cookieOf, post, send } from './attacks.ts';
import type { Snapshot } from '../../src/ui/answer/form.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { newToken, type Served, startServe } from './program.ts';
import { openStream, type Streamed } from './streams.ts';
import { postEvent } from '../../src/app/memory/events.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { agent } from '../support/store/people.ts';
import { followEvents, type Following, followSocket } from './following.ts';

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

/** A page that takes nothing from its stream for a while: the server keeps little for it, and it ends at the newest state. */
/** The form of the first question, 300 KB: all of these together are more than a connection keeps. */
const questions = 70;

const description = '€'.repeat(5_000);

const choices = Array.from({ length: 20 }, (_, choice) => ({ label: `Choice ${String(choice)}`, description }));

describe('a page that takes nothing from its stream', () => {
  let served: Served;
  let token: string;
  let cookie: string;
  before(async () => {
    served = await startServe();
    token = await newToken(served, 'ci', 'ci-001');
    await call('/api/register_work', { id: 't-1', title: 'API tokens' });
    cookie = cookieOf(await post(served.origin, '/session', { code: served.code }));
    await ask('Question 0', { choices });
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  async function call(path: string, body: object): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await send(served.origin, { method: 'POST', path, headers, body: JSON.stringify(body) });
    assert.match(String(answer.status), /^20[01]$/, answer.body);
  }

  const ask = (question: string, more: object = {}) =>
    call('/api/blockers', { task_id: 't-1', blocker_type: 'ASYNC', assumption: 'a', question, ...more });

  async function open(id: string) {
    const events: Streamed[] = [];
    const stream = await openStream(served.origin, { page: { id, cookie, path: '/' }, number: 0, events });
    await post(served.origin, `/pages/${id}/messages`, { message: { type: 'ready' } }, { cookie });
    const count = (name: string) => events.filter(({ event }) => event === name).length;
    const all = () => {
      const last = events.findLast(({ event }) => event === 'surface');
      const { view } = JSON.parse(last?.data ?? '{"view":{}}') as Pick<Snapshot, 'view'>;
      return view.type === 'question' ? view.waiting : undefined;
    };
    await until('it shows the form', () => count('surface') > 0);
    return { stream, count, all };
  }

  it('gets fewer snapshots than others, and the newest last', async () => {
    const id = randomUUID();
    const [slow, quick] = [await open(id), await open(randomUUID())];
    slow.stream.pause();
    for (let number = 1; number <= questions; number += 1) {
      await ask(`Question ${String(number)}`);
      await until('the quick page counts it', () => quick.all() === number + 1);
    }
    slow.stream.resume();
    await until('the slow page counts all, or was cut', () => slow.all() === questions + 1 || slow.stream.closed);
    assert.ok(slow.count('surface') < quick.count('surface'));
    const again = await open(id);
    await until('the page counts all', () => again.all() === questions + 1);
    for (const { stream } of [slow, quick, again]) stream.destroy();
  });
});

// Clients of the stream of events that take nothing for a while: others go on, and they lose nothing.

/** Longer as JSON, where invisible characters are escaped: 60,000 characters. */
const longText = `x${'\u200b'.repeat(9_998)}`;

const portions = 25;

const ofOnePortion = 10;

describe('a client that takes nothing from its stream', () => {
  let served: Served;
  let workspace: Workspace;
  let token: string;
  before(async () => {
    served = await startServe();
    workspace = served.sandbox.open({ clock: Date.now });
    await post('First.');
    token = await newToken(served, 'worker', 'worker-001');
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  async function post(text: string): Promise<void> {
    const store = await workspace.store();
    await postEvent(store, agent(), { type: 'discovery', priority: 'normal', text, scopes: [], related: [] });
  }

  const positions = ({ events }: Following) => events.map(({ position }) => position);

  for (const [name, follow] of [
    ['of server-sent events', followEvents],
    ['over a WebSocket', followSocket],
  ] as const)
    it(`${name} gets the rest when it takes again, while others get everything`, async () => {
      const where = { origin: served.origin, token };
      const [slow, quick] = await Promise.all([follow(where), follow(where)]);
      const since = slow.position();
      slow.pause();
      // More than the connection keeps for one client, in portions that the quick one takes.
      for (let portion = 1; portion <= portions; portion += 1) {
        for (let one = 0; one < ofOnePortion; one += 1) await post(longText);
        await until('the quick one has it', () => quick.events.length === portion * ofOnePortion);
      }
      assert.ok(slow.events.length < quick.events.length, 'it took nothing');
      slow.resume();
      // One that answers no ping in the meantime is taken for lost.
      const hasAll = (more = 0) => slow.events.length + more === quick.events.length;
      await until('it has the rest, or has ended', () => hasAll() || slow.isEnded());
      const again = await follow({ ...where, since: slow.events.at(-1)?.position ?? since });
      await until('it has the rest', () => hasAll(again.events.length));
      assert.equal(quick.isEnded(), false);
      assert.deepEqual([...positions(slow), ...positions(again)], positions(quick));
      for (const following of [slow, again, quick]) following.stop();
    });
});
