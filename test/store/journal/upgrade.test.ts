import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import type { RaiseInput } from '../../../src/app/question/raise.ts';
import { format } from '../../../src/core/records/format.ts';
import { readings } from '../../support/store/everything.ts';
import { writeByHand } from '../../support/store/handwriting.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';

const stores = path.join(import.meta.dirname, '..', '..', 'fixtures', 'stores');

/** A copy of the store written by a released version, with the keys its machine trusted. */
function stored(version: string): { readonly sandbox: Sandbox; readonly expected: object } {
  const sandbox = makeSandbox();
  const from = path.join(stores, version);
  for (const folder of [path.dirname(sandbox.journal), sandbox.userFolder])
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.copyFileSync(path.join(from, 'journal.jsonl'), sandbox.journal);
  fs.copyFileSync(path.join(from, 'keys.json'), path.join(sandbox.userFolder, 'keys.json'));
  const kept = JSON.parse(fs.readFileSync(path.join(from, 'expected.json'), 'utf8')) as {
    now: number;
    readings: object;
  };
  sandbox.clock.now = kept.now;
  return { sandbox, expected: kept.readings };
}

/** The values known to that version, without later additions. */
function asThen(now: unknown, then: unknown): unknown {
  if (Array.isArray(now) && Array.isArray(then)) return now.map((one, index) => asThen(one, then[index]));
  if (typeof now !== 'object' || now === null || typeof then !== 'object' || then === null) return now;
  const known = now as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(then).map(([name, value]) => [name, asThen(known[name], value)]));
}

describe('a store of an earlier version', () => {
  afterEach(removeSandboxes);

  for (const version of fs.readdirSync(stores)) {
    it(`${version} opens with the same content, and can be written`, async () => {
      const { sandbox, expected } = stored(version);
      const workspace = sandbox.open();
      const store = await workspace.store();
      const read: unknown = JSON.parse(JSON.stringify(readings(store.read())));
      assert.deepEqual(asThen(read, expected), expected);
      assert.equal(askGate(workspace, { work: 'T1' }).verdict, 'deny');
      const { question } = await raiseQuestion(store, agent(), {
        text: 'And now?',
        type: 'clarification',
        urgency: 'low',
        mode: 'sync',
        work: 'T3',
      });
      workspace.close();
      const again = sandbox.open();
      assert.ok((await again.store()).read().state.questions.has(question.id));
    });
  }
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
  const next = format.current + 1;

  it('is not read: UNKNOWN, which denies and asks for an update', async () => {
    const { sandbox } = stored('0.1.0');
    writeByHand(sandbox.journal, [{ kind: 'format.changed', v: 1, minReader: next, minWriter: next }]);
    const workspace = sandbox.open();
    const { problem } = workspace.standing();
    assert.equal(problem?.code, 'newer');
    assert.match(problem.message, /written by a newer Holdpoint.*Agents are paused.* Update Holdpoint/s);
    assert.deepEqual([askGate(workspace, { work: 'T3' }).verdict, askGate(workspace, {}).state], ['deny', 'UNKNOWN']);
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
    const { sandbox } = stored('0.1.0');
    writeByHand(sandbox.journal, [{ kind: 'format.changed', v: 1, minReader: 1, minWriter: next }]);
    const workspace = sandbox.open();
    const before = fs.readFileSync(sandbox.journal);
    const store = await workspace.store();
    assert.equal(store.readOnly, true);
    assert.equal(store.read().state.questions.size, 6);
    await assert.rejects(
      async () =>
        store.transact(agent().actor, () => ({ records: [{ kind: 'question.expired', v: 1, id: 'Q-3' }], result: 0 })),
      /update this one to write to it/,
    );
    assert.equal(askGate(workspace, { work: 'T1' }).verdict, 'deny');
    assert.deepEqual(fs.readFileSync(sandbox.journal), before);
  });
});
