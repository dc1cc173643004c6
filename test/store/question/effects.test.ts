import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decideQuestion, liftRefusal, shownAnswerHash, shownHash } from '../../../src/app/decision/decisions.ts';
import { commitGate } from '../../../src/app/hold/commitGate.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion, type RaiseInput } from '../../../src/app/question/questions.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { acknowledgeOffered, recordOffer, undeliveredQuestions } from '../../../src/app/waiting/delivery.ts';
import { registerWork, updateWork } from '../../../src/app/work/work.ts';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { sweep } from '../../../src/app/workspace/sweep.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import type { AnswerEffect } from '../../../src/core/kit/words.ts';
import type { Answer } from '../../../src/core/records/records.ts';
import { operations } from '../../../src/tools/catalog.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { agent, signedBy, decide } from '../../support/store/people.ts';
import { runs } from '../../support/runs.ts';
import { hour, removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman, type WithHuman } from '../../support/store/withHuman.ts';

const asked = { type: 'approval', urgency: 'medium', mode: 'sync', work: 'T1' } as const;

async function setting(): Promise<WithHuman> {
  const { sandbox, workspace, human, store } = await withHuman();
  await registerWork(store, agent(), { id: 'W1', workKind: 'workflow', title: 'Release' });
  await registerWork(store, agent(), { id: 'T1', workKind: 'task', title: 'Clean up', status: 'in_progress' });
  await registerWork(store, agent(), { id: 'T2', workKind: 'task', title: 'Report', dependsOn: ['T1'] });
  return { sandbox, workspace, store, human };
}

async function answered(made: WithHuman, answer: Answer, more: Partial<RaiseInput> = {}): Promise<void> {
  await raiseQuestion(made.store, agent(), { ...asked, text: 'May I drop the table?', holds: ['db/**'], ...more });
  await decide(made.workspace, made.human, 'Q-1', { kind: 'answer', answer });
}

const no = (effect?: AnswerEffect): Answer => ({
  choices: ['No'],
  text: 'Never.',
  ...(effect === undefined ? {} : { effect }),
});
const commit = ({ workspace }: WithHuman) =>
  commitGate(workspace, [{ name: 'c0ffee', files: [], message: 'Drop the table (Q-1)' }]);

async function lift({ store, human }: WithHuman, reason = 'After the backup.'): Promise<void> {
  const { state } = store.read();
  await liftRefusal(signedBy(store, human), {
    id: 'Q-1',
    reason,
    shown: shownAnswerHash(state, state.questions.get('Q-1')!),
  });
}

