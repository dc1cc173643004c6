/** A human asks back: the agent gets it where it waits or with its next call, replies, and waits for the human again. */
import assert from 'node:assert/strict';
import { replyToHuman, raiseQuestion } from '../../../src/app/question/questions.ts';
import { questionView, waitingCount, waitingOrder } from '../../../src/app/question/views.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { registerWork, updateWork } from '../../../src/app/work/work.ts';
import type { AgentSession } from '../../../src/app/workspace/session.ts';
import { agent, askAgent, decide } from '../../support/store/people.ts';
import { removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';
import { callTool } from '../../support/store/callTool.ts';

const input = { text: 'Drop the table?', type: 'decision', urgency: 'high', work_id: 'T1' };
const plain = { text: 'Drop the table?', type: 'decision', urgency: 'high', mode: 'sync', work: 'T1' } as const;
const first = agent('copilot-001', { session: 'first' });

async function setting() {
  const { sandbox, workspace, human, store } = await withHuman();
  await registerWork(store, first, { id: 'T1', title: 'Clean up', holds: ['db'] });
  await registerWork(store, first, { id: 'T2', title: 'Docs' });
  const call = (name: string, input: object = {}, as: AgentSession = first, waitMs = 0) =>
    callTool(workspace, name, input, { as, waitMs });
  const question = (id = 'Q-1') => questionView(store.read(), id)!;
  return { sandbox, workspace, human, store, call, question };
}

describe('a question that is asked back', () => {
  afterEach(removeSandboxes);

  it('holds what it held, and is not counted as waiting for a human until the reply', async () => {
    const { workspace, human, store, question } = await setting();
    await raiseQuestion(store, first, plain);
    await raiseQuestion(store, first, { ...plain, text: 'Which port?', urgency: 'low' });
    const held = askGate(workspace, { work: 'T1' });
    await askAgent(workspace, human, 'Q-1', 'Is there a backup?');
    assert.equal(held.verdict, 'deny');
    assert.deepEqual(
      askGate(workspace, { work: 'T1' }).reasons.map(({ code, holder }) => [code, holder?.id]),
      held.reasons.map(({ code, holder }) => [code, holder?.id]),
    );
    const { state } = store.read();
    assert.equal(waitingCount(state), 1);
    assert.deepEqual(
      waitingOrder(state).map(({ id }) => id),
      ['Q-2', 'Q-1'],
      'last, though it is more urgent',
    );
    assert.deepEqual([question().waiting_for, question('Q-2').waiting_for], ['agent', 'human']);
    await replyToHuman(store, first, 'Q-1', 'Yes.');
    assert.equal(waitingCount(store.read().state), 2);
    assert.equal(waitingOrder(store.read().state)[0]?.id, 'Q-1');
    assert.deepEqual(
      question().ask_backs.map(({ number, text, asked_by, reply, replied_by }) => [
        number,
        text,
        asked_by,
        reply,
        replied_by,
      ]),
      [[1, 'Is there a backup?', 'Ada', 'Yes.', 'copilot-001']],
    );
    await decide(workspace, human, 'Q-1');
    assert.equal(question().waiting_for, null);
  });

  it('critical keeps its place', async () => {
    const { workspace, human, store } = await setting();
    await raiseQuestion(store, first, { ...plain, urgency: 'critical' });
    await raiseQuestion(store, first, { ...plain, text: 'Which port?' });
    await askAgent(workspace, human, 'Q-1');
    assert.deepEqual(
      waitingOrder(store.read().state).map(({ id }) => id),
      ['Q-1', 'Q-2'],
    );
  });

  it('ends the wait of its agent at once, every time until the reply; then the agent waits for the human', async () => {
    const { workspace, human, store, call, question } = await setting();
    await raiseQuestion(store, first, plain);
    const waiting = call('await_answer', { id: 'Q-1' }, first, Infinity);
    await askAgent(workspace, human, 'Q-1', 'Is there a backup?');
    workspace.changed();
    const { text, data } = await waiting;
    assert.match(text, /Ada asks copilot-001 something about Q-1 "Drop the table\?".*"Is there a backup\?"/);
    assert.match(
      text,
      /Do not work on Clean up.*A reply releases nothing.*holdpoint_reply_question {"id":"Q-1".*holdpoint_await_answer/,
    );
    assert.deepEqual([data['result'], data['outcome']], ['waiting', 'asked_back']);
    const again = await call('await_answer', {}, first, Infinity);
    assert.equal(again.data['outcome'], 'asked_back', 'without an id as well');
    const replied = await call('reply_question', { id: 'Q-1', text: 'Yes.' });
    assert.equal(replied.status, 'ok');
    assert.match(replied.text, /^Your reply was sent\. Q-1 is still waiting for a human/);
    const settled = call('await_answer', { id: 'Q-1' }, first, Infinity);
    await decide(workspace, human, 'Q-1');
    workspace.changed();
    assert.match((await settled).text, /^Q-1 answered by Ada/);
    assert.equal(question().ask_backs.length, 1);
  });

  it('ends the wait of the call that asks, and of the same call again', async () => {
    const { workspace, human, store, call } = await setting();
    const asking = call('raise_question', input, first, Infinity);
    while (store.read().state.questions.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await askAgent(workspace, human, 'Q-1');
    workspace.changed();
    assert.equal((await asking).data['outcome'], 'asked_back');
    const again = await call('raise_question', input, first, Infinity);
    assert.match(again.text, /^You asked this before: it is Q-1\. Ada asks/);
  });

  it('keeps other agents waiting, and takes no reply from them', async () => {
    const { workspace, human, store, call } = await setting();
    await raiseQuestion(store, first, plain);
    await askAgent(workspace, human, 'Q-1');
    const other = agent('claude-002');
    const waiting = call('await_answer', { id: 'Q-1' }, other, Infinity);
    const refused = await call('reply_question', { id: 'Q-1', text: 'Yes.' }, other);
    assert.deepEqual([refused.status, refused.data['result']], ['denied', 'denied']);
    assert.match(refused.text, /^Only copilot-001 can reply to Q-1\./);
    const open = await Promise.race([waiting, Promise.resolve(null)]);
    assert.equal(open, null);
    await decide(workspace, human, 'Q-1');
    workspace.changed();
    assert.match((await waiting).text, /^Q-1 answered/);
  });

  it('reaches an agent that does not wait: with each result until it has it, and never again once replied', async () => {
    const { workspace, human, store, call } = await setting();
    await raiseQuestion(store, first, { ...plain, mode: 'async', work: null, assumption: 'Keep it.' });
    await askAgent(workspace, human, 'Q-1', 'Is there a backup?');
    const second = agent('copilot-001', { session: 'second' });
    for (const session of [first, second]) {
      const { text, data } = await call('check_gate', {}, session);
      assert.match(text, /Also: Ada asks copilot-001 something about Q-1.*It does not stop you\. Reply with/);
      assert.equal((data['also'] as { id: string }[])[0]?.id, 'Q-1');
    }
    assert.doesNotMatch((await call('list_questions', {}, agent('claude-002'))).text, /Also:/);
    assert.doesNotMatch((await call('check_gate', {}, second)).text, /Also:/, 'it was acknowledged');
    await call('reply_question', { id: 'Q-1', text: 'Yes.' }, second);
    await askAgent(workspace, human, 'Q-1', 'Where?');
    assert.match((await call('check_gate', {}, second)).text, /Also: .*"Where\?"/, 'another one is delivered as well');
    await decide(workspace, human, 'Q-1');
    assert.match((await call('check_gate', {}, second)).text, /Also: Q-1 answered/, 'and so is the answer');
  });

  it('goes to the owner of the work', async () => {
    const { workspace, human, store, call } = await setting();
    await raiseQuestion(store, first, plain);
    await updateWork(store, first, { id: 'T1', assignee: 'claude-002' });
    await askAgent(workspace, human, 'Q-1');
    const { text } = await call('check_gate', {}, agent('claude-002'));
    assert.match(text, /Also: Ada asks claude-002/);
    assert.equal((await call('reply_question', { id: 'Q-1', text: 'Yes.' }, agent('claude-002'))).status, 'ok');
  });

  it('is named by the gate and the briefing', async () => {
    const { workspace, human, store, call } = await setting();
    await raiseQuestion(store, first, plain);
    await askAgent(workspace, human, 'Q-1', 'Is there\na backup?');
    const gate = await call('check_gate', { work_id: 'T1' });
    assert.match(gate.text, /held by Q-1 "Drop the table\?" \(sync, waiting for its agent: Ada asks "Is there…?"\)/);
    assert.match(gate.text, /If it is your question, reply with holdpoint_reply_question/);
    const briefing = await call('get_briefing', {}, agent('copilot-001', { session: 'third' }));
    assert.match(briefing.text, /Q-1 "Drop the table\?": a human asks copilot-001 "Is there a backup\?"; reply with/);
    assert.match(briefing.text, /Q-1 "Drop the table\?" waits for the reply of its agent to a human/);
  });
});
