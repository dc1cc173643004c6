/** Tokens of agents against the running program. */
import assert from 'node:assert/strict';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { cookieOf, post, send, type Answer } from './attacks.ts';
import { newToken, startServe, type Served } from './program.ts';

describe('the API', () => {
  let served: Served;
  let token = '';
  before(async () => {
    served = await startServe();
    token = await newToken(served, 'ci', 'ci-001');
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const whoami = (headers: Readonly<Record<string, string>>, origin = served.origin): Promise<Answer> =>
    send(origin, { path: '/api/whoami', headers });

  it('answers the agent of a token', async () => {
    const answer = await whoami(bearer(token));
    assert.equal(answer.status, 200);
    assert.equal((JSON.parse(answer.body) as { agent_id: string }).agent_id, 'ci-001');
    assert.doesNotMatch(answer.body, new RegExp(token));
  });

  it('does not take the cookie of a session for a token, nor a token for a session', async () => {
    const opened = await post(served.origin, '/session', { code: served.code });
    const cookie = cookieOf(opened);
    assert.equal((await send(served.origin, { path: '/session', headers: { cookie } })).status, 200);
    assert.equal((await whoami({ cookie })).status, 401);
    assert.equal((await send(served.origin, { path: '/session', headers: bearer(token) })).status, 401);
    const page = await send(served.origin, { path: '/', headers: bearer(token) });
    assert.match(page.body, /&quot;login&quot;/);
    const named = cookie.replace(/=.*$/, `=${token}`);
    assert.equal((await send(served.origin, { path: '/session', headers: { cookie: named } })).status, 401);
  });

  it('asks for a token where there is none that counts', async () => {
    for (const headers of [{}, { authorization: token }, { authorization: `Basic ${token}` }, bearer('')]) {
      const answer = await whoami(headers);
      assert.equal(answer.status, 401);
      assert.equal(answer.headers['www-authenticate'], 'Bearer');
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/);
      assert.match(answer.body, /holdpoint serve token add/);
    }
    const query = await send(served.origin, { path: `/api/whoami?access_token=${token}&token=${token}` });
    assert.equal(query.status, 401, 'a token in an address would be in logs');
  });

  it('ends a token that is removed, without a restart', async () => {
    const brief = await newToken(served, 'brief', 'brief-001');
    assert.equal((await whoami(bearer(brief))).status, 200);
    assert.equal((await served.agent('serve', 'token', 'remove', 'brief')).code, 0);
    assert.equal((await whoami(bearer(brief))).status, 401);
    assert.doesNotMatch((await served.agent('serve', 'token', 'list')).out, /brief/);
  });

  it('refuses a token of another workspace', async () => {
    const other = await startServe();
    try {
      assert.equal((await whoami(bearer(token), other.origin)).status, 401);
    } finally {
      await other.stop();
    }
  });

  it('refuses what other sites and other hosts send, also with a token', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: served.origin, 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    ])
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await send(served.origin, {
          ...{ method, path: '/api/whoami', ...(method === 'POST' ? { body: '{}' } : {}) },
          headers: { ...bearer(token), 'content-type': 'application/json', ...headers },
        });
        assert.equal(answer.status, 403, `${method} ${JSON.stringify(headers)}`);
        assert.equal(answer.headers['access-control-allow-origin'], undefined);
      }
    assert.equal((await whoami({ ...bearer(token), host: 'evil.example' })).status, 421);
  });

  it('lets programs leave out the Origin here, and nowhere else', async () => {
    const json = { 'content-type': 'application/json', ...bearer(token) };
    const sent = (path: string) => send(served.origin, { method: 'POST', path, headers: json, body: '{}' });
    assert.equal((await sent('/api/nothing')).status, 404);
    for (const path of ['/session', '/apix', '//api/nothing', '/api/../session', '/API/nothing', '/%61pi/../session'])
      assert.equal((await sent(path)).status, 403, path);
  });

  it('limits wrong tokens, and goes on for right ones', async () => {
    const answers: number[] = [];
    for (let turn = 0; turn < 30; turn += 1)
      answers.push((await whoami(bearer(`hpt_${String(turn).padStart(43, 'A')}`))).status);
    assert.ok(answers.includes(429));
    assert.ok(answers.every((status) => status === 401 || status === 429));
    assert.equal((await whoami(bearer(token))).status, 200);
  });
});
