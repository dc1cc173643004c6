/** Streams of events on the running program: those of `holdpoint watch`, resumable, none lost and none twice. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { WebSocket } from 'ws';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { readEvents } from '../../src/app/waiting/following.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { beginning, type StreamEvent } from '../../src/core/waiting/eventStream.ts';
import { agent, decide, enrolledHuman, type Human } from '../support/store/people.ts';
import { inMemory, makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { type Api, openApi } from './api.ts';
import { send } from './attacks.ts';
import { type Served, startServe } from './program.ts';
import { followEvents, type Following, followSocket } from './following.ts';
import { postEvent } from '../../src/app/memory/events.ts';
import { openStream } from '../../src/serve/api/api.ts';

describe('a stream', () => {
  let served: Served;
  let workspace: Workspace;
  let human: Human;
  let api: Api;
  before(async () => {
    served = await startServe();
    workspace = served.sandbox.open({ clock: Date.now });
    human = enrolledHuman(workspace);
    api = await openApi(served, 'worker-001');
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  let count = 0;
  async function raise(): Promise<string> {
    const { body, status } = await api.call('POST', '/blockers', { question: `What now, ${String(count++)}?` });
    assert.equal(status, 201);
    return String(body['id']);
  }
  const where = () => ({ origin: served.origin, token: api.token });
  const typesAbout = ({ events }: Following, id: string) =>
    events.filter((event) => event['blocker_id'] === id).map(({ type }) => type);
  const inJournal = () => positionsOf(workspace);
  const resumed = ['blocker_created', 'blocker_resolved', 'agent_resumed'];

  async function answerOne(): Promise<string> {
    const id = await raise();
    await decide(workspace, human, id);
    await api.call('POST', '/await_answer', { id });
    return id;
  }

  for (const [name, follow] of [
    ['of server-sent events', followEvents],
    ['over a WebSocket', followSocket],
  ] as const) {
    it(`${name} has the events of a blocker`, async () => {
      const following = await follow(where());
      const id = await answerOne();
      await until('the agent resumed', () => typesAbout(following, id).includes('agent_resumed'));
      following.stop();
      assert.deepEqual(typesAbout(following, id), resumed);
      const created = following.events.find(({ type }) => type === 'blocker_created');
      assert.deepEqual(
        [created?.['agent_id'], created?.['blocker_type'], created?.['task_id']],
        ['worker-001', 'SYNC', null],
      );
    });

    it(`${name} continues after any position, with the very same events`, async () => {
      const all = await follow({ ...where(), since: beginning });
      const expected = await inJournal();
      await until('everything', () => all.events.length >= expected.length);
      all.stop();
      assert.deepEqual(
        all.events.map(({ position }) => position),
        expected,
      );
      for (const [at, position] of expected.entries()) {
        if (at % 5 !== 0) continue;
        const rest = await follow({ ...where(), since: position });
        await until('the rest', () => rest.events.length >= expected.length - at - 1);
        rest.stop();
        assert.deepEqual(
          rest.events.map((event) => event.position),
          expected.slice(at + 1),
        );
      }
    });
  }

  it('loses nothing and repeats nothing over killed servers', async () => {
    const seen: string[] = [];
    let since = (await followOnce(beginning)).position;
    for (let turn = 0; turn < 4; turn += 1) {
      const port = new URL(served.origin).port;
      const live = await followEvents({ ...where(), since });
      const writing = Array.from({ length: 5 }, () => raise().catch(() => null));
      await until('some of them', () => live.events.length > turn);
      await served.kill();
      await Promise.all(writing);
      seen.push(...live.events.map(({ position }) => position));
      since = live.position();
      // While there is no server.
      await served.agent('question', 'create', '--text', `In between, ${String(turn)}?`);
      served = await startServe(served.sandbox, ['--port', port]);
    }
    const last = await followOnce(since);
    seen.push(...last.seen);
    assert.deepEqual(seen, (await inJournal()).slice(-seen.length));
    assert.equal(new Set(seen).size, seen.length);

    async function followOnce(from: string) {
      const following = await followEvents({ ...where(), since: from });
      const end = (await inJournal()).at(-1) ?? '';
      await until('the end of the journal', () => following.position() === end);
      following.stop();
      return { position: following.position(), seen: following.events.map(({ position }) => position) };
    }
  });

  it('has only the wanted types, with unchanged positions', async () => {
    const following = await followEvents({ ...where(), query: '?type=blocker_resolved,agent_resumed' });
    const id = await answerOne();
    await until('both', () => typesAbout(following, id).length === 2);
    following.stop();
    assert.deepEqual(typesAbout(following, id), resumed.slice(1));
    assert.ok((await inJournal()).includes(following.position()));
  });

  it('refuses positions of another journal, before it begins', async () => {
    const [some = ''] = await inJournal();
    const other = some.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const since of [other, '12', 'x', '99999999.1.0123456789abcdef', '-1', `${some} `]) {
      const { status, body } = await api.call('GET', `/events?since=${encodeURIComponent(since)}`);
      assert.equal(status, 422, since);
      assert.match(String(body['detail']), /position/);
      await assert.rejects(followSocket({ ...where(), since: encodeURIComponent(since) }), /422/);
    }
  });

  it('needs a token, in the header only', async () => {
    await assert.rejects(followEvents({ ...where(), token: 'hpt_wrong' }), /401/);
    await assert.rejects(followSocket({ ...where(), token: 'hpt_wrong' }), /401/);
    const { status } = await send(served.origin, { path: `/api/events?token=${api.token}&access_token=${api.token}` });
    assert.equal(status, 401);
  });

  it('is not opened for other sites, hosts and protocols', async () => {
    const open = (headers: Readonly<Record<string, string>>) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`${served.origin.replace('http', 'ws')}/api/events`, {
          headers: { authorization: `Bearer ${api.token}`, ...headers },
          family: 4,
        });
        socket.on('open', () => {
          resolve('open');
          socket.terminate();
        });
        socket.on('error', ({ message }) => {
          resolve(message);
        });
      });
    assert.equal(await open({}), 'open');
    assert.equal(await open({ origin: served.origin }), 'open');
    assert.match(await open({ origin: 'https://evil.example' }), /403/);
    assert.match(await open({ origin: 'null' }), /403/);
    assert.match(await open({ host: 'evil.example' }), /421/);
    assert.match(await open({ 'sec-fetch-site': 'cross-site' }), /403/);
    const other = await new Promise<string>((resolve) => {
      const { hostname, port } = new URL(served.origin);
      const headers = { connection: 'upgrade', upgrade: 'h2c' };
      const sent = request({ hostname, port, path: '/api/events', headers, family: 4 });
      sent.on('upgrade', () => {
        resolve('upgraded');
      });
      sent.on('response', ({ statusCode }) => {
        resolve(String(statusCode));
      });
      sent.on('error', () => {
        resolve('closed');
      });
      sent.end();
    });
    assert.equal(other, 'closed');
  });

  it('ends soon after its token was removed', async () => {
    const brief = await openApi(served, 'brief-001');
    const streams = [
      await followEvents({ ...where(), token: brief.token }),
      await followSocket({ ...where(), token: brief.token }),
    ];
    await served.agent('serve', 'token', 'remove', 'brief-001');
    await until('both have ended', () => streams.every(({ isEnded }) => isEnded()));
  });

  it('closes a WebSocket that sends more than pongs', async () => {
    const socket = new WebSocket(`${served.origin.replace('http', 'ws')}/api/events`, {
      headers: { authorization: `Bearer ${api.token}` },
      family: 4,
    });
    const code = await new Promise<number>((resolve) => {
      socket.on('open', () => {
        socket.send('x'.repeat(10_000));
      });
      socket.on('close', resolve);
    });
    assert.equal(code, 1009);
  });

  it('has texts of agents as data', async () => {
    const following = await followEvents(where());
    const question = 'data: x\n\nid: 0\nevent: ping\n\r\n</script>\u2028 \u202e [x](javascript:alert(1))';
    const { body } = await api.call('POST', '/blockers', { question });
    await until('it came', () => typesAbout(following, String(body['id'])).length > 0);
    following.stop();
    assert.equal(following.events.find((event) => event['blocker_id'] === body['id'])?.['question'], question.trim());
  });
});

// Streams that begin while the journal is being read and written: each gets every event after its position, once.

/** More than are read in one turn of the event loop. */
const earlier = 300;

