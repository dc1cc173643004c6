/** What fails while the server serves others: a file that it cannot read, or that is not as it should be. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { createLivePage } from '../../src/serve/pages/livePage.ts';
import type { RfcImage } from '../../src/ui/rfc/model.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { giveTo, secondUser, type SystemUser } from '../support/secondUser.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { cookieOf, post, send } from './attacks.ts';
import { followEvents } from './following.ts';
import { environmentOf, newToken, spawnServe, startServe, type Served } from './program.ts';
import { openStream, type Streamed } from './streams.ts';

after(removeSandboxes);

describe('tokens that cannot be read', () => {
  let served: Served;
  let token: string;
  let file: string;
  let content: string;
  before(async () => {
    served = await startServe();
    token = await newToken(served, 'ci', 'ci-001');
    file = path.join(served.sandbox.userFolder, 'tokens.json');
    content = fs.readFileSync(file, 'utf8');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const work = { method: 'POST', path: '/api/register_work', headers, body: '{"id":"t-1","title":"API tokens"}' };
    assert.equal((await send(served.origin, work)).status, 200);
  });
  afterEach(() => {
    fs.writeFileSync(file, content);
    fs.chmodSync(file, 0o600);
  });
  after(() => served.stop());

  const whoami = async () =>
    (await send(served.origin, { path: '/api/whoami', headers: { authorization: `Bearer ${token}` } })).status;
  const page = async () => (await send(served.origin, { path: '/' })).status;

  it('end the streams of events, and nothing else', async function () {
    if (process.platform === 'win32') this.skip();
    const following = await followEvents({ origin: served.origin, token });
    fs.chmodSync(file, 0o644);
    await until('the stream has ended', following.isEnded);
    assert.notEqual(await whoami(), 200);
    assert.equal(await page(), 200);
    fs.chmodSync(file, 0o600);
    assert.equal(await whoami(), 200);
  });

  it('end the sessions of MCP, and nothing else', async () => {
    const mcp = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const headers = { ...mcp, authorization: `Bearer ${token}` };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const opened = await send(served.origin, { method: 'POST', path: '/mcp', headers, body });
    assert.equal(opened.status, 200, opened.body);
    const own = { ...headers, 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const stream = await responseOf(served.origin, '/mcp', own);
    assert.equal(stream.statusCode, 200);
    fs.writeFileSync(file, content.replace('"v":1', '"v":2'));
    await until('the stream has ended', () => stream.closed);
    assert.notEqual(await whoami(), 200);
    assert.equal(await page(), 200);
    fs.writeFileSync(file, content);
    const late = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    assert.equal((await send(served.origin, { method: 'POST', path: '/mcp', headers: own, body: late })).status, 404);
  });
});

/** An answer as soon as it begins. */
function responseOf(origin: string, at: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: at, headers, agent: false, family: 4 }, (response) => {
      response.on('error', () => undefined).resume();
      resolve(response);
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('a message of a page that cannot be carried out', () => {
  it('is reported in the terminal only', async () => {
    const live = createLivePage();
    let calls = 0;
    const fail = () => {
      calls += 1;
      throw new Error('for the test: this is expected in the output');
    };
    live.page.webview.onDidReceiveMessage(fail);
    live.page.webview.onDidReceiveMessage(() => Promise.resolve().then(fail));
    live.receive({});
    // An unhandled rejection would fail this run.
    await until('both listeners were called', () => calls === 2);
  });

  it('asks for an image that the server may not read: the page says so, and others are served', async function () {
    const user = otherUser();
    if (user !== undefined && 'why' in user) this.skip();
    const sandbox = makeSandbox();
    const image = path.join(sandbox.folder, 'a.png');
    fs.writeFileSync(path.join(sandbox.folder, 'rfc.md'), '# Use a queue\n\n## Problem\n\nslow\n\n![x](a.png)\n');
    const where = { workspace: sandbox.folder, env: environmentOf(sandbox) };
    await holdpoint(where, 'work', 'register', '--id', 't-1', '--title', 'API tokens');
    const { code, err } = await holdpoint(where, 'rfc', 'create', '--file', 'rfc.md', '--holds', 'src/**', '--submit');
    assert.equal(code, 0, err);
    fs.writeFileSync(image, Buffer.from('89504e470d0a1a0a', 'hex'));
    fs.chmodSync(image, 0o000);
    if (user) giveTo(user, sandbox.base);
    const server = await spawnServe(sandbox, ['--port', '0'], {}, user);
    try {
      const cookie = cookieOf(await post(server.origin, '/session', { code: server.code }));
      const page = { id: randomUUID(), cookie, path: '/open/RFC-1' };
      const events: Streamed[] = [];
      const stream = await openStream(server.origin, { page, number: 0, events });
      const tell = (message: object) => post(server.origin, `/pages/${page.id}/messages`, { message }, { cookie });
      await tell({ type: 'ready' });
      await until('the page shows the RFC', () => events.some(({ event }) => event === 'surface'));
      await tell({ type: 'showImage', key: '0/RFC-1', path: 'a.png' });
      const images = () =>
        events
          .filter(({ event }) => event === 'surface')
          .flatMap(({ data }) => (JSON.parse(data) as { image?: RfcImage }).image ?? []);
      await until('the page has an answer', () => images().length > 0);
      assert.deepEqual(images(), [{ path: 'a.png', problem: 'a.png cannot be read.' }]);
      assert.equal((await send(server.origin, { path: '/session', headers: { cookie } })).status, 200);
      stream.destroy();
    } finally {
      await server.stop();
    }
  });
});

/** Root reads everything: then the server runs as another user. */
function otherUser(): SystemUser | { readonly why: string } | undefined {
  if (process.platform === 'win32') return { why: 'Windows has no such permissions' };
  return process.getuid?.() === 0 ? secondUser() : undefined;
}
