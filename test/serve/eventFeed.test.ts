/** Streams that begin while the journal is being read and written: each gets every event after its position, once. */
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { postEvent } from '../../src/app/memory/events.ts';
import { pastEvents } from '../../src/app/waiting/pastEvents.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { beginning } from '../../src/core/waiting/eventStream.ts';
import { eventFeed, type EventFeed } from '../../src/serve/api/eventFeed.ts';
import { agent } from '../support/store/people.ts';
import { inMemory, makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';

/** Smaller than what these tests write, so that clients are further behind than the feed keeps. */
const limits = { kept: 20, readAtOnce: 15 };
/** More than are read in one turn of the event loop. */
const before = 300;

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
  const events = await pastEvents(workspace, 100_000).after(beginning);
  return events.map(({ position }) => position);
}

/** @param isSlow whether it takes an event in each turn only */
function join(feed: EventFeed, since: string | null, isSlow: boolean): Client {
  const client: Client = { since, leaving: new AbortController(), positions: [], begin: '' };
  const follower = {
    begin(position: string) {
      client.begin = position;
    },
    async event({ position }: { readonly position: string }) {
      client.positions.push(position);
      if (isSlow) await nextTurn();
    },
    end(error: unknown) {
      assert.equal(error, null);
    },
  };
  feed.follow({ since, signal: client.leaving.signal }, follower).catch((error: unknown) => assert.fail(String(error)));
  return client;
}

const step = fc.oneof(
  fc.record({ act: fc.constant('post' as const), count: fc.integer({ min: 1, max: 30 }) }),
  fc.record({
    act: fc.constant('join' as const),
    since: fc.option(fc.nat({ max: before }), { freq: 3 }),
    isSlow: fc.boolean(),
  }),
  fc.record({ act: fc.constant('leave' as const), client: fc.nat({ max: 10 }) }),
  fc.record({ act: fc.constant('turns' as const), count: fc.integer({ min: 1, max: 8 }) }),
);

describe('the feed of all streams', () => {
  afterEach(removeSandboxes);

  it('gives each client every event after its position, once and in order, while others write', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
        const sandbox = makeSandbox(inMemory);
        const workspace = sandbox.open();
        await post(workspace, before);
        const there = [beginning, ...(await positionsOf(workspace))];
        const feed = eventFeed(workspace, limits);
        const clients = [join(feed, beginning, false)];
        for (const one of steps) {
          if (one.act === 'post') await post(workspace, one.count);
          else if (one.act === 'join')
            clients.push(join(feed, one.since === null ? null : (there[one.since] ?? beginning), one.isSlow));
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
        feed.dispose();
        for (const { since, begin, positions, leaving } of clients) {
          if (since !== null && positions.length > 0) assert.equal(begin, since);
          const expected = all.slice(all.indexOf(begin) + 1);
          const isLeft = leaving.signal.aborted;
          assert.deepEqual(positions, isLeft ? expected.slice(0, positions.length) : expected);
        }
        sandbox.remove();
      }),
      { numRuns: 10, endOnFailure: true, examples: [[[{ act: 'join', since: null, isSlow: false }]]] },
    );
  });
});
