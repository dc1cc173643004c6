/** Pages that are open when their session ends, or when it may not read any more: they get nothing further. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { retireKeys } from '../../src/app/keys/enrolment.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { cookieOf, post, send } from './attacks.ts';
import { newToken, type Served, startServe } from './program.ts';
import { addPasskey, openStream, pagesOfSession, signIn, type Streamed } from './streams.ts';
import { followEvents } from './following.ts';

interface Opened {
  readonly events: readonly Streamed[];
  readonly stream: IncomingMessage;
}

describe('an open page', () => {
  let served: Served;
  let workspace: Workspace;
  beforeEach(async () => {
    served = await startServe();
    workspace = served.sandbox.open({ clock: Date.now });
    await served.agent('work', 'register', '--id', 't-1', '--title', 'API tokens');
    await ask('Which colour?');
  });
  afterEach(async () => {
    workspace.close();
    await served.stop();
  });
  after(removeSandboxes);

  async function ask(text: string): Promise<void> {
    const { code, err } = await served.agent('question', 'create', '--text', text, '--blocking-task-id', 't-1');
    assert.equal(code, 0, err);
  }

  const has = ({ events }: Opened, text: string) => events.some(({ data }) => data.includes(text));

  /** Opens a page, and waits until it shows the question in its list and in its form. */
  async function open(cookie: string, path = '/', id = randomUUID()): Promise<Opened> {
    const events: Streamed[] = [];
    const stream = await openStream(served.origin, { page: { id, cookie, path }, number: 0, events });
    await post(served.origin, `/pages/${id}/messages`, { message: { type: 'ready' } }, { cookie });
    const shows = (event: string) => events.some((one) => one.event === event && one.data.includes('Which colour?'));
    await until('the page shows the question', () => shows('inbox') && (path === '/briefing' || shows('surface')));
    return { events, stream };
  }

  it('ends at the sign-out, and pages of other sessions stay', async () => {
    const passkey = addPasskey(workspace, served.origin);
    const [own, other] = [await signIn(served.origin, passkey), await signIn(served.origin, passkey)];
    const pages = [await open(own), await open(own, '/open/Q-1'), await open(own, '/briefing')];
    const kept = await open(other);
    assert.equal((await post(served.origin, '/session/end', {}, { cookie: own })).status, 200);
    await until('the streams are closed', () => pages.every(({ stream }) => stream.closed));
    await ask('After the sign-out?');
    await until('the other page has it', () => has(kept, 'After the sign-out?'));
    for (const page of pages) assert.equal(has(page, 'After the sign-out?'), false);
    assert.equal(kept.stream.closed, false);
    kept.stream.destroy();
  });

  it('gets no question that is asked after its passkey was given up', async () => {
    const [lost, kept] = [addPasskey(workspace, served.origin), addPasskey(workspace, served.origin)];
    const cookie = await signIn(served.origin, lost);
    const pages = [await open(cookie), await open(cookie, '/open/Q-1'), await open(cookie, '/briefing')];
    const other = await open(await signIn(served.origin, kept));
    retireKeys(workspace, [lost.pin.keyid], 'lost');
    await ask('After it was given up?');
    await until('the other page has it', () => has(other, 'After it was given up?'));
    await until('the streams are closed', () => pages.every(({ stream }) => stream.closed));
    for (const page of pages) assert.equal(has(page, 'After it was given up?'), false);
    other.stream.destroy();
  });

  it('ends without anything to send, when the first passkey takes the place of its code', async () => {
    const cookie = cookieOf(await post(served.origin, '/session', { code: served.code }));
    const page = await open(cookie);
    addPasskey(workspace, served.origin);
    await until('the stream is closed', () => page.stream.closed);
    const session = await send(served.origin, { path: '/session', headers: { cookie } });
    assert.equal(session.body, '{"reads":false,"passkey":false}');
  });

  it('has one stream: a further one ends the one before', async () => {
    const cookie = cookieOf(await post(served.origin, '/session', { code: served.code }));
    const id = randomUUID();
    const first = await open(cookie, '/', id);
    const second = await open(cookie, '/', id);
    await until('the first stream is closed', () => first.stream.closed);
    await ask('And now?');
    await until('the second one goes on', () => has(second, 'And now?'));
    assert.equal(has(first, 'And now?'), false);
    second.stream.destroy();
  });
});

/** How many pages of the running server one person has open. */
describe('a person who goes from page to page', () => {
  let served: Served;
  let cookie: string;
  before(async () => {
    served = await startServe();
    await served.agent('question', 'create', '--text', 'Which colour?');
    const workspace = served.sandbox.open({ clock: Date.now });
    const passkey = addPasskey(workspace, served.origin);
    workspace.close();
    cookie = await signIn(served.origin, passkey);
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  const open = (): Promise<IncomingMessage> =>
    openStream(served.origin, { page: { id: randomUUID(), cookie, path: '/' }, number: 0, events: [] });

  it('sees each of them: those that were left make room', async () => {
    for (let page = 0; page < pagesOfSession + 10; page += 1) (await open()).destroy();
  });

  it('has only so many open at once', async () => {
    const all: IncomingMessage[] = [];
    for (let page = 0; page < pagesOfSession; page += 1) all.push(await open());
    await assert.rejects(open(), /429/);
    all.pop()?.destroy();
    await until('there is room again', async () => {
      const opened = await open().catch(() => null);
      if (opened) all.push(opened);
      return opened !== null;
    });
    for (const one of all) one.destroy();
  });
});

/** Requests for the headers of a stream only: they open none, and take no place of one. */
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
