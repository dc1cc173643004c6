/** An agent that waits too long leaves a resume brief and ends its turn; the next session gets it with the answer. */
import assert from 'node:assert/strict';
import { askGate } from '../../../src/app/hold/gate.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { agent, askAgent, decide } from '../../support/store/people.ts';
import { minute, removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';
import { callTool } from '../../support/store/callTool.ts';

const claude = agent('claude-code-001', { session: 'first' });
const asked = { text: 'Drop the table?', work_id: 'T1', wait_seconds: 0 };
const brief = {
  doing: 'Moving the table.',
  next: 'Drop the old one.',
  files: ['db/a.sql'],
  check_first: 'The backup.',
};

async function setting() {
  const { sandbox, workspace, human, store } = await withHuman();
  await registerWork(store, claude, { id: 'T1', title: 'Clean up', holds: ['db'] });
  const call = (name: string, input: object = {}, as = claude, waitMs = 0) =>
    callTool(workspace, name, input, { as, waitMs });
  const question = () => questionView(store.read(), 'Q-1')!;
  return { sandbox, workspace, human, store, call, question };
}

describe('parking a question', () => {
  afterEach(removeSandboxes);

  it('is asked for once waiting has lasted four minutes, however long the call would wait', async () => {
    const { sandbox, call } = await setting();
    await call('raise_question', asked);
    const early = await call('await_answer', { id: 'Q-1', wait_seconds: 0 });
    assert.match(early.text, /^Q-1 is still waiting.*holdpoint_await_answer/);
    assert.equal(early.data['parking_due'], undefined);
    sandbox.clock.now += 4 * minute;
    for (const input of [{ id: 'Q-1' }, {}]) {
      const { text, data } = await call('await_answer', input, claude, Infinity);
      assert.match(text, /Do not work on Clean up.*Park it: call holdpoint_park_question {"id":"Q-1".*end your turn/);
      assert.deepEqual([data['result'], data['parking_due']], ['waiting', true]);
    }
    const again = await call('raise_question', { ...asked, wait_seconds: 600 });
    assert.match(again.text, /holdpoint_park_question/);
    assert.equal(again.data['parking_due'], true);
  });

  it('is never asked of an agent that does not pay for waiting', async () => {
    const { sandbox, call } = await setting();
    const copilot = agent('copilot-001');
    await call('raise_question', asked, copilot);
    sandbox.clock.now += 60 * minute;
    const { text, data } = await call('await_answer', { id: 'Q-1' }, copilot);
    assert.match(text, /holdpoint_await_answer/);
    assert.equal(data['parking_due'], undefined);
  });

  it('stores the brief, and everything stays held', async () => {
    const { workspace, store, call, question } = await setting();
    await call('raise_question', asked);
    const held = askGate(workspace, { work: 'T1' });
    assert.equal(held.verdict, 'deny');
    const { status, text } = await call('park_question', { id: 'Q-1', ...brief });
    assert.equal(status, 'ok');
    assert.match(text, /^Q-1 is parked.*Do not work on Clean up.*End your turn now/);
    const { reasons } = askGate(workspace, { work: 'T1' });
    assert.deepEqual(
      reasons.map(({ code, holder }) => [code, holder?.id]),
      held.reasons.map(({ code, holder }) => [code, holder?.id]),
    );
    const { at, ...parked } = question().parked!;
    assert.deepEqual(parked, { by: 'claude-code-001', ...brief });
    assert.equal(at, store.read().now);
    await call('park_question', { id: 'Q-1', ...brief, next: 'Ask again.' });
    assert.equal(question().parked?.next, 'Ask again.', 'a later brief replaces it');
  });

  it('gives brief and answer to the session that goes on, waiting or not', async () => {
    const { sandbox, workspace, human, call } = await setting();
    await call('raise_question', asked);
    sandbox.clock.now += 4 * minute;
    await call('park_question', { id: 'Q-1', ...brief });
    const second = agent('claude-code-001', { session: 'second' });
    const open = await call('await_answer', { id: 'Q-1' }, second, Infinity);
    assert.match(open.text, /is parked.*End your turn now[^]*Resume brief of claude-code-001 for Q-1/);
    await decide(workspace, human, 'Q-1');
    const { text } = await call('list_questions', {}, second);
    assert.match(text, /Also: Q-1 answered by Ada[^]*You were doing: Moving the table\.\nNext: Drop the old one\./);
    const awaited = await call('await_answer', { id: 'Q-1' }, second);
    assert.match(awaited.text, /^Q-1 answered by Ada[^]*Files: db\/a\.sql\nCheck first: The backup\./);
  });

  it('gives the brief with what a human asks back; the reply starts the time again', async () => {
    const { sandbox, workspace, human, call } = await setting();
    await call('raise_question', asked);
    sandbox.clock.now += 4 * minute;
    await call('park_question', { id: 'Q-1', ...brief });
    await askAgent(workspace, human, 'Q-1', 'Is there a backup?');
    const back = await call('await_answer', { id: 'Q-1' });
    assert.match(back.text, /Is there a backup\?[^]*You were doing: Moving the table\./);
    await call('reply_question', { id: 'Q-1', text: 'Yes.' });
    assert.equal((await call('await_answer', { id: 'Q-1' })).data['parking_due'], undefined);
    sandbox.clock.now += 4 * minute;
    assert.equal((await call('await_answer', { id: 'Q-1' })).data['parking_due'], true);
  });
});
