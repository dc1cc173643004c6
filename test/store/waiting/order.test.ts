/** The order of waiting questions, and the latest decisions: what the tree and the forms are drawn from. */
import assert from 'node:assert/strict';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { recentlyDecided } from '../../../src/app/question/views.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { confirmableCount, countOf, criticalIn, orderOf, widenedIn } from '../../../src/ui/kit/order.ts';
import { agent, askAgent, cancel, decide, holdFiles, release } from '../../support/store/people.ts';
import { removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

describe('the order of waiting questions', () => {
  afterEach(removeSandboxes);

  async function setting() {
    const { sandbox, workspace, human, store } = await withHuman();
    await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Clean up' });
    const asked = { type: 'decision', urgency: 'medium', mode: 'sync', work: 'T1' } as const;
    const ask = async (text: string) => (await raiseQuestion(store, agent(), { ...asked, text })).question.id;
    const order = () => orderOf(workspace, store.read().state);
    return { sandbox, workspace, human, store, ask, order };
  }

  it('is computed once for a position of the journal, and again after it', async () => {
    const { sandbox, workspace, human, ask, order } = await setting();
    const id = await ask('What now?');
    const first = order();
    assert.equal(order(), first);
    // A program beside this one.
    const other = await sandbox.open().store();
    const question = { type: 'decision', urgency: 'critical', mode: 'sync', work: 'T1', text: 'And then?' } as const;
    const { question: second } = await raiseQuestion(other, agent('other-001'), question);
    assert.deepEqual(
      order().map((one) => one.id),
      [second.id, id],
    );
    await decide(workspace, human, second.id);
    assert.deepEqual(
      order().map((one) => one.id),
      [id],
    );
  });

  it('has counts beside it, which follow every act', async () => {
    const { workspace, human, store } = await setting();
    const counts = () => {
      const { state } = store.read();
      return {
        waiting: countOf(workspace, state),
        critical: criticalIn(workspace, state).map(({ id }) => id),
        widened: widenedIn(workspace, state).map(({ id }) => id),
        confirmable: [undefined, 'copilot-001', 'other-001'].map((id) => confirmableCount(workspace, state, id)),
      };
    };
    const none = { waiting: 0, critical: [], widened: [], confirmable: [0, 0, 0] };
    assert.deepEqual(counts(), none);
    const asked = { type: 'decision', urgency: 'critical', mode: 'sync', work: 'T1', text: 'What now?' } as const;
    await raiseQuestion(store, agent(), asked);
    const one = { ...none, waiting: 1, critical: ['Q-1'] };
    assert.deepEqual(counts(), one);
    const assumed = { type: 'decision', urgency: 'low', mode: 'async', work: null, assumption: 'Yes.' } as const;
    await raiseQuestion(store, agent('other-001'), { ...assumed, text: 'May I?' });
    const two = { ...one, waiting: 2, confirmable: [1, 0, 1] };
    assert.deepEqual(counts(), two);
    await holdFiles(workspace, human, 'Q-1', 'all');
    assert.deepEqual(counts(), { ...two, widened: ['Q-1'] });
    await askAgent(workspace, human, 'Q-1');
    assert.deepEqual(counts(), { ...two, waiting: 1, widened: ['Q-1'] });
    await decide(workspace, human, 'Q-1');
    assert.deepEqual(counts(), { ...two, waiting: 1, critical: [] });
    await decide(workspace, human, 'Q-2', cancel);
    assert.deepEqual(counts(), none);
  });

  it('has the latest decisions of humans beside it, newest first', async () => {
    const { sandbox, workspace, human, store, ask } = await setting();
    const ids: string[] = [];
    for (const text of ['One?', 'Two?', 'Three?', 'Four?']) ids.push(await ask(text));
    const [one = '', two = '', three = ''] = ids;
    for (const [id, verdict] of [
      [three, cancel],
      [one, undefined],
      [two, release],
    ] as const) {
      sandbox.clock.now += 1_000;
      await decide(workspace, human, id, verdict);
    }
    const decided = (atMost: number) => recentlyDecided(store.read(), atMost).map(({ id }) => id);
    assert.deepEqual(decided(10), [two, one, three]);
    assert.deepEqual(decided(2), [two, one]);
  });
});
