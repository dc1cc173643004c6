/** Subscribing to Web Push at the running server: pages with https, signed in with a passkey. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { readPushFile } from '../../src/app/waiting/pushFile.ts';
import { makePushBrowser, startPushService } from '../support/pushBrowser.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { cookieOf, send, type Answer } from './attacks.ts';
import { spawnServe, startServe, type Served } from './program.ts';
import { addPasskey } from './streams.ts';

const origin = 'https://holdpoint.test';
const endpoint = 'https://push.example/send/abc';
const keys = { p256dh: randomBytes(65).toString('base64url'), auth: randomBytes(16).toString('base64url') };

describe('Web Push of the server', () => {
  let served: Served;
  let passkeys: string;

  before(async () => {
    served = await startServe(undefined, ['--port', '0', '--origin', origin, '--behind-proxy']);
    await served.agent('question', 'create', '--text', 'Which colour?', '--mode', 'async', '--assumption', 'red');
    const workspace = served.sandbox.open({ clock: Date.now });
    const passkey = addPasskey(workspace, origin);
    workspace.close();
    const { challenge } = JSON.parse((await request('/session/challenge', {})).body) as { challenge: string };
    const { credentialId } = passkey.pin.passkey;
    const signed = { challenge, credentialId, assertion: passkey.assert(challenge) };
    passkeys = cookieOf(await request('/session/passkey', signed));
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  /** As the proxy with TLS passes it on. */
  function request(path: string, body: object | null, cookie = ''): Promise<Answer> {
    const headers = { host: 'holdpoint.test', cookie };
    const behind = `http://127.0.0.1:${String(served.port)}`;
    if (body === null) return send(behind, { path, headers });
    const posted = { ...headers, origin, 'content-type': 'application/json' };
    return send(behind, { method: 'POST', path, headers: posted, body: JSON.stringify(body) });
  }

  function subscriptions() {
    const { sandbox } = served;
    const workspace = sandbox.open();
    const place = { ...workspace.options, userFolder: workspace.userFolder };
    workspace.close();
    return readPushFile(place)?.subscriptions ?? [];
  }

  it('takes a subscription of a page that a passkey opened, and ends it', async () => {
    const { publicKey } = JSON.parse((await request('/push/key', null, passkeys)).body) as { publicKey: string };
    assert.equal(Buffer.from(publicKey, 'base64url').length, 65);
    assert.equal((await request('/push/subscribe', { endpoint, keys }, passkeys)).status, 204);
    assert.equal((await request('/push/subscribe', { endpoint, keys }, passkeys)).status, 204);
    const [one, ...more] = subscriptions();
    assert.deepEqual([one?.endpoint, one?.origin, more.length], [endpoint, origin, 0]);
    assert.equal((await request('/push/state', { endpoint }, passkeys)).body, '{"subscribed":true}');
    assert.equal((await request('/push/end', { endpoint }, passkeys)).status, 204);
    assert.deepEqual(subscriptions(), []);
    assert.equal((await request('/push/state', { endpoint }, passkeys)).body, '{"subscribed":false}');
  });

  it('takes none without a session, and none to an address of this machine’s network over http', async () => {
    for (const at of ['/push/subscribe', '/push/state', '/push/end'])
      assert.equal((await request(at, { endpoint, keys })).status, 401, at);
    for (const wrong of ['http://push.example/x', 'http://192.168.0.1/x', 'ftp://push.example/x', 'x'])
      assert.equal((await request('/push/subscribe', { endpoint: wrong, keys }, passkeys)).status, 400, wrong);
    assert.deepEqual(subscriptions(), []);
  });

  it('has no Web Push without https', async () => {
    const local = await startServe();
    try {
      const opened = await send(local.origin, {
        ...{ method: 'POST', path: '/session', body: JSON.stringify({ code: local.code }) },
        headers: { origin: local.origin, 'content-type': 'application/json' },
      });
      const answer = await send(local.origin, { path: '/push/key', headers: { cookie: cookieOf(opened) } });
      assert.deepEqual([answer.status, answer.body], [404, '{"error":"needs_https"}']);
    } finally {
      await local.stop();
    }
  });

  it('serves the service worker, a plain script that fetches nothing', async () => {
    const { status, headers, body } = await request('/push-worker.js', null);
    assert.equal(status, 200);
    assert.match(String(headers['content-type']), /^text\/javascript/);
    assert.match(String(headers['content-security-policy']), /worker-src 'self'/);
    assert.doesNotMatch(body, /\bimport\b|\bexport\b|fetch/);
  });

  it('sends to a browser that subscribed before it was started again', async () => {
    const service = await startPushService();
    const browser = makePushBrowser();
    const endpoint = service.endpointOf('phone');
    assert.equal((await request('/push/subscribe', { endpoint, keys: browser.keys }, passkeys)).status, 204);
    await served.stop();
    const more = ['--port', '0', '--origin', origin, '--behind-proxy'];
    const again = await spawnServe(served.sandbox, more);
    try {
      const asked = await served.agent('question', 'create', '--text', 'Which port?', '--urgency', 'critical');
      assert.equal(asked.code, 0, asked.err);
      await until('it was pushed', () => service.pushed.length > 0);
      const { text } = browser.read(service.pushed[0]?.body ?? assert.fail('nothing')) as { text: string };
      assert.equal(text, `A critical question is waiting in ${path.basename(served.sandbox.folder)}`);
    } finally {
      await again.stop();
      service.close();
    }
  });
});
