/** A page that takes nothing from its stream for a while: the server keeps little for it, and it ends at the newest state. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Snapshot } from '../../src/ui/answer/view.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { cookieOf, post, send } from './attacks.ts';
import { newToken, startServe, type Served } from './program.ts';
import { openStream, type Streamed } from './streams.ts';

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
      return view.type === 'question' ? view.position?.of : undefined;
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
