/**
 * "Notify this device" and the service worker in a real browser. Headless Chromium has no push service, so its pages get
 * an address from this test, and the browser's debugger delivers the message in place of one.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import type { Browser, BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import { randomBytes } from 'node:crypto';
import { readPushFile } from '../../src/app/waiting/reminderFiles.ts';
import { hasOpenssl, makeCertificates } from '../support/certificates.ts';
import { freePort } from '../support/ports.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { addDevice, launch, overflow, sizes, violations } from './browser.ts';
import { enrol } from './enrolling.ts';
import { type Served, spawnServe, startServe } from './program.ts';
import { makePushBrowser, startPushService } from '../support/pushBrowser.ts';
import { type Answer, cookieOf, send } from './attacks.ts';
import { addPasskey } from './streams.ts';

describe('notifications of a browser', () => {
  const endpoint = 'https://push.example/send/phone';

  /** In the page: what a push service does when a browser subscribes. */
  function standInForPushService(address: string): void {
    const kept = 'test-subscription';
    const subscription = () =>
      ({
        endpoint: address,
        toJSON: () => ({ endpoint: address, keys: { p256dh: 'BA', auth: 'AA' } }),
        unsubscribe() {
          localStorage.removeItem(kept);
          return Promise.resolve(true);
        },
      }) as unknown as PushSubscription;
    PushManager.prototype.getSubscription = () =>
      Promise.resolve(localStorage.getItem(kept) === null ? null : subscription());
    PushManager.prototype.subscribe = () => {
      localStorage.setItem(kept, '1');
      return Promise.resolve(subscription());
    };
  }

  let place: TemporaryFolder;
  let served: Served;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let worker: Worker;
  let debug: CDPSession;

  before(async function () {
    if (!hasOpenssl()) this.skip();
    place = await temporaryFolder();
    makeCertificates(place.folder, 'localhost');
    const port = String(await freePort());
    const file = (name: string) => path.join(place.folder, name);
    const tls = ['--tls-cert', file('server.pem'), '--tls-key', file('server.key')];
    served = await startServe(undefined, ['--port', port, '--origin', `https://localhost:${port}`, ...tls]);
    await served.agent('question', 'create', '--text', 'Which colour?');
    // A browser registers no service worker while it doubts the certificate.
    browser = await launch(['--ignore-certificate-errors']);
    context = await browser.newContext({ viewport: sizes.phone, locale: 'en-US' });
    page = await context.newPage();
    await addDevice(page);
    await page.goto(`${served.origin}/#${served.code}`);
    await page.locator('.browser-inbox h1').waitFor({ state: 'attached' });
  });
  after(async () => {
    await (browser as Browser | undefined)?.close();
    await (served as Served | undefined)?.stop();
    removeSandboxes();
    await (place as TemporaryFolder | undefined)?.remove();
  });

  const notify = () => page.getByRole('button', { name: 'Notify this device' });
  const stop = () => page.getByRole('button', { name: 'Stop notifying this device' });

  function subscriptions(): string[] {
    const workspace = served.sandbox.open();
    const kept = readPushFile({ ...workspace.options, userFolder: workspace.userFolder })?.subscriptions ?? [];
    workspace.close();
    return kept.map((one) => one.endpoint);
  }

  it('are offered once a passkey has signed in', async () => {
    assert.equal(await notify().count(), 0);
    await enrol({ page }, served, 'Ada');
    await notify().waitFor();
    assert.deepEqual([await violations(page), await overflow(page)], [[], 0]);
  });

  it('say what to do where the browser blocks them', async () => {
    await context.clearPermissions();
    await page.evaluate(() => Notification.requestPermission());
    assert.equal(await page.evaluate(() => Notification.permission), 'denied');
    await notify().click();
    await page.getByText('Allow them in the browser’s settings for this page, then try again.').waitFor();
    assert.deepEqual([await violations(page), await overflow(page)], [[], 0]);
    assert.deepEqual(subscriptions(), []);
  });

  it('begin when the person allows them', async () => {
    await context.grantPermissions(['notifications'], { origin: served.origin });
    await page.addInitScript(standInForPushService, endpoint);
    await page.reload();
    await notify().click();
    await page.getByText('This device gets a notification when something waits for you.').waitFor();
    assert.deepEqual(subscriptions(), [endpoint]);
    await page.reload();
    await stop().waitFor();
  });

  it('appear as the server wrote them, one for each item', async () => {
    worker = context.serviceWorkers().find((one) => one.url().endsWith('/push-worker.js')) ?? assert.fail();
    debug = await context.newCDPSession(page);
    const known = new Promise<string>((resolve) => {
      debug.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        for (const one of registrations) if (one.scopeURL === `${served.origin}/`) resolve(one.registrationId);
      });
    });
    await debug.send('ServiceWorker.enable');
    const registrationId = await known;
    const text = 'A critical question is waiting in payments';
    for (const data of [JSON.stringify({ text, path: '/open/Q-1' }), JSON.stringify({ text, path: '/open/Q-1' }), 'x'])
      await debug.send('ServiceWorker.deliverPushMessage', { origin: served.origin, registrationId, data });
    const fallback = { title: 'Holdpoint', body: '', data: '/' };
    await until('both are shown', async () => (await shown()).length === 2);
    assert.deepEqual(await shown(), [fallback, { title: 'Holdpoint', body: text, data: '/open/Q-1' }]);
  });

  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const all = await registration.getNotifications();
      return all
        .map(({ title, body, data }) => ({ title, body, data: String(data) }))
        .sort((a, b) => a.data.localeCompare(b.data));
    });

  it('open the page of their item, and no other address', async () => {
    // A click that no person made opens no window: the worker's own request for one is noted instead.
    const opened = await worker.evaluate(async () => {
      const { registration, clients } = globalThis as unknown as {
        readonly registration: ServiceWorkerRegistration;
        readonly clients: { openWindow(url: string): Promise<null> };
      };
      const asked: string[] = [];
      clients.openWindow = (url) => {
        asked.push(url);
        return Promise.resolve(null);
      };
      await registration.showNotification('Forged', { data: 'https://evil.example/' });
      for (const notification of await registration.getNotifications())
        dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil: () => undefined }));
      return asked;
    });
    assert.deepEqual([...opened].sort(), ['/', '/', '/open/Q-1']);
    assert.deepEqual(await shown(), [], 'a click takes them away');
    await page.goto(`${served.origin}${opened.find((url) => url !== '/') ?? ''}`);
    await page.getByRole('heading', { name: 'Which colour?' }).waitFor();
  });

  it('end in the browser and on the server', async () => {
    await stop().click();
    await page.getByText('This device gets no more notifications.').waitFor();
    assert.deepEqual(subscriptions(), []);
    await page.reload();
    await notify().waitFor();
  });

  it('are offered again to a browser that the server has forgotten', async () => {
    await notify().click();
    await stop().waitFor();
    await page.evaluate((address) => {
      const headers = { 'content-type': 'application/json' };
      return fetch('/push/end', { method: 'POST', headers, body: JSON.stringify({ endpoint: address }) });
    }, endpoint);
    await page.reload();
    await notify().click();
    await stop().waitFor();
    assert.deepEqual(subscriptions(), [endpoint]);
  });

  it('come from a page that can be installed as an app, as an iPhone wants it', async () => {
    const { data, errors } = await debug.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    assert.equal((JSON.parse(data ?? '') as { display: string }).display, 'standalone');
  });
});

/** Subscribing to Web Push at the running server: pages with https, signed in with a passkey. */
describe('Web Push of the server', () => {
  const origin = 'https://holdpoint.test';

  const endpoint = 'https://push.example/send/abc';

  const keys = { p256dh: randomBytes(65).toString('base64url'), auth: randomBytes(16).toString('base64url') };

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
