import assert from 'node:assert/strict';
import { viewNotes } from '../../../src/core/kit/fields.ts';
import fs from 'node:fs';
import { releaseAll, shownOpenQuestions } from '../../../src/app/decision/decisions.ts';
import { acknowledgeOffered, recordOffer, undeliveredQuestions } from '../../../src/app/waiting/delivery.ts';
import {
  awaitOutcome,
  openQuestionsOfAgent,
  raiseQuestion,
  withdrawQuestion,
  type RaiseInput,
} from '../../../src/app/question/questions.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import { questionView, waitingCount, waitingQuestions } from '../../../src/app/question/views.ts';
import { limits } from '../../../src/core/kit/limits.ts';
import { registerWork, updateWork, workView } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { StoreError } from '../../../src/store/journal/problem.ts';
import type { Store } from '../../../src/store/store.ts';
import { agent, signedBy, decide, makeHuman, yes } from '../../support/store/people.ts';
import { question } from '../../support/store/lab.ts';
import { hour, removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman, type WithHuman } from '../../support/store/withHuman.ts';

const plain: RaiseInput = { text: 'Which way?', type: 'clarification', urgency: 'medium', mode: 'sync', work: null };

async function setting(): Promise<WithHuman> {
  return withHuman();
}

async function task(store: Store, id: string, more: object = {}): Promise<void> {
  await registerWork(store, agent(), { id, workKind: 'task', title: `Title of ${id}`, ...more });
}

const view = (store: Store, id: string) => questionView(store.read(), id)!;

