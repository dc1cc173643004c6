import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { questionView, waitingOrder } from '../../../src/app/question/views.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { rfcView } from '../../../src/app/rfc/views.ts';
import { peopleFormat } from '../../../src/core/records/records.ts';
import type { RecordInput } from '../../../src/core/records/records.ts';
import type { Store } from '../../../src/store/store.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const question = { text: 'Rotate the key?', type: 'decision', urgency: 'high', mode: 'sync', work: null } as const;
const rfc = { title: 'Keys', workflows: [], tasks: [], holds: ['keys'], contexts: [], submit: true };

describe('whom a question or RFC is for', () => {
  after(removeSandboxes);

  it('is kept, shown, part of what is signed, and binds nobody', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    const grace = enrolledHuman(workspace, 'grace');
    await raiseQuestion(store, agent(), { ...question, for: ' ada ' });
    await proposeRfc(store, agent(), { ...rfc, for: 'security' });
    assert.equal(questionView(store.read(), 'Q-1')?.for, 'ada');
    assert.equal(waitingOrder(store.read().state)[0]?.for, 'ada');
    assert.equal(rfcView(store.read(), 'RFC-1')?.for, 'security');
    assert.equal((await decide(workspace, grace, 'Q-1')).outcome, 'decided');
  });

  it('asks for programs that know it, also in records written by hand', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    await raiseQuestion(store, agent(), question);
    const before = store.read().state.workspace?.minReader ?? 0;
    assert.ok(before < peopleFormat);
    const raised = { ...question, text: 'Another?', kind: 'question.raised', v: 1, id: 'Q-2' } as const;
    await write(store, { ...raised, for: 'ada', expiresAt: '2027-01-01T00:00:00.000Z' });
    assert.equal(store.read().state.questions.has('Q-2'), false);
    await raiseQuestion(store, agent(), { ...question, text: 'A third?', for: 'ada' });
    assert.equal(store.read().state.workspace?.minReader, peopleFormat);
  });

  it('is one line of at most 100 characters', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    for (const name of ['ada\ngrace', 'x'.repeat(101), ' '])
      await assert.rejects(async () => raiseQuestion(store, agent(), { ...question, for: name }), /for: must/);
  });
});

async function write(store: Store, record: RecordInput): Promise<void> {
  await assert.rejects(async () => store.transact(agent().actor, () => ({ records: [record], result: randomUUID() })));
}
