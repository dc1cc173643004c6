/** An agent with too many open questions is stopped by them, never released. */
import assert from 'node:assert/strict';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion, type RaiseInput } from '../../../src/app/question/questions.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { openAtMost } from '../../../src/core/hold/holds.ts';
import { heldWork } from '../../support/store/heldWork.ts';
import type { Store } from '../../../src/store/store.ts';
import { agent, decide, release } from '../../support/store/people.ts';
import { question, work } from '../../support/store/lab.ts';
import { hour, makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

const flooder = 'flood-001';
const more: RaiseInput = { text: 'One more?', type: 'decision', urgency: 'low', mode: 'sync', work: 'T2' };

/** An agent at the limit, with all its questions on T1, and free work. */
async function crowded(mode: 'sync' | 'async', count: number) {
  const { sandbox, workspace, human, store } = await withHuman();
  await store.transact(agent(flooder).actor, () => ({
    records: [
      work('T1', { assignee: flooder }),
      work('T2', { assignee: flooder, status: 'in_progress' }),
      ...Array.from({ length: count }, (_, index) =>
        question(index + 1, {
          work: 'T1',
          mode,
          expiresAt: new Date(Date.parse(store.read().now) + hour).toISOString(),
        }),
      ),
    ] as never,
    result: null,
  }));
  return { sandbox, workspace, store, human };
}

const isHeld = (workspace: Workspace, ask: object) =>
  askGate(workspace, { files: [], session: { agent: flooder }, ...ask }).verdict === 'deny';
const refused = (code: string, words: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === code && words.test(error.message);
const holding = (store: Store) => [...heldWork(store.read().state)].map(([id, by]) => `${id} ${String(by.size)}`);

describe('one agent that asks too much', function () {
  this.timeout(240_000);
  afterEach(removeSandboxes);

  it('below the limit it may work on free items, and ask', async () => {
    const { workspace, store } = await crowded('sync', openAtMost.holders - 1);
    assert.equal(isHeld(workspace, { work: 'T2' }), false);
    await raiseQuestion(store, agent(flooder), { ...more, work: 'T1' });
    // The question that reaches the limit stops it.
    assert.equal(isHeld(workspace, { work: 'T2' }), true);
    assert.equal(isHeld(workspace, {}), true);
  });

  it('at the limit its questions are refused, all its work is held, and nothing is released', async () => {
    const { workspace, store } = await crowded('sync', openAtMost.holders);
    const before = holding(store);
    const wrong = refused(
      'denied',
      /1000 questions and RFCs of flood-001 already wait for a human, which is the limit/,
    );
    await assert.rejects(async () => raiseQuestion(store, agent(flooder), more), wrong);
    await assert.rejects(
      async () =>
        proposeRfc(store, agent(flooder), {
          title: 'Another',
          workflows: [],
          tasks: ['T2'],
          holds: [],
          contexts: [],
          submit: false,
        }),
      wrong,
    );
    assert.deepEqual(holding(store), before);
    for (const ask of [{ work: 'T2' }, { files: ['free.ts'] }, {}]) assert.equal(isHeld(workspace, ask), true);
    // Other agents are not.
    assert.equal(isHeld(workspace, { work: 'T2', session: { agent: 'other-001' } }), false);
    await raiseQuestion(store, agent('other-001'), more);
  });

  it('only a human’s decisions bring it below the limit', async () => {
    const { sandbox, workspace, store, human } = await crowded('sync', openAtMost.holders);
    sandbox.clock.now += 50 * hour;
    await sweep(store);
    assert.equal(isHeld(workspace, { work: 'T2' }), true);
    await assert.rejects(async () => raiseQuestion(store, agent(flooder), more), refused('denied', /1000/));
    await decide(workspace, human, 'Q-1', release);
    assert.equal(isHeld(workspace, { work: 'T2' }), false);
  });

  it('work items: the gate denies unregistered ones', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    const store = await workspace.store();
    for (let from = 0; from < openAtMost.work; from += 2_000)
      await store.transact(agent(flooder).actor, () => ({
        records: Array.from({ length: 2_000 }, (_, index) => work(`T${String(from + index)}`)) as never,
        result: null,
      }));
    await assert.rejects(
      async () => registerWork(store, agent(flooder), { id: 'more', workKind: 'task', title: 'More' }),
      refused('denied', /10000 work items/),
    );
    assert.equal(isHeld(workspace, { work: 'more' }), true);
    await registerWork(store, agent('other-001'), { id: 'more', workKind: 'task', title: 'More' });
  });
});
