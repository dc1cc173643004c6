/** Two hundred open pages of the running server. */
import assert from 'node:assert/strict';
import type { InboxSnapshot } from '../../src/protocol/serve/browser.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { startServe } from './program.ts';
import type { Served } from './program.ts';
import { addPasskey, openStreams } from './streams.ts';
import type { Streams } from './streams.ts';

const pages = 200;

describe('two hundred open pages', function () {
  this.timeout(120_000);
  let served: Served;
  let streams: Streams;
  before(async () => {
    served = await startServe();
    const workspace = served.sandbox.open({ clock: Date.now });
    await served.agent('work', 'register', '--id', 't-1', '--title', 'API tokens');
    const passkey = addPasskey(workspace, served.origin);
    workspace.close();
    streams = await openStreams(served.origin, passkey, pages);
  });
  after(async () => {
    streams.close();
    await served.stop();
    removeSandboxes();
  });

  /** The rows that each page shows by now. */
  function labels(): string[][] {
    return Array.from({ length: pages }, (_, page) => {
      const last = streams.events.findLast(({ stream, event }) => stream === page && event === 'inbox');
      const { groups } = last ? (JSON.parse(last.data) as InboxSnapshot) : { groups: [] };
      return groups.flatMap(({ rows }) => rows.map(({ label }) => label));
    });
  }

  it('all show each question that an agent asks', async () => {
    const texts = ['JWT or sessions?', 'Which colour?', 'Drop the table?'];
    for (const text of texts)
      assert.equal((await served.agent('question', 'create', '--text', text, '--blocking-task-id', 't-1')).code, 0);
    await until('each page shows all questions', () => labels().every((shown) => shown.length === texts.length));
    const [first] = labels();
    assert.deepEqual(first?.toSorted(), texts.toSorted());
    for (const shown of labels()) assert.deepEqual(shown, first);
  });
});
