import assert from 'node:assert/strict';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { finish } from '../../../src/core/kit/finish.ts';
import { dump } from '../../support/store/dump.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const count = 40;
const question = { type: 'clarification', urgency: 'medium', mode: 'sync', work: null } as const;

/** A store with a saved state, of which one question is decided and one was asked after it. */
async function saved() {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const human = enrolledHuman(workspace);
  const store = await workspace.store();
  for (let number = 1; number <= count; number++)
    await raiseQuestion(store, agent(), { ...question, text: `Which way, number ${String(number)}?` });
  await decide(workspace, human, 'Q-7');
  const steps = store.saving(0);
  assert.ok(steps);
  finish(steps);
  await raiseQuestion(store, agent(), { ...question, text: 'And now?' });
  const before = dump(store.read());
  workspace.close();
  return { sandbox, before };
}

describe('loading the questions of a saved state in steps', () => {
  afterEach(removeSandboxes);

  it('comes to the same state', async () => {
    const { sandbox, before } = await saved();
    const store = await sandbox.open({ inSteps: true }).store();
    assert.equal(store.read().state.questions.size, count + 1);
    assert.deepEqual(dump(store.read()), before);
  });

  it('does not mind acts in between', async () => {
    const { sandbox } = await saved();
    const workspace = sandbox.open({ inSteps: true });
    const opening = workspace.store();
    await raiseQuestion(await sandbox.open().store(), agent(), { ...question, text: 'By another program?' });
    const store = await opening;
    await raiseQuestion(store, agent(), { ...question, text: 'And by this one?' });
    const whole = await sandbox.open().store();
    assert.deepEqual(dump(store.read()), dump(whole.read()));
  });
});
