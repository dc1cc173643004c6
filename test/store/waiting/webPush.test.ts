/** Web Push to a push service on loopback, decrypted as a browser does. */
import assert from 'node:assert/strict';
import { createPublicKey, randomUUID, verify } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { PasskeyPin } from '../../../src/app/decision/passkey.ts';
import { pinKey, retireKeys } from '../../../src/app/keys/enrolment.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { addSubscription, pushKey, readPushFile, subscriptionName } from '../../../src/app/waiting/reminderFiles.ts';
import { openReminderLog } from '../../../src/app/waiting/reminderSender.ts';
import { startReminding } from '../../../src/channels/reminding.ts';
import { makeVapid } from '../../../src/channels/webPush.ts';
import { formatKeyring } from '../../../src/trust/keyring.ts';
import { makePasskey } from '../../support/authenticator.ts';
import { makePushBrowser, startPushService, type PushService } from '../../support/pushBrowser.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, minute, realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const machineOf = ({ home, clock }: Sandbox) =>
  ({ fs: realFs, env: {}, platform: 'linux', home, clock: () => clock.now, newId: randomUUID }) as const;
const placeOf = (sandbox: Sandbox) => ({ ...machineOf(sandbox), userFolder: sandbox.userFolder });

describe('Web Push', () => {
  let sandbox: Sandbox;
  let service: PushService;
  let passkey: PasskeyPin;
  const browser = makePushBrowser();

  beforeEach(async () => {
    sandbox = makeSandbox();
    service = await startPushService();
    const workspace = sandbox.open();
    passkey = makePasskey('Ada').pin;
    pinKey(workspace, passkey);
    await raiseQuestion(await workspace.store(), agent(), {
      ...({
        text: 'Is the password hunter2?',
        type: 'decision',
        urgency: 'critical',
        mode: 'sync',
        work: null,
      } as const),
    });
    workspace.close();
  });
  afterEach(() => {
    service.close();
    removeSandboxes();
  });

  function subscribe(name = 'phone', workspace = sandbox.open().standing().state?.workspace?.id ?? ''): string {
    const endpoint = service.endpointOf(name);
    pushKey(placeOf(sandbox), makeVapid);
    const from = {
      origin: 'https://holdpoint.test',
      workspace,
      keyid: passkey.keyid,
      addedAt: '2026-03-02T12:00:00.000Z',
    };
    addSubscription(placeOf(sandbox), { endpoint, keys: browser.keys, ...from });
    return endpoint;
  }

  /** Returns why nothing was sent. */
  async function pass(): Promise<string | null> {
    let problem: string | null = null;
    const reminding = startReminding({
      ...machineOf(sandbox),
      role: 'serve',
      onPass: (status) => ({ problem } = status),
    });
    await reminding.first;
    reminding.close();
    return problem;
  }

  const log = () => openReminderLog(placeOf(sandbox)).latest();

  it('says that a critical question is waiting, and nothing that an agent wrote', async () => {
    const endpoint = subscribe();
    assert.equal(await pass(), null);
    assert.equal(service.pushed.length, 1);
    const [{ headers, body } = assert.fail()] = service.pushed;
    const text = `A critical question is waiting in ${path.basename(sandbox.folder)}`;
    assert.deepEqual(browser.read(body), { text, path: '/open/Q-1' });
    assert.equal(headers['content-encoding'], 'aes128gcm');
    assert.equal(headers['urgency'], 'high');
    const parts = /^vapid t=([\w-]+\.([\w-]+))\.([\w-]+), k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
    const [, signed = '', claims = '', signature = '', known = ''] = parts;
    const point = Buffer.from(known, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
    const given = Buffer.from(signature, 'base64url');
    assert.ok(verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, given));
    const { aud, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; sub: string };
    assert.deepEqual([aud, sub], [new URL(endpoint).origin, 'https://holdpoint.test']);
    const [delivery] = log();
    assert.deepEqual([delivery?.channel, delivery?.status], [subscriptionName({ endpoint }), 'delivered']);
    await pass();
    assert.equal(service.pushed.length, 1, 'each occasion is sent once, also over a restart');
    sandbox.clock.now += 6 * minute;
    await pass();
    assert.equal(service.pushed.length, 2, 'and again by the rules of its urgency');
  });

  it('removes a subscription that has ended, and keeps the others', async () => {
    for (const gone of [404, 410]) {
      const endpoint = subscribe(`gone-${String(gone)}`);
      service.answer = gone;
      await pass();
      assert.deepEqual(readPushFile(placeOf(sandbox))?.subscriptions, []);
      const { status, why } = log().find(({ channel }) => channel === subscriptionName({ endpoint })) ?? assert.fail();
      assert.deepEqual([status, why], ['failed', 'the browser has unsubscribed']);
    }
  });

  it('tries again when the push service fails', async () => {
    subscribe();
    service.answer = 503;
    await pass();
    assert.deepEqual([log()[0]?.status, log()[0]?.why], ['retrying', 'HTTP status 503']);
    service.answer = 201;
    await pass();
    assert.equal(service.pushed.length, 1);
    sandbox.clock.now += minute;
    await pass();
    assert.equal(log()[0]?.status, 'delivered');
  });

  it('goes to the browsers of this workspace only, each for itself', async () => {
    subscribe('other', randomUUID());
    await pass();
    assert.equal(service.pushed.length, 0);
    subscribe('phone');
    subscribe('desk');
    await pass();
    assert.equal(service.pushed.length, 2);
  });

  it('ends for the browser of a passkey that was given up, and goes on for the others', async () => {
    subscribe('phone');
    const workspace = sandbox.open();
    retireKeys(workspace, [passkey.keyid], 'lost');
    passkey = makePasskey('Ada', { label: 'Desk' }).pin;
    pinKey(workspace, passkey);
    workspace.close();
    const kept = subscribe('desk');
    await pass();
    assert.deepEqual(
      log().map(({ channel }) => channel),
      [subscriptionName({ endpoint: kept })],
    );
    assert.deepEqual(
      readPushFile(placeOf(sandbox))?.subscriptions.map(({ endpoint }) => endpoint),
      [kept],
    );
  });

  it('is withheld while the passkey’s key ring does not list it, and kept', async () => {
    subscribe();
    const file = path.join(sandbox.userFolder, 'keys.json');
    const ring = fs.readFileSync(file);
    for (const unusable of [formatKeyring([]), 'x']) {
      fs.writeFileSync(file, unusable);
      await pass();
      assert.deepEqual([service.pushed.length, readPushFile(placeOf(sandbox))?.subscriptions.length], [0, 1]);
    }
    fs.writeFileSync(file, ring);
    await pass();
    assert.equal(service.pushed.length, 1);
  });

  it('keeps its keys and addresses from other users, and goes to https and loopback only', async () => {
    subscribe();
    const file = path.join(sandbox.userFolder, 'reminders.push.json');
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    const [known = assert.fail()] = readPushFile(placeOf(sandbox))?.subscriptions ?? [];
    for (const endpoint of ['http://push.example/x', 'https://user:secret@push.example/x', 'file:///etc/passwd'])
      assert.throws(() => {
        addSubscription(placeOf(sandbox), { ...known, endpoint });
      });
    fs.chmodSync(file, 0o644);
    assert.match((await pass()) ?? '', /open to other users/);
    assert.equal(service.pushed.length, 0);
  });
});