describe('a question', () => {
  afterEach(removeSandboxes);

  it('is stored with all its fields, and shown with the work it holds', async () => {
    const { store, sandbox } = await setting();
    await registerWork(store, agent(), { id: 'W1', workKind: 'workflow', title: 'Release' });
    await task(store, 'T1', { workflow: 'W1', assignee: 'copilot-001' });
    await task(store, 'T2', { dependsOn: ['T1'] });
    const { already } = await raiseQuestion(store, agent('copilot-001', { session: 's-1' }), {
      text: '  Keep the old API? ',
      type: 'decision',
      urgency: 'critical',
      mode: 'sync',
      work: 'T1',
      choices: [
        { label: 'Keep', description: 'Costs a day.' },
        { label: 'Drop', recommended: true },
      ],
      multiple: false,
      freeText: true,
      background: 'b',
      context: 'c',
      impact: 'i',
      ifDelayed: 'd',
      alternatives: ['x', 'y'],
      files: [{ path: './src/a.ts', line: 3 }],
      holds: ['src/api/'],
      for: 'ada',
      assumption: 'drop',
    });
    assert.equal(already, false);
    sandbox.clock.now += hour;
    assert.deepEqual(view(store, 'Q-1'), {
      id: 'Q-1',
      agent_id: 'copilot-001',
      agent_name: 'copilot-001',
      session: 's-1',
      text: 'Keep the old API?',
      type: 'decision',
      urgency: 'critical',
      mode: 'sync',
      status: 'pending',
      holding: true,
      holds_work: 3,
      work: { id: 'T1', title: 'Title of T1', kind: 'task' },
      blocks: [
        { id: 'T1', title: 'Title of T1' },
        { id: 'W1', title: 'Release' },
      ],
      cascade: [{ id: 'T2', title: 'Title of T2' }],
      holds: ['src/api'],
      choices: [
        { label: 'Keep', description: 'Costs a day.', recommended: false },
        { label: 'Drop', recommended: true },
      ],
      multiple: false,
      free_text: true,
      ...viewNotes({ background: 'b', context: 'c', impact: 'i', ifDelayed: 'd', for: 'ada', assumption: 'drop' }),
      payload_json: null,
      answered_with: [],
      alternatives: ['x', 'y'],
      files: [{ path: 'src/a.ts', line: 3 }],
      raised_at: '2026-03-02T09:00:00.000Z',
      expires_at: '2026-03-03T09:00:00.000Z',
      time_waiting_ms: hour,
      waiting_for: 'human',
      ask_backs: [],
      parked: null,
      quorum: null,
      needs_passkey: false,
      untrusted_decision_at: null,
      resolution: null,
      answer: null,
      note: null,
      answered_by: null,
      signed_with: null,
      approved: null,
      effect: null,
      lifted: null,
      answered_at: null,
      offered_at: null,
      acknowledged_at: null,
      recipient: 'copilot-001',
      rfc: null,
      all_files: null,
      reopens: null,
      reopen_reason: null,
      revoked: null,
      reuse_count: 0,
    });
  });
  it('asked again more strictly holds more, and never less', async () => {
    const { store } = await setting();
    await task(store, 'T1', { holds: ['src/a'] });
    const ask = async (more: Partial<RaiseInput>) =>
      (await raiseQuestion(store, agent(), { ...plain, work: 'T1', ...more })).question;
    assert.equal((await ask({ mode: 'async' })).holding, false);
    assert.equal(workView(store.read().state, 'T1').status, 'todo');
    const position = store.position;
    assert.equal((await ask({ mode: 'async' })).mode, 'async');
    assert.deepEqual(store.position, position, 'an unchanged question writes nothing');
    assert.equal((await ask({ mode: 'sync' })).holding, true);
    assert.equal(workView(store.read().state, 'T1').status, 'blocked_pending_human_input');
    assert.equal((await ask({ mode: 'async' })).holding, true);
    assert.deepEqual((await ask({ holds: ['docs'] })).holds, ['src/a', 'docs']);
    assert.deepEqual((await ask({ holds: [] })).holds, ['src/a', 'docs']);
  });

  it('for an approval is always sync', async () => {
    const { store } = await setting();
    assert.equal(
      (await raiseQuestion(store, agent(), { ...plain, type: 'approval', mode: 'async' })).question.mode,
      'sync',
    );
  });

  describe('is decided', () => {
    it('not with a key that is not pinned', async () => {
      const { store, workspace } = await setting();
      await raiseQuestion(store, agent(), plain);
      await assert.rejects(
        decide(workspace, makeHuman('Mallory'), 'Q-1'),
        (error: unknown) => error instanceof StoreError && error.message.includes('no human enrolled'),
      );
      assert.equal(view(store, 'Q-1').holding, true);
      assert.deepEqual(store.read().state.refusals, [], 'a refused decision is not in the journal');
    });

    it('not under an invalid name', async () => {
      const { store, workspace, human } = await setting();
      await raiseQuestion(store, agent(), plain);
      for (const name of ['', ' ', 'x'.repeat(101), 'A\u0000'])
        await assert.rejects(decide(workspace, { ...human, name }, 'Q-1'), { name: 'StoreError', code: 'refused' });
      assert.equal(view(store, 'Q-1').holding, true);
    });
  });

  describe('with all others of its agent', () => {
    it('is released in one act, as displayed', async () => {
      const { store, human } = await setting();
      await task(store, 'T1');
      await raiseQuestion(store, agent(), plain);
      await raiseQuestion(store, agent(), { ...plain, work: 'T1', mode: 'async' });
      await raiseQuestion(store, agent('claude-002'), plain);
      const { ids, shown } = shownOpenQuestions(store.read().state, 'copilot-001');
      assert.deepEqual(ids, ['Q-1', 'Q-2']);
      const before = store.position.position;
      assert.deepEqual(await releaseAll(signedBy(store, human), 'copilot-001', 'Go on.', shown), ids);
      assert.ok(store.position.position > before);
      assert.deepEqual(
        waitingQuestions(store.read()).map(({ id }) => id),
        ['Q-3'],
      );
      await assert.rejects(
        async () => releaseAll(signedBy(store, human), 'copilot-001', 'Go on.', shown),
        /have changed since/,
      );
    });
  });

  it('is released even if one line cannot contain all of them', async () => {
    const { store, human, sandbox } = await setting();
    const expiresAt = new Date(sandbox.clock.now + hour).toISOString();
    const records = Array.from({ length: 450 }, (_, at) => question(at + 1, { expiresAt }));
    await store.transact(agent().actor, () => ({ records: records as never, result: null }));
    const note = 'x'.repeat(limits.otherText);
    const { ids, shown } = shownOpenQuestions(store.read().state, 'copilot-001');
    assert.deepEqual(await releaseAll(signedBy(store, human), 'copilot-001', note, shown), ids);
    assert.equal(ids.length, 450);
    assert.deepEqual(waitingQuestions(store.read()), []);
  });

  describe('is withdrawn', () => {
    const asyncOne = { ...plain, mode: 'async', assumption: 'JWT' } as const;

    it('by the agent that asked, while it holds nothing', async () => {
      const { store } = await setting();
      await raiseQuestion(store, agent(), asyncOne);
      await assert.rejects(
        async () => withdrawQuestion(store, agent('claude-002'), 'Q-1', 'Not mine.'),
        /only copilot-001 can/,
      );
      const { resolution, status, answered_by } = await withdrawQuestion(store, agent(), 'Q-1', 'Found it.');
      assert.deepEqual([resolution, status, answered_by], ['withdrawn', 'cancelled', 'copilot-001']);
      await assert.rejects(async () => withdrawQuestion(store, agent(), 'Q-1', 'Again.'), /Q-1 is cancelled/);
      assert.equal(waitingCount(store.read().state), 0);
      assert.equal((await raiseQuestion(store, agent(), asyncOne)).question.id, 'Q-2', 'it can be asked again');
    });

    it('never while it holds work, and never after a human’s refusal', async () => {
      const { store, workspace, human } = await setting();
      await raiseQuestion(store, agent(), asyncOne);
      await raiseQuestion(store, agent(), { ...asyncOne, mode: 'sync' });
      await assert.rejects(
        async () => withdrawQuestion(store, agent(), 'Q-1', 'Away.'),
        /Q-1 is sync: only a human ends it/,
      );
      await decide(workspace, human, 'Q-1', { kind: 'answer', answer: { text: 'No.', choices: [], effect: 'do_not' } });
      await assert.rejects(async () => withdrawQuestion(store, agent(), 'Q-1', 'Away.'), /Q-1 is answered/);
      assert.ok(store.read().state.refused.has('Q-1'));
    });

    it('never by a program that claims to be a different agent', async () => {
      const { store } = await setting();
      await raiseQuestion(store, agent(), asyncOne);
      const record = { kind: 'question.withdrawn', v: 1, id: 'Q-1', reason: 'Away.' } as const;
      for (const actor of [
        { kind: 'system', id: 'copilot-001' },
        { kind: 'agent', id: 'claude-002' },
      ] as const)
        await assert.rejects(
          async () => store.transact(actor, () => ({ records: [record], result: null })),
          /only copilot-001 can/,
        );
    });
  });

  describe('with age', () => {
    it('expires if sync: its task fails, and both stay held until a human releases them', async () => {
      const { store, workspace, human, sandbox } = await setting();
      await task(store, 'T1', { status: 'in_progress' });
      await raiseQuestion(store, agent(), { ...plain, work: 'T1' });
      sandbox.clock.now += 72 * hour - 1;
      assert.deepEqual(await sweep(store), []);
      sandbox.clock.now += 1;
      assert.deepEqual(await sweep(store), ['Q-1']);
      assert.deepEqual(await sweep(store), []);
      assert.equal(view(store, 'Q-1').status, 'expired');
      const { status, base_status } = workView(store.read().state, 'T1');
      assert.deepEqual([status, base_status], ['blocked_pending_human_input', 'failed']);
      await assert.rejects(
        async () => updateWork(store, agent(), { id: 'T1', status: 'in_progress' }),
        /is held by Q-1/,
      );
      assert.equal(waitingCount(store.read().state), 1);
      await assert.rejects(
        decide(workspace, human, 'Q-1', { kind: 'cancel', reason: 'No.' }),
        /has expired: answer it/,
      );
      assert.equal((await decide(workspace, human, 'Q-1', yes)).outcome, 'decided');
      assert.equal(workView(store.read().state, 'T1').status, 'failed');
      assert.deepEqual([view(store, 'Q-1').status, view(store, 'Q-1').holding], ['answered', false]);
    });
    it('does not fail a workflow or a finished task, nor a question without work', async () => {
      const { store, sandbox } = await setting();
      await registerWork(store, agent(), { id: 'W1', workKind: 'workflow', title: 'W' });
      await task(store, 'T1', { status: 'done' });
      for (const work of ['W1', 'T1', null]) await raiseQuestion(store, agent(), { ...plain, work });
      sandbox.clock.now += 73 * hour;
      assert.deepEqual(await sweep(store), ['Q-1', 'Q-2', 'Q-3']);
      assert.deepEqual(
        ['W1', 'T1'].map((id) => store.read().state.work.get(id)?.status),
        ['todo', 'done'],
      );
    });

    it('is swept by the thousand when a program opens the store', async () => {
      const { store, sandbox, workspace } = await setting();
      for (let number = 0; number < 12; number++)
        await raiseQuestion(store, agent(), { ...plain, text: `Question ${String(number)}?` });
      workspace.close();
      sandbox.clock.now += 73 * hour;
      const other = await sandbox.open().store();
      assert.ok([...other.read().state.questions.values()].every(({ status }) => status === 'expired'));
      assert.equal(waitingCount(other.read().state), 12);
    });
  });

  describe('when decided', () => {
    it('is offered until the agent acts after receiving it', async () => {
      const { store, workspace, human } = await setting();
      await raiseQuestion(store, agent(), plain);
      const waiting = () => undeliveredQuestions(store.read(), 'copilot-001').map(({ id }) => id);
      assert.deepEqual(waiting(), []);
      await decide(workspace, human, 'Q-1');
      assert.deepEqual(waiting(), ['Q-1']);
      assert.deepEqual(await acknowledgeOffered(store, agent()), [], 'what was not offered is not acknowledged');
      await recordOffer(store, agent(), ['Q-1'], false);
      await recordOffer(store, agent(), ['Q-1'], false);
      const { offered_at, acknowledged_at } = view(store, 'Q-1');
      assert.ok(offered_at !== null && acknowledged_at === null);
      assert.deepEqual(waiting(), ['Q-1'], 'at least once');
      assert.deepEqual(await acknowledgeOffered(store, agent('claude-002')), []);
      assert.deepEqual(await acknowledgeOffered(store, agent()), ['Q-1']);
      assert.deepEqual(await acknowledgeOffered(store, agent()), []);
      assert.deepEqual(waiting(), []);
      assert.ok(view(store, 'Q-1').acknowledged_at !== null);
    });

    it('goes to the current assignee', async () => {
      const { store, workspace, human } = await setting();
      await task(store, 'T1', { assignee: 'claude-002' });
      await raiseQuestion(store, agent(), { ...plain, work: 'T1' });
      assert.deepEqual(
        openQuestionsOfAgent(store.read(), 'claude-002').map(({ id }) => id),
        ['Q-1'],
      );
      assert.deepEqual(
        openQuestionsOfAgent(store.read(), 'copilot-001').map(({ id }) => id),
        ['Q-1'],
      );
      await decide(workspace, human, 'Q-1');
      assert.deepEqual(undeliveredQuestions(store.read(), 'copilot-001'), []);
      assert.deepEqual(
        undeliveredQuestions(store.read(), 'claude-002').map(({ id }) => id),
        ['Q-1'],
      );
      assert.deepEqual(openQuestionsOfAgent(store.read(), 'claude-002'), []);
    });

    it('goes to each later owner of the work, once', async () => {
      const { store, workspace, human } = await setting();
      await task(store, 'T1', { assignee: 'copilot-001' });
      await raiseQuestion(store, agent(), { ...plain, work: 'T1' });
      await decide(workspace, human, 'Q-1');
      const waitingFor = () =>
        ['copilot-001', 'claude-002'].filter((one) => undeliveredQuestions(store.read(), one).length > 0);
      assert.deepEqual(waitingFor(), ['copilot-001']);
      await recordOffer(store, agent(), ['Q-1'], true);
      assert.deepEqual(waitingFor(), []);
      await updateWork(store, agent(), { id: 'T1', assignee: 'claude-002' });
      assert.deepEqual(waitingFor(), ['claude-002']);
      await updateWork(store, agent('claude-002'), { id: 'T1', assignee: 'copilot-001' });
      assert.deepEqual(waitingFor(), []);
      await updateWork(store, agent(), { id: 'T1', assignee: 'claude-002' });
      await recordOffer(store, agent('claude-002'), ['Q-1'], true);
      assert.deepEqual(waitingFor(), []);
    });
  });

  describe('has waiting calls', () => {
    const wait = (workspace: Workspace, ids: string[], forMs: number, signal = new AbortController().signal) =>
      awaitOutcome(workspace, ids, agent().actor.id, { forMs, signal });

    it('until it expires, if it holds nothing', async () => {
      const { store, workspace, sandbox } = await setting();
      await raiseQuestion(store, agent(), { ...plain, mode: 'async' });
      const waiting = wait(workspace, ['Q-1'], Infinity);
      sandbox.clock.now += 73 * hour;
      await sweep(store);
      workspace.changed();
      assert.equal((await waiting)[0]?.status, 'expired');
    });

    it('beyond its expiry, until a human releases the held work', async () => {
      const { store, workspace, sandbox, human } = await setting();
      await raiseQuestion(store, agent(), plain);
      sandbox.clock.now += 73 * hour;
      await sweep(store);
      const given = await wait(workspace, ['Q-1'], 1);
      assert.deepEqual(
        given.map(({ status, resolution }) => [status, resolution]),
        [['expired', null]],
      );
      const waiting = wait(workspace, ['Q-1'], Infinity);
      await decide(workspace, human, 'Q-1', { kind: 'release', note: 'Go on.' });
      workspace.changed();
      assert.equal((await waiting)[0]?.resolution, 'released');
    });

    it('until the store cannot be read, which is an error, not an answer', async () => {
      const { store, workspace, sandbox } = await setting();
      await raiseQuestion(store, agent(), plain);
      const waiting = wait(workspace, ['Q-1'], Infinity);
      fs.rmSync(sandbox.journal);
      workspace.changed();
      await assert.rejects(waiting, { name: 'StoreError', code: 'unknown-state' });
    });
  });
});
