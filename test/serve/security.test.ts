/** Attacks on the running server, one for each line of docs/serve.md's list. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { root } from '../support/host.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { type Answer, cookieOf, post, send } from './attacks.ts';
import { everyPath } from './everyPage.ts';
import { environmentOf, type Served, startServe } from './program.ts';
import { addPasskey, signIn } from './streams.ts';
import { createChallenges } from '../../src/serve/security/passkeys.ts';

/** Everything that a page can make the server do, beside what it sends as a page. */
const everyAct = [
  ...['/session', '/session/end', '/session/challenge', '/session/passkey', '/passkeys/options', '/passkeys/offer'],
  ...['/push/subscribe', '/push/state', '/push/end', '/editor'],
];

describe('the server refuses', () => {
  let served: Served;
  let cookie = '';
  before(async () => {
    served = await startServe();
    await served.agent('question', 'create', '--text', 'Which colour?', '--mode', 'async', '--assumption', 'red');
    const opened = await post(served.origin, '/session', { code: served.code });
    assert.equal(opened.status, 200);
    cookie = cookieOf(opened);
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  it('another host, as DNS rebinding sends it', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${new URL(served.origin).port}`,
      '127.0.0.1',
      'localhost',
      '[::1]',
    ])
      for (const at of [...everyPath, '/session', '/assets/serve.js', '/manifest.webmanifest']) {
        const { status, body } = await send(served.origin, { path: at, headers: { host, cookie } });
        assert.ok(status === 421 || status === 400, `${host} ${at}: ${String(status)}`);
        assert.doesNotMatch(body, /holdpoint/i);
      }
  });

  it('a request that another site makes the browser send', async () => {
    const page = `/pages/${randomUUID()}/messages`;
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${served.origin}.evil.example` },
      { origin: served.origin.replace('http:', 'https:') },
      { origin: served.origin, 'sec-fetch-site': 'cross-site' },
      { origin: served.origin, 'sec-fetch-site': 'same-site' },
    ])
      for (const at of [...everyAct, page, page.replace('messages', 'signature')])
        assert.equal((await post(served.origin, at, {}, { cookie, ...headers })).status, 403, JSON.stringify(headers));
    const without = { method: 'POST', path: page, headers: { cookie, 'content-type': 'application/json' }, body: '{}' };
    assert.equal((await send(served.origin, without)).status, 403, 'no Origin');
    // The session still stands.
    assert.equal((await send(served.origin, { path: '/session', headers: { cookie } })).status, 200);
  });

  it('to be read by a script of another site', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    ]) {
      const answer = await send(served.origin, {
        path: '/session',
        headers: { cookie, ...headers },
      });
      assert.equal(answer.status, 403);
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    }
  });

  it('a form of another site, which needs no permission to be sent', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
    ])
      assert.equal((await post(served.origin, '/session', {}, { 'content-type': type })).status, 415, type);
  });

  it('to be shown in a frame, and scripts that it did not write', async () => {
    for (const at of [...everyPath, '/session', '/nowhere']) {
      const { headers } = await send(served.origin, { path: at, headers: { cookie } });
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /script-src 'nonce-[\w+/=-]{20,}'(;|$)/);
      assert.doesNotMatch(policy, /unsafe|\*/);
      assert.equal(headers['x-frame-options'], 'DENY');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
    }
    const nonces = await Promise.all(
      ['/', '/'].map(
        async (at) =>
          /nonce-([^']+)/.exec(
            String((await send(served.origin, { path: at })).headers['content-security-policy']),
          )?.[1],
      ),
    );
    assert.equal(new Set(nonces).size, 2, 'each answer has its own nonce');
  });

  it('to show anything without a session', async () => {
    for (const headers of [{}, { cookie: cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) }]) {
      for (const at of everyPath) {
        const document = await send(served.origin, { path: at, headers });
        assert.match(document.body, /&quot;login&quot;/, at);
        assert.doesNotMatch(document.body, /colour/);
      }
      const stream = await send(served.origin, {
        path: `/pages/${randomUUID()}/events?path=/`,
        headers: headers,
      });
      assert.equal(stream.status, 401);
      assert.equal(
        (
          await post(
            served.origin,
            `/pages/${randomUUID()}/messages`,
            { message: {} },
            headers as Record<string, string>,
          )
        ).status,
        401,
      );
    }
  });

  it('cookies that scripts or other sites could use', async () => {
    const other = await startServe(served.sandbox);
    try {
      const answer = await post(other.origin, '/session', { code: other.code });
      const [set = ''] = answer.headers['set-cookie'] ?? [];
      assert.match(set, /; HttpOnly/);
      assert.match(set, /; SameSite=Strict/);
      assert.match(set, /; Path=\//);
      assert.doesNotMatch(set, /Domain/i);
    } finally {
      await other.stop();
    }
  });

  it('to take over an id of a session that somebody chose before', async () => {
    const other = await startServe(served.sandbox);
    try {
      const name = `holdpoint-${new URL(other.origin).port}`;
      const fixed = `${name}=${'A'.repeat(43)}`;
      const answer = await post(other.origin, '/session', { code: other.code }, { cookie: fixed });
      assert.equal(answer.status, 200);
      assert.notEqual(cookieOf(answer), fixed);
      assert.equal((await send(other.origin, { path: '/session', headers: { cookie: fixed } })).status, 401);
    } finally {
      await other.stop();
    }
  });

  it('a cookie that a passkey’s login finds there, and more than a few logins', async () => {
    const other = await startServe(served.sandbox);
    try {
      const workspace = served.sandbox.open({ clock: Date.now });
      const passkey = addPasskey(workspace, other.origin);
      workspace.close();
      const name = `holdpoint-${new URL(other.origin).port}`;
      const fixed = `${name}=${'A'.repeat(43)}`;
      const own = await signIn(other.origin, passkey, { cookie: fixed });
      const again = await signIn(other.origin, passkey, { cookie: own });
      assert.equal(new Set([fixed, own, again]).size, 3);
      const statusOf = async (one: string) =>
        (await send(other.origin, { path: '/session', headers: { cookie: one } })).status;
      assert.deepEqual([await statusOf(fixed), await statusOf(own)], [401, 401]);
      const assertion = { authenticatorData: 'AAAA', clientDataJSON: 'AAAA', signature: 'AAAA' };
      const wrong = { challenge: 'AAAA', credentialId: passkey.pin.passkey.credentialId, assertion };
      const answers = new Set<number>();
      for (let turn = 0; turn < 100 && !answers.has(429); turn += 1)
        answers.add((await post(other.origin, '/session/passkey', wrong)).status);
      assert.deepEqual([...answers], [403, 429]);
      // Who is signed in already does not suffer from it.
      assert.equal(await statusOf(again), 200);
    } finally {
      await other.stop();
    }
  });

  it('a code that was used, and more than a few tries', async () => {
    assert.equal((await post(served.origin, '/session', { code: served.code })).status, 403);
    const answers: number[] = [];
    for (let turn = 0; turn < 40; turn += 1)
      answers.push(
        (await post(served.origin, '/session', { code: `AAAA-AAAA-${String(turn).padStart(4, '2')}` })).status,
      );
    assert.ok(answers.includes(429));
    assert.ok(!answers.includes(200));
    // Who is signed in already does not suffer from it.
    assert.equal((await send(served.origin, { path: '/session', headers: { cookie } })).status, 200);
  });

  it('a login that no passkey signed, and to make a passkey without a session', async () => {
    const { body } = await post(served.origin, '/session/challenge', {});
    const { challenge } = JSON.parse(body) as { challenge: string };
    const assertion = { authenticatorData: 'AAAA', clientDataJSON: 'AAAA', signature: 'AAAA' };
    for (const given of [challenge, challenge, 'AAAA'])
      assert.equal(
        (await post(served.origin, '/session/passkey', { challenge: given, credentialId: 'AAAA', assertion })).status,
        403,
      );
    for (const at of ['/passkeys/options', '/passkeys/offer'])
      assert.equal((await post(served.origin, at, {})).status, 401);
    const offer = { publicKey: 'AAAA', credentialId: 'AAAA', label: 'x' };
    assert.equal((await post(served.origin, '/passkeys/offer', offer, { cookie })).status, 400);
  });

  it('bodies without an end, and bodies that are not what a page sends', async () => {
    const at = `/pages/${randomUUID()}/messages`;
    assert.equal((await post(served.origin, at, { message: 'x'.repeat(1_100_000) }, { cookie })).status, 413);
    for (const body of ['', '{', '[]', '{"message":1,"more":2}', '"x"']) {
      const headers = { origin: served.origin, cookie, 'content-type': 'application/json' };
      assert.equal((await send(served.origin, { method: 'POST', path: at, headers, body })).status, 400, body);
    }
  });

  it('files beside its own pages', async () => {
    for (const at of [
      '/assets/chunks.json',
      '/assets/../extension.cjs',
      '/assets/%2e%2e%2fcli.cjs',
      '/assets/..%5ccli.cjs',
      '/assets/',
    ])
      assert.ok([404, 400].includes((await send(served.origin, { path: at })).status), at);
    // Of its own, one is packed.
    assert.match((await send(served.origin, { path: '/assets/diagrams.js' })).body, /^export default "/);
  });

  it('the cookie of a session that was ended', async () => {
    const other = await startServe(served.sandbox);
    try {
      const own = cookieOf(await post(other.origin, '/session', { code: other.code }));
      assert.equal((await send(other.origin, { path: '/session', headers: { cookie: own } })).status, 200);
      assert.equal((await post(other.origin, '/session/end', {}, { cookie: own })).status, 200);
      assert.equal((await send(other.origin, { path: '/session', headers: { cookie: own } })).status, 401);
    } finally {
      await other.stop();
    }
  });

  it('to listen beyond this machine without TLS and an origin', () => {
    const sandbox = makeSandbox();
    const tried = (...args: string[]) => {
      const cli = path.join(root, 'dist', 'cli.cjs');
      const { status, stderr, stdout } = spawnSync(
        process.execPath,
        [cli, '--workspace', sandbox.folder, 'serve', ...args],
        {
          env: environmentOf(sandbox),
          encoding: 'utf8',
        },
      );
      assert.equal(status, 1, stdout + stderr);
      return stderr;
    };
    assert.match(tried('--listen', '0.0.0.0'), /needs --origin/);
    assert.match(tried('--listen', '0.0.0.0', '--origin', 'https://team.example'), /--tls-cert/);
    assert.match(tried('--listen', '::', '--origin', 'https://team.example'), /--tls-cert/);
    assert.match(tried('--listen', '0.0.0.0', '--origin', 'http://team.example', '--behind-proxy'), /https/);
    assert.match(tried('--listen', '0.0.0.0', '--origin', 'https://10.0.0.1', '--behind-proxy'), /host name/);
    assert.match(tried('--origin', 'https://team.example/x', '--behind-proxy'), /without a path/);
    assert.match(tried('--origin', 'https://team.example'), /--tls-cert/);
  });
});

