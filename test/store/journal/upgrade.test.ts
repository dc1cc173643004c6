import assert from 'node:assert/strict';
import fs from 'node:fs';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion, type RaiseInput } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { format, lastOfDevelopment } from '../../../src/core/records/parts.ts';
import { writeByHand } from '../../support/store/handwriting.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

/** A question holds T1. */
async function held(): Promise<Sandbox> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const store = await workspace.store();
  await registerWork(store, agent(), { id: 'T1', title: 'First' });
  await raiseQuestion(store, agent(), { ...asked, work: 'T1' });
  workspace.close();
  return sandbox;
}

const asked = { text: 'Which way?', type: 'clarification', urgency: 'low', mode: 'sync' } as const;

describe('a store of a development version', () => {
  afterEach(removeSandboxes);

  it('holds what it held, and goes on, whatever format it asked for', async () => {
    const sandbox = await held();
    for (let one = 2; one <= lastOfDevelopment; one++)
      writeByHand(sandbox.journal, [{ kind: 'format.changed', v: 1, minReader: one, minWriter: one }]);
    const workspace = sandbox.open();
    const store = await workspace.store();
    assert.equal(store.readOnly, false);
    assert.equal(askGate(workspace, { work: 'T1' }).verdict, 'deny');
    const { question } = await raiseQuestion(store, agent(), { ...asked, text: 'And now?', work: 'T1' });
    const human = enrolledHuman(workspace);
    for (const id of ['Q-1', question.id]) await decide(workspace, human, id);
    assert.equal(askGate(workspace, { work: 'T1' }).verdict, 'allow');
    const { state } = store.read();
    assert.deepEqual(state.workspace?.minReader, format.current);
    assert.deepEqual(state.refusals, []);
  });
});

describe('a store with former precedents', () => {
  afterEach(removeSandboxes);

  it('opens, holds again what they answered, and takes a signed answer', async () => {
    const sandbox = makeSandbox();
    const before = sandbox.open();
    const human = enrolledHuman(before);
    const ask: RaiseInput = {
      text: 'Add `vue`?',
      type: 'decision',
      urgency: 'low',
      mode: 'sync',
      work: null,
      holds: ['src'],
    };
    await raiseQuestion(await before.store(), agent(), ask);
    before.close();
    const used = { kind: 'precedent.used', v: 1, id: 'Q-1', precedent: 'P-1' };
    writeByHand(sandbox.journal, [{ kind: 'precedent.set', v: 1, id: 'P-1', uses: 3 }, used]);
    const workspace = sandbox.open();
    const store = await workspace.store();
    // Where it was answered, the agent could ask the same again.
    const { question } = await raiseQuestion(store, agent(), ask);
    assert.equal(question.id, 'Q-2');
    await decide(workspace, human, 'Q-2');
    const isHeld = () => askGate(workspace, { files: ['src/one'] }).verdict === 'deny';
    assert.equal(isHeld(), true);
    await decide(workspace, human, 'Q-1');
    assert.equal(isHeld(), false);
  });
});

describe('a store of a later version', () => {
  afterEach(removeSandboxes);
  const next = lastOfDevelopment + 1;

  it('is not read: UNKNOWN, which denies and asks for an update', async () => {
    const sandbox = await held();
    writeByHand(sandbox.journal, [{ kind: 'format.changed', v: 1, minReader: next, minWriter: next }]);
    const workspace = sandbox.open();
    const { problem } = workspace.standing();
    assert.equal(problem?.code, 'newer');
    assert.match(problem.message, /written by a newer Holdpoint.*Agents are paused.* Update Holdpoint/s);
    assert.deepEqual([askGate(workspace, { work: 'T1' }).verdict, askGate(workspace, {}).state], ['deny', 'UNKNOWN']);
    const before = fs.readFileSync(sandbox.journal);
    const store = await workspace.store();
    assert.throws(() => store.read(), /newer Holdpoint/);
    await assert.rejects(
      async () => store.transact(agent().actor, () => assert.fail('nothing is decided')),
      /newer Holdpoint/,
    );
    workspace.close();
    assert.deepEqual(fs.readFileSync(sandbox.journal), before);
  });

  it('is read-only where only writers must be newer', async () => {
    const sandbox = await held();
    writeByHand(sandbox.journal, [{ kind: 'format.changed', v: 1, minReader: 1, minWriter: next }]);
    const workspace = sandbox.open();
    const before = fs.readFileSync(sandbox.journal);
    const store = await workspace.store();
    assert.equal(store.readOnly, true);
    assert.equal(store.read().state.questions.size, 1);
    await assert.rejects(
      async () =>
        store.transact(agent().actor, () => ({ records: [{ kind: 'question.expired', v: 1, id: 'Q-1' }], result: 0 })),
      /update this one to write to it/,
    );
    assert.equal(askGate(workspace, { work: 'T1' }).verdict, 'deny');
    assert.deepEqual(fs.readFileSync(sandbox.journal), before);
  });
});
