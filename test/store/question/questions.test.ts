import assert from 'node:assert/strict';
import { viewNotes } from '../../../src/core/kit/questionNotes.ts';
import fs from 'node:fs';
import {
  changePolicy,
  decideQuestion,
  releaseAll,
  shownHash,
  shownOpenQuestions,
  shownPolicyHash,
  type Verdict,
} from '../../../src/app/decision/decisions.ts';
import { acknowledgeOffered, recordOffer, undelivered } from '../../../src/app/waiting/delivery.ts';
import { AppError } from '../../../src/app/workspace/errors.ts';
import {
  awaitOutcome,
  openQuestionsOfAgent,
  raiseQuestion,
  withdrawQuestion,
} from '../../../src/app/question/questions.ts';
import type { RaiseInput } from '../../../src/app/question/raise.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import {
  listQuestions,
  questionView,
  questionViews,
  waitingCount,
  waitingOrder,
  waitingQuestions,
} from '../../../src/app/question/views.ts';
import { urgencies } from '../../../src/core/kit/words.ts';
import { limits } from '../../../src/core/kit/limits.ts';
import { registerWork, updateWork, workView } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { StoreError } from '../../../src/store/journal/problem.ts';
import type { Store } from '../../../src/store/store.ts';
import { agent, signedBy, cancel, decide, enrolledHuman, makeHuman, yes } from '../../support/store/people.ts';
import { hour, makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';
import { type WithHuman } from '../../support/store/withHuman.ts';

const plain: RaiseInput = { text: 'Which way?', type: 'clarification', urgency: 'medium', mode: 'sync', work: null };

async function setting(): Promise<WithHuman> {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const human = enrolledHuman(workspace);
  return { sandbox, workspace, store: await workspace.store(), human };
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

  it('asked again is the same, for the same asker, work and text', async () => {
    const { store } = await setting();
    await task(store, 'T1');
    const ids = await Promise.all(
      (['Which way?', ' which  WAY?', 'Which\nway?'] as const).map(
        async (text) => (await raiseQuestion(store, agent(), { ...plain, text })).question.id,
      ),
    );
    assert.deepEqual(ids, ['Q-1', 'Q-1', 'Q-1']);
    assert.equal((await raiseQuestion(store, agent('claude-002'), plain)).question.id, 'Q-2');
    assert.equal((await raiseQuestion(store, agent(), { ...plain, work: 'T1' })).question.id, 'Q-3');
    assert.equal(listQuestions(store.read()).total, 3);
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

  describe('that is invalid', () => {
    interface Bad {
      readonly input: object;
      readonly message: RegExp;
      readonly code?: string;
    }

    function check(name: string, { input, message, code = 'bad_input' }: Bad): void {
      it(name, async () => {
        const { store, sandbox } = await setting();
        await task(store, 'T1');
        const before = fs.readFileSync(sandbox.journal);
        await assert.rejects(
          async () => raiseQuestion(store, agent(), { ...plain, ...input }),
          (error: unknown) => {
            assert.ok(error instanceof AppError, String(error));
            assert.equal(error.code, code);
            assert.match(error.message, message);
            assert.ok(error.message.length < 500, 'the input is not echoed');
            return true;
          },
        );
        assert.deepEqual(fs.readFileSync(sandbox.journal), before, 'nothing is stored');
        assert.equal(store.read().state.questions.size, 0);
      });
    }

    check('empty', { input: { text: ' \n' }, message: /^text: must not be empty/ });
    check('too long', {
      input: { text: 'x'.repeat(limits.questionText + 1) },
      message: /^text: must be at most 2000 characters/,
    });
    check('of 2 MB', { input: { text: 'x'.repeat(2_000_000) }, message: /^text: must be at most 2000 characters/ });
    check('with 2 MB of context', {
      input: { context: 'x'.repeat(2_000_000) },
      message: /^context: must be at most 10000 characters/,
    });
    check('with half a character', { input: { text: 'a\ud800' }, message: /^text: contains half of a surrogate pair/ });
    check('with control characters', {
      input: { background: '\u001b[2J' },
      message: /^background: contains control characters/,
    });
    check('of an unknown type', {
      input: { type: 'poll' },
      message: /^type: Invalid option: expected one of "clarification"/,
    });
    check('of an unknown urgency', { input: { urgency: 'asap' }, message: /^urgency: Invalid option/ });
    check('of an unknown mode', { input: { mode: 'maybe' }, message: /^mode: Invalid option/ });
    check('about unknown work', {
      input: { work: 'T9' },
      message: /work item "T9" is not registered$/,
      code: 'not_found',
    });
    check('about work with a bad id', { input: { work: 'T 1' }, message: /not registered/, code: 'not_found' });
    check('that holds files outside', {
      input: { holds: ['../x'] },
      message: /^holds.0: must be inside the workspace/,
    });
    check('that holds an absolute path', {
      input: { holds: ['src', '/etc'] },
      message: /^holds.1: must be inside the workspace/,
    });
    check('that holds everything', { input: { holds: ['**'] }, message: /^holds.0: would hold the whole workspace/ });
    check('about files outside', {
      input: { files: [{ path: '../../etc/passwd' }] },
      message: /^files.0.path: must be inside the workspace/,
    });
    check('with too many files', {
      input: { files: Array.from({ length: 101 }, (_, index) => ({ path: `f${String(index)}` })) },
      message: /^files: .*100/,
    });
    check('with too many choices', {
      input: { choices: Array.from({ length: 21 }, (_, index) => ({ label: `c${String(index)}` })) },
      message: /^choices: .*20/,
    });
    check('with a choice twice', {
      input: { choices: [{ label: 'A' }, { label: 'A' }] },
      message: /^choices: name a choice twice/,
    });
    check('with an invalid line', { input: { files: [{ path: 'a', line: 0 }] }, message: /^files.0.line: / });
  });

  describe('is decided', () => {
    it('once: the first wins, and the second gets the first answer', async () => {
      const { store, workspace, human } = await setting();
      await raiseQuestion(store, agent(), plain);
      const first = await decide(workspace, human, 'Q-1', yes);
      assert.equal(first.outcome, 'decided');
      assert.deepEqual(first.question.answer, { text: 'Yes, go on.', choices: [] });
      const second = await decide(workspace, human, 'Q-1', cancel);
      assert.equal(second.outcome, 'already');
      assert.equal(second.question.resolution, 'answered');
      assert.equal(second.question.answered_by, 'Ada');
      assert.equal(second.question.answered_at, first.question.answered_at);
    });

    it('only if unchanged since displayed', async () => {
      const { store, human } = await setting();
      await raiseQuestion(store, agent(), plain);
      const { state } = store.read();
      const shown = shownHash(state, state.questions.get('Q-1')!);
      await raiseQuestion(store, agent(), { ...plain, holds: ['src'] });
      const { outcome, question } = await decideQuestion(signedBy(store, human), 'Q-1', yes, shown);
      assert.equal(outcome, 'changed');
      assert.equal(question.status, 'pending');
    });

    function refuses(name: string, verdict: Verdict, code: string, message: RegExp, id = 'Q-1'): void {
      it(`not by ${name}`, async () => {
        const { store, workspace, human, sandbox } = await setting();
        await raiseQuestion(store, agent(), { ...plain, choices: [{ label: 'A' }], freeText: false });
        const before = fs.readFileSync(sandbox.journal);
        await assert.rejects(
          decide(workspace, human, id, verdict),
          (error: unknown) =>
            (error instanceof AppError || error instanceof StoreError) &&
            error.code === code &&
            message.test(error.message),
        );
        assert.deepEqual(fs.readFileSync(sandbox.journal), before);
        assert.equal(view(store, 'Q-1').holding, true);
      });
    }

    refuses(
      'a choice that is not there',
      { kind: 'answer', answer: { choices: ['B'] } },
      'bad_input',
      /"B" is not one/,
    );
    refuses('free text where a choice is wanted', yes, 'bad_input', /must be picked/);
    refuses(
      'an answer too long',
      { kind: 'answer', answer: { text: 'x'.repeat(5_001), choices: ['A'] } },
      'bad_input',
      /answer.text: must be at most 5000/,
    );
    refuses(
      'a cancellation without a reason',
      { kind: 'cancel', reason: ' ' },
      'bad_input',
      /reason: must not be empty/,
    );
    refuses(
      'a note of invisible characters only',
      { kind: 'release', note: '\u200B' },
      'refused',
      /note: must not be empty/,
    );
    refuses('naming one that is not there', yes, 'not_found', /no question Q-9/, 'Q-9');

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
        await assert.rejects(
          decide(workspace, { ...human, name }, 'Q-1'),
          (error: unknown) => error instanceof StoreError && error.code === 'refused',
        );
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

  it('is listed up to a limit, in the common order, without reading rows', async () => {
    const { store } = await setting();
    await task(store, 'T1');
    for (let n = 1; n <= 40; n++)
      await raiseQuestion(store, agent(), {
        ...plain,
        text: `Question number ${String(n)}?`,
        urgency: urgencies[(n * 7) % urgencies.length]!,
        mode: n % 3 === 0 ? 'async' : 'sync',
        ...(n % 4 === 0 ? { work: 'T1' } : {}),
        ...(n % 3 === 0 ? { assumption: 'Yes.' } : {}),
      });
    const view = store.read();
    const order = waitingOrder(view.state);
    assert.deepEqual(
      order.map(({ urgency }) => urgencies.indexOf(urgency)).toSorted((a, b) => b - a),
      order.map(({ urgency }) => urgencies.indexOf(urgency)),
    );
    const all = waitingQuestions(view);
    assert.deepEqual(
      all.map(({ id }) => id),
      order.map(({ id }) => id),
    );
    for (const [index, { agent_id, agent_name, type, urgency, work, raised_at, blocks, cascade }] of all.entries())
      assert.deepEqual(order[index], {
        ...{ id: all[index]!.id, agent_id, agent_name, type, urgency, raised_at },
        about: blocks.length + cascade.length,
        asked_back: false,
        for: null,
        work: work && { id: work.id, title: work.title },
      });
    const some = [order[30]!.id, order[2]!.id, 'Q-999', order[11]!.id];
    assert.deepEqual(questionViews(view, some), [all[30], all[2], all[11]]);
  });

  it('is released even if one line cannot contain all of them', async () => {
    const { store, human } = await setting();
    for (let n = 1; n <= 450; n++)
      await raiseQuestion(store, agent(), { ...plain, text: `Question number ${String(n)}?` });
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

    it('expires if async, without further effects', async () => {
      const { store, sandbox } = await setting();
      await task(store, 'T1', { status: 'in_progress' });
      await raiseQuestion(store, agent(), { ...plain, work: 'T1', mode: 'async' });
      sandbox.clock.now += 73 * hour;
      assert.deepEqual(await sweep(store), ['Q-1']);
      assert.equal(workView(store.read().state, 'T1').status, 'in_progress');
      assert.equal(waitingCount(store.read().state), 0);
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

    it('follows the human’s policy: a lifetime in hours, and escalation', async () => {
      const { store, human, sandbox } = await setting();
      const shown = shownPolicyHash(store.read().state);
      await changePolicy(signedBy(store, human), { questionLifeHours: 2, onExpiry: 'escalate' }, shown);
      await assert.rejects(async () => {
        await changePolicy(signedBy(store, human), { questionLifeHours: 3, onExpiry: 'expire' }, shown);
      }, /has changed since/);
      await raiseQuestion(store, agent(), plain);
      await raiseQuestion(store, agent(), { ...plain, text: 'And?', mode: 'async' });
      sandbox.clock.now += 2 * hour;
      assert.deepEqual(await sweep(store), ['Q-1', 'Q-2']);
      assert.deepEqual(await sweep(store), []);
      assert.deepEqual(
        [view(store, 'Q-1').status, view(store, 'Q-1').urgency, view(store, 'Q-1').holding],
        ['pending', 'critical', true],
      );
      assert.equal(view(store, 'Q-2').status, 'expired');
    });

    it('has a policy with an undo time, which is at most a minute', async () => {
      const { store, human } = await setting();
      const set = async (seconds: number) => {
        const policy = { questionLifeHours: 24, onExpiry: 'expire', undo: { seconds } } as const;
        await changePolicy(signedBy(store, human), policy, shownPolicyHash(store.read().state));
      };
      assert.equal(store.read().state.policy.undo, undefined);
      await set(0);
      assert.deepEqual(store.read().state.policy.undo, { seconds: 0 });
      for (const wrong of [61, -1, 0.5])
        await assert.rejects(async () => {
          await set(wrong);
        });
      assert.deepEqual(store.read().state.policy.undo, { seconds: 0 });
    });

    it('has a policy with reminder intervals', async () => {
      const { store, human } = await setting();
      const set = async (change: object) => {
        const policy = { questionLifeHours: 24, onExpiry: 'expire', ...change } as const;
        await changePolicy(signedBy(store, human), policy, shownPolicyHash(store.read().state));
      };
      await set({ questionLifeHours: 2 });
      const reminders = { critical: 1, high: 0, medium: 10, low: 1_440 };
      await set({ reminders });
      assert.deepEqual(store.read().state.policy.reminders, reminders);
      for (const wrong of [1_441, -1, 0.5])
        await assert.rejects(async () => {
          await set({ reminders: { ...reminders, low: wrong } });
        });
      assert.deepEqual(store.read().state.policy.reminders, reminders);
    });
  });

  describe('when decided', () => {
    it('is offered until the agent acts after receiving it', async () => {
      const { store, workspace, human } = await setting();
      await raiseQuestion(store, agent(), plain);
      const waiting = () => undelivered(store.read(), 'copilot-001').map(({ id }) => id);
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

    it('is acknowledged immediately by an agent that waited for it', async () => {
      const { store, workspace, human } = await setting();
      await raiseQuestion(store, agent(), plain);
      await recordOffer(store, agent(), ['Q-1', 'Q-9'], true);
      assert.equal(view(store, 'Q-1').offered_at, null, 'without an outcome, nothing is delivered');
      await decide(workspace, human, 'Q-1');
      await recordOffer(store, agent(), ['Q-1'], true);
      assert.ok(view(store, 'Q-1').acknowledged_at !== null);
      assert.deepEqual(undelivered(store.read(), 'copilot-001'), []);
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
      assert.deepEqual(undelivered(store.read(), 'copilot-001'), []);
      assert.deepEqual(
        undelivered(store.read(), 'claude-002').map(({ id }) => id),
        ['Q-1'],
      );
      assert.deepEqual(openQuestionsOfAgent(store.read(), 'claude-002'), []);
    });

    it('goes to each later owner of the work, once', async () => {
      const { store, workspace, human } = await setting();
      await task(store, 'T1', { assignee: 'copilot-001' });
      await raiseQuestion(store, agent(), { ...plain, work: 'T1' });
      await decide(workspace, human, 'Q-1');
      const waitingFor = () => ['copilot-001', 'claude-002'].filter((one) => undelivered(store.read(), one).length > 0);
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

    it('until a human decides, here', async () => {
      const { store, workspace, human } = await setting();
      await raiseQuestion(store, agent(), plain);
      const waiting = wait(workspace, ['Q-1'], Infinity);
      await decide(workspace, human, 'Q-1');
      workspace.changed();
      assert.equal((await waiting)[0]?.resolution, 'answered');
    });

    it('until a human decides, in another program', async () => {
      const { store, workspace, sandbox, human } = await setting();
      await raiseQuestion(store, agent(), plain);
      const waiting = wait(workspace, ['Q-1'], Infinity);
      await decide(sandbox.open(), human, 'Q-1', cancel);
      assert.equal((await waiting)[0]?.resolution, 'cancelled');
    });

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

    it('up to the timeout, and stays open', async () => {
      const { store, workspace } = await setting();
      await raiseQuestion(store, agent(), plain);
      assert.equal((await wait(workspace, ['Q-1'], 0))[0]?.status, 'pending');
      assert.equal((await wait(workspace, ['Q-1'], 1))[0]?.status, 'pending');
      assert.deepEqual(await wait(workspace, ['Q-7'], Infinity), [], 'no wait is left over');
    });

    it('until the caller cancels, and stays open', async () => {
      const { store, workspace } = await setting();
      await raiseQuestion(store, agent(), plain);
      const caller = new AbortController();
      const waiting = wait(workspace, ['Q-1'], Infinity, caller.signal);
      caller.abort();
      assert.equal((await waiting)[0]?.status, 'pending');
      assert.equal((await wait(workspace, ['Q-1'], Infinity, caller.signal))[0]?.status, 'pending');
      assert.equal(view(store, 'Q-1').holding, true);
    });

    it('until the store cannot be read, which is an error, not an answer', async () => {
      const { store, workspace, sandbox } = await setting();
      await raiseQuestion(store, agent(), plain);
      const waiting = wait(workspace, ['Q-1'], Infinity);
      fs.rmSync(sandbox.journal);
      workspace.changed();
      await assert.rejects(waiting, (error: unknown) => error instanceof StoreError && error.code === 'unknown-state');
    });
  });

  describe('is listed', () => {
    it('by status, agent, work, type, urgency and whether it waits', async () => {
      const { store, workspace, human, sandbox } = await setting();
      await task(store, 'T1');
      await task(store, 'T2', { dependsOn: ['T1'] });
      const asks: Partial<RaiseInput>[] = [
        { text: 'low', urgency: 'low' },
        { text: 'on T1', work: 'T1' },
        { text: 'critical', urgency: 'critical', mode: 'async', type: 'decision' },
        { text: 'high', urgency: 'high' },
        { text: 'over', mode: 'async' },
      ];
      for (const ask of asks) await raiseQuestion(store, agent(), { ...plain, ...ask });
      await raiseQuestion(store, agent('claude-002'), { ...plain, text: 'on T1 too', work: 'T2' });
      await decide(workspace, human, 'Q-5');
      const ids = (filter: Parameters<typeof listQuestions>[1]) =>
        listQuestions(store.read(), filter).questions.map(({ id }) => id);
      assert.deepEqual(ids({}), ['Q-6', 'Q-5', 'Q-4', 'Q-3', 'Q-2', 'Q-1']);
      assert.deepEqual(ids({ status: 'answered' }), ['Q-5']);
      assert.deepEqual(ids({ agent: 'claude-002' }), ['Q-6']);
      assert.deepEqual(ids({ work: 'T1' }), ['Q-2']);
      assert.deepEqual(ids({ type: 'decision' }), ['Q-3']);
      assert.deepEqual(ids({ urgent: true }), ['Q-4', 'Q-3']);
      const { total, pending_count, sync_count } = listQuestions(store.read());
      assert.deepEqual([total, pending_count, sync_count], [6, 5, 4]);
      assert.deepEqual(
        waitingQuestions(store.read()).map(({ id }) => id),
        ['Q-3', 'Q-4', 'Q-2', 'Q-6', 'Q-1'],
      );
      sandbox.clock.now += 73 * hour;
      await sweep(store);
      assert.deepEqual(ids({ waiting: true }), ['Q-6', 'Q-4', 'Q-2', 'Q-1']);
      assert.equal(waitingCount(store.read().state), 4);
      assert.equal(questionView(store.read(), 'Q-9'), null);
    });
  });
});
