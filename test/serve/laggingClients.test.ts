/** Clients of the stream of events that take nothing for a while: others go on, and they lose nothing. */
import assert from 'node:assert/strict';
import { postEvent } from '../../src/app/memory/events.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { agent } from '../support/store/people.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { followEvents, followSocket, type Following } from './following.ts';
import { newToken, startServe, type Served } from './program.ts';

/** Longer as JSON, where invisible characters are escaped: 60,000 characters. */
const longText = `x${'\u200b'.repeat(9_998)}`;
const portions = 25;
const ofOnePortion = 10;

describe('a client that takes nothing from its stream', () => {
  let served: Served;
  let workspace: Workspace;
  let token: string;
  before(async () => {
    served = await startServe();
    workspace = served.sandbox.open({ clock: Date.now });
    await post('First.');
    token = await newToken(served, 'worker', 'worker-001');
  });
  after(async () => {
    await served.stop();
    removeSandboxes();
  });

  async function post(text: string): Promise<void> {
    const store = await workspace.store();
    await postEvent(store, agent(), { type: 'discovery', priority: 'normal', text, scopes: [], related: [] });
  }

  const positions = ({ events }: Following) => events.map(({ position }) => position);

  for (const [name, follow] of [
    ['of server-sent events', followEvents],
    ['over a WebSocket', followSocket],
  ] as const)
    it(`${name} gets the rest when it takes again, while others get everything`, async () => {
      const where = { origin: served.origin, token };
      const [slow, quick] = await Promise.all([follow(where), follow(where)]);
      const since = slow.position();
      slow.pause();
      // More than the connection keeps for one client, in portions that the quick one takes.
      for (let portion = 1; portion <= portions; portion += 1) {
        for (let one = 0; one < ofOnePortion; one += 1) await post(longText);
        await until('the quick one has it', () => quick.events.length === portion * ofOnePortion);
      }
      assert.ok(slow.events.length < quick.events.length, 'it took nothing');
      slow.resume();
      // One that answers no ping in the meantime is taken for lost.
      const hasAll = (more = 0) => slow.events.length + more === quick.events.length;
      await until('it has the rest, or has ended', () => hasAll() || slow.isEnded());
      const again = await follow({ ...where, since: slow.events.at(-1)?.position ?? since });
      await until('it has the rest', () => hasAll(again.events.length));
      assert.equal(quick.isEnded(), false);
      assert.deepEqual([...positions(slow), ...positions(again)], positions(quick));
      for (const following of [slow, again, quick]) following.stop();
    });
});