/** A flood of sign-in attempts does not keep other people from signing in. */
const minute = 60_000;

const wrongCode = 'AAAA-AAAA-AAAA';

after(removeSandboxes);

describe('a challenge', () => {
  it('counts once, within five minutes, and whatever was issued meanwhile', () => {
    let now = 12.5;
    const challenges = createChallenges(() => now);
    const [first, late] = [challenges.issue(), challenges.issue()];
    for (let turn = 0; turn < 2_000; turn += 1) challenges.issue();
    assert.match(first, /^[\w-]{43,200}$/);
    assert.equal(challenges.use(first), true);
    assert.equal(challenges.use(first), false);
    now += 5 * minute - 1;
    const next = challenges.issue();
    assert.equal(challenges.use(first), false);
    now += 1;
    assert.equal(challenges.use(late), false);
    assert.equal(challenges.use(first), false, 'it is over, though no longer kept as used');
    assert.equal(challenges.use(next), true);
  });

  it('counts for its purpose only, as it was issued, and on its server only', () => {
    const challenges = createChallenges(() => 0);
    const own = challenges.issue('passkey one');
    assert.equal(challenges.use(own), false);
    assert.equal(challenges.use(own, 'passkey two'), false);
    assert.equal(createChallenges(() => 0).use(own, 'passkey one'), false);
    const altered = [`${own}=`, `${own}A`, own.slice(0, -1), own.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')), ''];
    for (const challenge of altered) assert.equal(challenges.use(challenge, 'passkey one'), false, challenge);
    assert.equal(challenges.use(own, 'passkey one'), true);
  });
});

describe('a person signs in', () => {
  let served: Served;
  afterEach(() => served.stop());

  it('with a passkey, while others ask for challenges and send wrong signatures from the same address', async () => {
    served = await startServe();
    const workspace = served.sandbox.open({ clock: Date.now });
    const passkey = addPasskey(workspace, served.origin);
    workspace.close();
    const { credentialId } = passkey.pin.passkey;
    const { challenge } = JSON.parse((await post(served.origin, '/session/challenge', {})).body) as {
      challenge: string;
    };
    const assertion = { authenticatorData: 'AAAA', clientDataJSON: 'AAAA', signature: 'AAAA' };
    const wrong = { challenge: 'AAAA', credentialId, assertion };
    for (let turn = 0; turn < 210; turn += 1) {
      assert.equal((await post(served.origin, '/session/challenge', {})).status, 200);
      if (turn % 2 === 0) await post(served.origin, '/session/passkey', wrong);
    }
    assert.equal((await post(served.origin, '/session/passkey', wrong)).status, 429);
    const signed = { challenge, credentialId, assertion: passkey.assert(challenge) };
    assert.equal((await post(served.origin, '/session/passkey', signed)).status, 200);
    assert.notEqual((await post(served.origin, '/session/passkey', signed)).status, 200, 'it counted once');
    await signIn(served.origin, passkey);
  });

  const sent = (from: string, code: string, origin: string): Promise<Answer> =>
    send(`http://127.0.0.1:${String(served.port)}`, {
      ...{ method: 'POST', path: '/session', body: JSON.stringify({ code }) },
      headers: {
        ...{ host: new URL(origin).host, origin, 'content-type': 'application/json' },
        'x-forwarded-for': from,
      },
    });

  /** Tries from one address until it is refused. @param fromOf the header of each try */
  async function useUp(origin: string, fromOf: (turn: number) => string): Promise<void> {
    const answers: number[] = [];
    for (let turn = 0; turn < 40 && !answers.includes(429); turn += 1)
      answers.push((await sent(fromOf(turn), wrongCode, origin)).status);
    assert.ok(answers.includes(429), 'tries of one address are limited');
  }

  it('with a code behind a proxy, which reports who used up the tries', async () => {
    const origin = 'https://holdpoint.test';
    served = await startServe(undefined, ['--port', '0', '--origin', origin, '--behind-proxy']);
    // The client chooses all entries but the last one, and its address within its network.
    await useUp(origin, (turn) => `198.51.100.${String(turn)}, 203.0.113.7`);
    await useUp(origin, (turn) => `2001:db8::${String(turn)}`);
    const opened = await sent('203.0.113.8', served.code, origin);
    assert.equal(opened.status, 200);
    assert.notEqual(cookieOf(opened), '');
  });

  it('without a proxy, a client cannot report another address', async () => {
    served = await startServe();
    await useUp(served.origin, (turn) => `198.51.100.${String(turn)}`);
    assert.equal((await sent('203.0.113.8', served.code, served.origin)).status, 429);
  });
});