interface Client {
  readonly since: string | null;
  readonly leaving: AbortController;
  readonly positions: string[];
  begin: string;
}

async function post(workspace: Workspace, count: number): Promise<void> {
  const store = await workspace.store();
  for (let one = 0; one < count; one += 1)
    await postEvent(store, agent(), {
      type: 'discovery',
      priority: 'normal',
      text: 'Something.',
      scopes: [],
      related: [],
    });
  workspace.changed();
}

async function positionsOf(workspace: Workspace): Promise<string[]> {
  const events: StreamEvent[] = [];
  const reading = readEvents(workspace, (_, some) => events.push(...some));
  await reading.advance(new AbortController().signal);
  reading.close();
  return events.map(({ position }) => position);
}

/** @param isSlow whether it takes an event in each turn only */
function join(workspace: Workspace, since: string | null, isSlow: boolean): Client {
  const client: Client = { since, leaving: new AbortController(), positions: [], begin: '' };
  const { signal } = client.leaving;
  const options = { workspace, since, types: [], isStillAllowed: () => true, onEnd: () => undefined };
  openStream(options).then(
    ({ attach, end }) => {
      if (signal.aborted) end();
      signal.addEventListener('abort', end);
      attach({
        async write({ position }) {
          if (client.begin === '') client.begin = position ?? '';
          else client.positions.push(position ?? '');
          if (isSlow) await nextTurn();
        },
        ping: () => undefined,
        close: () => undefined,
      });
    },
    (error: unknown) => assert.fail(String(error)),
  );
  return client;
}

