/** A program that can see that it has lost the race for the next line writes nothing. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { walkJournal } from '../../../src/store/journal/journalWalk.ts';
import { createTrust } from '../../../src/trust/envelope.ts';
import { ask, setStage } from '../../support/faults/stage.ts';
import { inMemory, makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

describe('a program that lost the race before it wrote', () => {
  afterEach(removeSandboxes);

  it('starts over and leaves no void line', async () => {
    const sandbox = makeSandbox(inMemory);
    await setStage(sandbox.open());
    const [one, other] = [await sandbox.open().store(), await sandbox.open().store()];
    const others: Promise<unknown>[] = [];
    let runs = 0;
    await one.transact({ kind: 'agent', id: 'a-1' }, () => {
      runs++;
      // A local commit is done before its promise is returned.
      if (others.length === 0) others.push(ask(other, 'First?', null));
      return { records: [{ kind: 'agent.registered', v: 1, id: 'a-1', type: 'a', host: 'h', label: 'l' }], result: 0 };
    });
    await Promise.all(others);
    assert.equal(runs, 2);
    const walk = walkJournal({ trust: createTrust(() => []) });
    for (const _ of walk.follow(fs.readFileSync(sandbox.journal)));
    assert.equal(walk.voids, 0);
    assert.ok([...walk.state.questions.values()].some(({ raised }) => raised?.text === 'First?'));
    assert.ok(walk.state.agents.has('a-1'));
  });
});