describe('an answer', () => {
  afterEach(removeSandboxes);

  interface Case {
    readonly raised?: Partial<RaiseInput>;
    readonly answer: Answer;
    readonly effect: AnswerEffect;
    /** Whether the record contains the effect, or it is implicit. */
    readonly written: boolean;
    readonly approved: boolean | null;
  }

  function check(name: string, { raised = {}, answer, effect, written, approved }: Case): void {
    it(`means what it says: ${name}`, async () => {
      const made = await setting();
      await answered(made, answer, raised);
      const { state } = made.store.read();
      const shown = questionView(made.store.read(), 'Q-1')!;
      assert.deepEqual([shown.effect, shown.approved], [effect, approved]);
      assert.equal(state.questions.get('Q-1')!.resolution!.answer!.effect, written ? effect : undefined);
    });
  }
  const decision = { type: 'decision' } as const;
  check('the Yes of an approval', { answer: { choices: ['Yes'] }, effect: 'proceed', written: false, approved: true });
  check('the No of an approval', { answer: no(), effect: 'do_not', written: true, approved: false });
  check('a No that stops', { answer: no('stop'), effect: 'stop', written: true, approved: false });
  check('free text', {
    raised: decision,
    answer: { text: 'Use JWT.', choices: [] },
    effect: 'proceed',
    written: false,
    approved: null,
  });
  check('free text that means no', {
    raised: decision,
    answer: { text: 'Leave it.', choices: [], effect: 'do_not' },
    effect: 'do_not',
    written: true,
    approved: false,
  });
  const choices = [{ label: 'Now' }, { label: 'Later', effect: 'do_not' as const }];
  check('a choice that its asker marked', {
    raised: { ...decision, choices },
    answer: { choices: ['Later'] },
    effect: 'do_not',
    written: true,
    approved: false,
  });
  check('a marked choice that the human means otherwise', {
    raised: { ...decision, choices },
    answer: { choices: ['Later'], effect: 'proceed' },
    effect: 'proceed',
    written: true,
    approved: null,
  });

  it('"No" to an approval cannot permit it', async () => {
    const made = await setting();
    await assert.rejects(answered(made, no('proceed')), AppError);
  });

  it('that refuses blocks every commit that names the question, until a human lifts it', async () => {
    const made = await setting();
    await answered(made, no());
    const { verdict, references } = commit(made);
    assert.deepEqual([verdict, references[0]?.problem, references[0]?.by], ['deny', 'refused', 'Ada']);
    // The rest of the task continues, with a reminder.
    const gate = askGate(made.workspace, { work: 'T1', files: ['db/tables.sql'] });
    assert.equal(gate.verdict, 'allow');
    assert.match(gate.constraints.join(), /^Do not do what Q-1 asked, "May I drop the table\?": No: Never\.$/);
    await lift(made);
    assert.equal(commit(made).verdict, 'allow');
    assert.deepEqual(askGate(made.workspace, { work: 'T1' }).constraints, []);
  });

  it('that stops the work keeps work and files held, and cancels the work, until a human lifts it', async () => {
    const made = await setting();
    await answered(made, no('stop'));
    for (const request of [{ work: 'T1' }, { work: 'T2' }, { files: ['db/tables.sql'] }]) {
      const { verdict, reasons } = askGate(made.workspace, request);
      assert.equal(verdict, 'deny', JSON.stringify(request));
      assert.match(reasons[0]!.code, /^stopped_/);
    }
    assert.equal(askGate(made.workspace, { files: ['docs/a.md'] }).verdict, 'allow');
    assert.equal(made.store.read().state.work.get('T1')!.status, 'cancelled');
    await assert.rejects(async () => updateWork(made.store, agent(), { id: 'T1', status: 'in_progress' }));
    await lift(made);
    for (const request of [{ work: 'T1' }, { work: 'T2' }, { files: ['db/tables.sql'] }])
      assert.equal(askGate(made.workspace, request).verdict, 'allow');
    await updateWork(made.store, agent(), { id: 'T1', status: 'in_progress' });
  });

  it('that stops a session holds that session until a human lifts it', async () => {
    const made = await setting();
    await answered(made, no('stop'), { work: null, holds: [] });
    const own = { session: { agent: 'copilot-001' } };
    assert.deepEqual(
      askGate(made.workspace, own).reasons.map(({ code, holder }) => [code, holder?.id]),
      [['stopped_session', 'Q-1']],
    );
    assert.equal(askGate(made.workspace, { session: { agent: 'claude-002' } }).verdict, 'allow');
    await lift(made);
    assert.equal(askGate(made.workspace, own).verdict, 'allow');
  });

  it('that stops an async question holds the work in progress', async () => {
    const made = await setting();
    await answered(made, { text: 'Stop.', choices: [], effect: 'stop' }, { type: 'decision', mode: 'async' });
    assert.equal(askGate(made.workspace, { work: 'T1' }).verdict, 'deny');
  });

  it('that refuses is delivered, and so is its lifting', async () => {
    const made = await setting();
    await answered(made, no());
    await recordOffer(made.store, agent(), ['Q-1'], false);
    await acknowledgeOffered(made.store, agent());
    assert.deepEqual(undeliveredQuestions(made.store.read(), 'copilot-001'), []);
    await lift(made);
    assert.deepEqual(
      undeliveredQuestions(made.store.read(), 'copilot-001').map(({ lifted }) => lifted?.reason),
      ['After the backup.'],
    );
  });

  it('is lifted once, only if it refuses and is unchanged since displayed', async () => {
    const made = await setting();
    await answered(made, no());
    await assert.rejects(
      async () => liftRefusal(signedBy(made.store, made.human), { id: 'Q-1', reason: 'x', shown: '' }),
      AppError,
    );
    await lift(made);
    await assert.rejects(async () => {
      await lift(made);
    }, /was lifted at/);
    await raiseQuestion(made.store, agent(), { ...asked, text: 'May I look?' });
    await decide(made.workspace, made.human, 'Q-2', { kind: 'answer', answer: { choices: ['Yes'] } });
    const { state } = made.store.read();
    const shown = shownAnswerHash(state, state.questions.get('Q-2')!);
    await assert.rejects(
      async () => liftRefusal(signedBy(made.store, made.human), { id: 'Q-2', reason: 'x', shown }),
      /refuses nothing/,
    );
  });

  it('that was refused and lifted is not reused when an agent asks the same', async () => {
    const made = await setting();
    const decision: Partial<RaiseInput> = { type: 'decision', text: 'Drop it?' };
    await answered(made, { text: 'No.', choices: [], effect: 'do_not' }, decision);
    const again = async () => raiseQuestion(made.store, agent(), { ...asked, ...decision, text: 'Drop it?' });
    assert.deepEqual([(await again()).earlier, (await again()).question.effect], [true, 'do_not']);
    await lift(made);
    assert.deepEqual([(await again()).earlier, (await again()).question.id], [false, 'Q-2']);
  });
});