const step = fc.oneof(
  fc.record({ act: fc.constant('post' as const), count: fc.integer({ min: 1, max: 30 }) }),
  fc.record({
    act: fc.constant('join' as const),
    since: fc.option(fc.nat({ max: earlier }), { freq: 3 }),
    isSlow: fc.boolean(),
  }),
  fc.record({ act: fc.constant('leave' as const), client: fc.nat({ max: 10 }) }),
  fc.record({ act: fc.constant('turns' as const), count: fc.integer({ min: 1, max: 8 }) }),
);

describe('streams of one workspace', () => {
  afterEach(removeSandboxes);

  it('gives each client every event after its position, once and in order, while others write', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
        const sandbox = makeSandbox(inMemory);
        const workspace = sandbox.open();
        await post(workspace, earlier);
        const there = [beginning, ...(await positionsOf(workspace))];
        const clients = [join(workspace, beginning, false)];
        for (const one of steps) {
          if (one.act === 'post') await post(workspace, one.count);
          else if (one.act === 'join')
            clients.push(join(workspace, one.since === null ? null : (there[one.since] ?? beginning), one.isSlow));
          else if (one.act === 'leave') clients[one.client]?.leaving.abort();
          else for (let turn = 0; turn < one.count; turn += 1) await nextTurn();
        }
        await post(workspace, 1);
        const all = [beginning, ...(await positionsOf(workspace))];
        const staying = clients.filter(({ leaving }) => !leaving.signal.aborted);
        // One that begins after what is there may begin after the last.
        await until('each has the last event', () =>
          staying.every(({ begin, positions }) => (positions.at(-1) ?? begin) === all.at(-1)),
        );
        for (const { leaving } of staying) leaving.abort();
        for (const { since, begin, positions, leaving } of clients) {
          if (since !== null && positions.length > 0) assert.equal(begin, since);
          const expected = all.slice(all.indexOf(begin) + 1);
          const isLeft = !staying.some((one) => one.leaving === leaving);
          assert.deepEqual(positions, isLeft ? expected.slice(0, positions.length) : expected);
        }
        sandbox.remove();
      }),
      { numRuns: 10, endOnFailure: true, examples: [[[{ act: 'join', since: null, isSlow: false }]]] },
    );
  });
});
