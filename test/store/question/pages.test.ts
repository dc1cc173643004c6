/** Lists of agents come in parts, and say so: an agent reads every line that a tool returns. */
import assert from 'node:assert/strict';
import { askGate } from '../../../src/app/hold/gate.ts';
import { toolGuide } from '../../../src/core/kit/guide.ts';
import { checkGate } from '../../../src/tools/work/work.ts';
import { gateText } from '../../../src/tools/kit/gateText.ts';
import { runOperation, type Operation, type ToolContext } from '../../../src/tools/kit/operation.ts';
import { listQuestions } from '../../../src/tools/question/waiting.ts';
import { listRfcs, proposeRfc } from '../../../src/tools/rfc/operations.ts';
import { question, work } from '../../support/store/lab.ts';
import { agent } from '../../support/store/people.ts';
import { hour, makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

interface Listed {
  readonly total: number;
  readonly questions: readonly { readonly id: string }[];
}

async function asking(count: number, more: object = {}, items: readonly object[] = []) {
  const workspace = makeSandbox().open();
  const store = await workspace.store();
  const expiresAt = new Date(Date.parse(workspace.now()) + hour).toISOString();
  await store.transact(agent().actor, () => ({
    records: [...items, ...Array.from({ length: count }, (_, at) => question(at + 1, { expiresAt, ...more }))] as never,
    result: null,
  }));
  const context: ToolContext = { workspace, session: agent(), signal: new AbortController().signal, waitMs: 0 };
  const run = async (tool: Operation, input: object, used: Partial<ToolContext> = {}) => {
    const { status, text, data } = await runOperation(tool, { ...context, ...used }, input);
    assert.notEqual(status, 'error', text);
    return { lines: text.split('\n'), data: data as unknown as Listed };
  };
  return { run, workspace };
}

describe('a list for an agent', () => {
  afterEach(removeSandboxes);

  it('of questions has five, says how many there are, and goes on where it ended', async () => {
    const { run } = await asking(120);
    const first = await run(listQuestions, {});
    assert.equal(first.lines[0], '5 of 120 questions, 120 pending, 120 sync');
    assert.equal(first.lines.at(-1), '115 more: repeat this with "skip": 5.');
    assert.deepEqual([first.data.questions.length, first.data.total], [5, 120]);
    const second = await run(listQuestions, { skip: 5, limit: 115 });
    assert.equal(second.lines[0], '115 of 120 questions, 120 pending, 120 sync');
    assert.equal(second.lines.length, 116);
    const whole = await run(listQuestions, {}, { listsAll: true });
    // All were raised at once.
    assert.deepEqual(
      whole.data.questions.map(({ id }) => id),
      Array.from({ length: 120 }, (_, at) => `Q-${String(at + 1)}`),
    );
    assert.deepEqual([...first.data.questions, ...second.data.questions], whole.data.questions);
    assert.deepEqual((await run(listQuestions, { skip: 120 })).data.questions, []);
  });

  it('is whole for people and scripts, unless they say otherwise', async () => {
    const { run } = await asking(60);
    const whole = await run(listQuestions, {}, { listsAll: true });
    assert.deepEqual([whole.lines[0], whole.lines.length], ['60 questions, 60 pending, 60 sync', 61]);
    const part = await run(listQuestions, { limit: 10 }, { listsAll: true });
    assert.equal(part.lines[0], '10 of 60 questions, 60 pending, 60 sync');
  });

  it('of RFCs has the newest, and goes on with older ones', async () => {
    const { run } = await asking(0);
    for (const title of ['One', 'Two', 'Three']) await run(proposeRfc, { title });
    const { lines } = await run(listRfcs, { limit: 2 });
    assert.match(lines.join('\n'), /^2 of 3 RFCs, .*\nRFC-3 .*\nRFC-2 .*\n1 more: repeat this with "skip": 2\.$/);
    assert.match((await run(listRfcs, { skip: 2 })).lines.join('\n'), /^1 of 3 RFCs, .*\nRFC-1 .*$/);
  });

  it('of what holds is one line with five, and how many more there are', async () => {
    for (const [count, end] of [
      [1, /is held by Q-1 ".*" \(sync, waiting for a human\)\. Call holdpoint_await_answer \{"id":"Q-1"\}\.$/],
      [5, /\. Also held by Q-2 ".*", by Q-3 ".*", by Q-4 ".*", by Q-5 "[^"]*"\.$/],
      [6, /by Q-5 "[^"]*" and 1 more: holdpoint_list_items \{"what":"questions"\}\.$/],
      [7, /by Q-5 "[^"]*" and 2 more: holdpoint_list_items \{"what":"questions"\}\.$/],
    ] as const) {
      const { workspace } = await asking(count, { holds: ['src'] });
      const answer = askGate(workspace, { files: ['src/a.ts'] });
      assert.equal(answer.reasons.length, count);
      const text = gateText(answer, { guide: toolGuide, asked: 'src/a.ts' });
      assert.match(text, /^Denied: src\/a\.ts is held by Q-1 [^\n]*$/);
      assert.match(text, end);
      assert.ok(text.length <= 600, String(text.length));
    }
  });

  it('of free work names five, has a hundred as data, and leaves out what is held', async () => {
    const { run } = await asking(1, { work: 'T1' }, [
      work('T1'),
      work('T2', { dependsOn: ['T1'] }),
      ...Array.from({ length: 110 }, (_, at) => work(`F${String(at)}`, { status: at < 2 ? 'done' : 'todo' })),
    ]);
    const { lines, data } = await run(checkGate, {});
    assert.match(lines.join('\n'), /Free work: .*\(F2\), .* and 103 more\.$/m);
    const { free, free_count: count } = data as unknown as { free: { id: string }[]; free_count: number };
    assert.deepEqual([free.length, count], [100, 108]);
    assert.ok(free.every(({ id }) => id !== 'T1' && id !== 'T2' && id !== 'F0'));
  });
});