describe('a question that names several items', () => {
  afterEach(removeSandboxes);

  it('holds all of them, also read from a saved state', async () => {
    const made = await setting();
    await raiseQuestion(made.store, agent(), { ...asked, text: 'Both?', work: 'T1', alsoWork: ['W1'] });
    await registerWork(made.store, agent(), { id: 'T9', workKind: 'task', title: 'In W1', workflow: 'W1' });
    const denied = (workspace: Workspace) =>
      ['T1', 'T2', 'W1', 'T9'].map((work) => askGate(workspace, { work }).verdict);
    assert.deepEqual(denied(made.workspace), ['deny', 'deny', 'deny', 'deny']);
    made.workspace.close();
    assert.deepEqual(denied(made.sandbox.open()), ['deny', 'deny', 'deny', 'deny']);
  });

  it('is rejected while one of them is not registered', async () => {
    const { store } = await setting();
    await assert.rejects(
      async () => raiseQuestion(store, agent(), { ...asked, text: 'Both?', alsoWork: ['W7'] }),
      /"W7" is not registered/,
    );
  });
});

describe('a human’s refusal', () => {
  afterEach(removeSandboxes);

  /** Arbitrary calls by agents, with the values that each field may have. */
  const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    id: fc.constantFrom('T1', 'T2', 'T3', 'Q-1', 'Q-2', 'RFC-1'),
    work_id: fc.constantFrom('T1', 'T2'),
    also_work_ids: fc.constantFrom([], ['T2']),
    text: fc.constantFrom('May I drop the table?', 'Shall I?'),
    title: fc.constant('Title'),
    type: fc.constantFrom('approval', 'decision', 'warning'),
    mode: fc.constantFrom('sync', 'async'),
    status: fc.constantFrom('todo', 'in_progress', 'done', 'cancelled'),
    assigned_agent: fc.constantFrom('copilot-001', 'claude-002'),
    workflow: fc.constant('W1'),
    kind: fc.constantFrom('task', 'workflow'),
    remove_depends_on: fc.constant(['T1']),
    remove_holds: fc.constant(['db/**']),
    holds: fc.constantFrom([], ['db/**']),
    reopen_reason: fc.constant('It has changed.'),
    reason: fc.constant('Done.'),
    summary: fc.constant('Short.'),
    submit: fc.boolean(),
    wait_seconds: fc.constant(0),
  };
  const calls = fc.oneof(
    ...operations.map((tool) =>
      fc.record({
        tool: fc.constant(tool),
        input: fc.record(
          Object.fromEntries(
            Object.keys(tool.input.shape).map((name) => [
              name,
              fc.option(values[name] ?? fc.constant(undefined), { nil: undefined, freq: 9 }),
            ]),
          ),
        ),
        as: fc.constantFrom('copilot-001', 'claude-002'),
      }),
    ),
  );

  it('cannot be undone by any sequence of agents’ calls, nor by time', async () => {
    let done = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<AnswerEffect>('do_not', 'stop'),
        fc.array(fc.oneof({ weight: 9, arbitrary: calls }, { weight: 1, arbitrary: fc.constant('a day passes') }), {
          maxLength: 12,
          size: 'max',
        }),
        async (effect, acts) => {
          const made = await setting();
          await answered(made, no(effect));
          for (const act of acts) {
            if (typeof act === 'string') {
              made.sandbox.clock.now += 73 * hour;
              await sweep(made.store);
            } else {
              const context = {
                workspace: made.workspace,
                session: agent(act.as),
                signal: new AbortController().signal,
                waitMs: 0,
              };
              const { status } = await runOperation(act.tool, context, JSON.parse(JSON.stringify(act.input)));
              if (status === 'ok') done++;
            }
            assert.equal(commit(made).verdict, 'deny');
            if (effect !== 'stop') continue;
            assert.equal(askGate(made.workspace, { work: 'T1' }).verdict, 'deny');
            assert.equal(askGate(made.workspace, { files: ['db/tables.sql'] }).verdict, 'deny');
          }
          made.workspace.close();
          assert.equal(commit({ ...made, workspace: made.sandbox.open() }).verdict, 'deny', 'when it is read again');
        },
      ),
      { numRuns: runs(100) },
    );
    assert.ok(done > runs(100) / 4, `only ${String(done)} calls did something`);
  }).timeout(300_000);

  it('stays in effect if a program signs another effect for it', async () => {
    const made = await setting();
    await answered(made, no());
    const { state } = made.store.read();
    const shown = shownHash(state, state.questions.get('Q-1')!);
    const again = await decideQuestion(
      signedBy(made.store, made.human),
      'Q-1',
      { kind: 'answer', answer: { choices: ['Yes'] } },
      shown,
    );
    assert.equal(again.outcome, 'already');
    assert.equal(commit(made).verdict, 'deny');
  });
});
