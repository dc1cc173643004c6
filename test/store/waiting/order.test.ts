/** The order of waiting questions, and the latest decisions: what the tree and the forms are drawn from. */
import assert from 'node:assert/strict';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { recentlyDecided } from '../../../src/app/question/views.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { orderOf } from '../../../src/vscode/waiting/order.ts';
import { agent, cancel, decide, enrolledHuman, release } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

describe('the order of waiting questions', () => {
  afterEach(removeSandboxes);

  async function setting() {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    const human = enrolledHuman(workspace);
    const store = await workspace.store();
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
