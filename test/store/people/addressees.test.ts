import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { questionView, waitingOrder } from '../../../src/app/question/views.ts';
import { briefingOf } from '../../../src/app/memory/briefing.ts';
import { decideRfc, shownRfcHash } from '../../../src/app/rfc/decisions.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { rfcView } from '../../../src/app/rfc/views.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { briefingText } from '../../../src/core/memory/briefingText.ts';
import type { RecordInput } from '../../../src/core/records/records.ts';
import type { Store } from '../../../src/store/store.ts';
import { runOperation, type Operation } from '../../../src/tools/kit/operation.ts';
import { listQuestions } from '../../../src/tools/question/waiting.ts';
import { listRfcs, updateRfc } from '../../../src/tools/rfc/operations.ts';
import { agent, signedBy, decide, enrolledHuman } from '../../support/store/people.ts';
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

  it('is in the briefing and in lists', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    await raiseQuestion(store, agent(), { ...question, for: 'ada' });
    await raiseQuestion(store, agent(), { ...question, text: 'For whom?' });
    await proposeRfc(store, agent(), { ...rfc, for: 'security' });
    const { briefing } = briefingOf(workspace, store.read(), { focus: null, agent: undefined });
    assert.deepEqual(
      briefing.waiting.items.map(({ id, for: to }) => [id, to]),
      [
        ['Q-1', 'ada'],
        ['Q-2', undefined],
        ['RFC-1', 'security'],
      ],
    );
    const text = briefingText(briefing);
    assert.match(text, /- Q-1 "Rotate the key\?" waits for a human, for ada \(/);
    assert.match(text, /- Q-2 "For whom\?" waits for a human \(/);
    const call = callOf(workspace);
    assert.match((await call(listQuestions, {})).text, /Q-1 · .* · copilot-001 · for ada · Rotate/);
    assert.match((await call(listRfcs, {})).text, /RFC-1 · .* · copilot-001 · for security · /);
  });

  it('of an RFC is changed by its author, until it is decided', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    const grace = enrolledHuman(workspace, 'grace');
    const call = callOf(workspace);
    const to = () => rfcView(store.read(), 'RFC-1')?.for;
    await proposeRfc(store, agent(), rfc);
    assert.equal((await call(updateRfc, { id: 'RFC-1', for: 'ada' })).status, 'ok');
    assert.equal(to(), 'ada');
    const position = () => store.position.position;
    const before = position();
    await call(updateRfc, { id: 'RFC-1', for: 'ada' });
    assert.equal(position(), before, 'no record without a change');
    const other = await call(updateRfc, { id: 'RFC-1', for: 'linus' }, agent('claude-002'));
    assert.equal(other.status, 'denied');
    await write(store, { kind: 'rfc.addressed', v: 1, id: 'RFC-1', to: 'linus' }, agent('claude-002'));
    assert.equal(to(), 'ada');
    await call(updateRfc, { id: 'RFC-1', for: 'everybody' });
    assert.equal(to(), null);
    const { state } = store.read();
    const shown = state.rfcs.get('RFC-1');
    assert.ok(shown);
    const signing = signedBy(store, grace);
    const verdict = { kind: 'approve', conditions: [], constraints: [] } as const;
    const decided = await decideRfc(signing, 'RFC-1', verdict, shownRfcHash(state, shown));
    assert.equal(decided.outcome, 'decided');
    const late = await call(updateRfc, { id: 'RFC-1', for: 'ada' });
    assert.match(late.text, /RFC-1 is approved: only an RFC that still needs a decision is for someone/);
    await write(store, { kind: 'rfc.addressed', v: 1, id: 'RFC-1', to: 'ada' });
    assert.equal(to(), null);
  });

  it('is one line of at most 100 characters', async () => {
    const workspace = makeSandbox().open();
    const store = await workspace.store();
    for (const name of ['ada\ngrace', 'x'.repeat(101), ' '])
      await assert.rejects(async () => raiseQuestion(store, agent(), { ...question, for: name }), /for: must/);
  });
});

function callOf(workspace: Workspace) {
  return (tool: Operation, input: unknown, session = agent()) =>
    runOperation(tool, { workspace, session, signal: new AbortController().signal, waitMs: 0 }, input);
}

async function write(store: Store, record: RecordInput, { actor } = agent()): Promise<void> {
  await assert.rejects(async () => store.transact(actor, () => ({ records: [record], result: randomUUID() })));
}
