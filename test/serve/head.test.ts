/** Requests for the headers of a stream only: they open none, and take no place of one. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { cookieOf, post, send } from './attacks.ts';
import { followEvents } from './following.ts';
import { newToken, startServe, type Served } from './program.ts';
import { openStream, pagesOfSession } from './streams.ts';

/** More streams than an agent may open at once. */
const many = 350;

describe('HEAD', () => {
  let served: Served;
  before(async () => {
    served = await startServe();
    assert.equal((await served.agent('work', 'register', '--id', 't-1', '--title', 'API tokens')).code, 0);
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  const head = async (path: string, headers: Readonly<Record<string, string>>) => {
    const answer = await send(served.origin, { method: 'HEAD', path, headers });
    return `${String(answer.status)} ${String(answer.headers['content-type'])}`;
  };

  it('takes no place of a page', async () => {
    const cookie = cookieOf(await post(served.origin, '/session', { code: served.code }));
    const at = () => `/pages/${randomUUID()}/events?path=/`;
    for (let turn = 0; turn < pagesOfSession + 10; turn += 1)
      assert.equal(await head(at(), { cookie }), '200 text/event-stream');
    assert.match(await head(at(), {}), /^401 /);
    const page = { id: randomUUID(), cookie, path: '/' };
    (await openStream(served.origin, { page, number: 0, events: [] })).destroy();
  });

  it('takes no place of a stream of events', async () => {
    const token = await newToken(served, 'ci', 'ci-001');
    const authorization = `Bearer ${token}`;
    for (let turn = 0; turn < many; turn += 1)
      assert.equal(await head('/api/events', { authorization }), '200 text/event-stream');
    assert.match(await head('/api/events', {}), /^401 /);
    const following = await followEvents({ origin: served.origin, token });
    following.stop();
  });
});
