import assert from 'node:assert/strict';
import fs from 'node:fs';
import { AppError } from '../../../src/app/workspace/errors.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import {
  HeldError,
  listWork,
  registerWork,
  updateWork,
  workView,
  type RegisterInput,
  type UpdateInput,
} from '../../../src/app/work/work.ts';
import { deleteWork, shownDeletionHash } from '../../../src/app/decision/decisions.ts';
import { deletionOf } from '../../../src/core/work/fold.ts';
import type { Store } from '../../../src/store/store.ts';
import { agent, signedBy, decide, enrolledHuman, release } from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../../support/store/sandbox.ts';

const task: RegisterInput = { id: 'T1', workKind: 'task', title: 'Log in' };

/** A workflow with two tasks, the second held by a question. */
async function setting() {
  const sandbox = makeSandbox();
  const workspace = sandbox.open();
  const store = await workspace.store();
  await registerWork(store, agent(), { id: 'W1', workKind: 'workflow', title: 'Release' });
  await registerWork(store, agent(), { ...task, workflow: 'W1', holds: ['src/a'] });
  await registerWork(store, agent(), {
    id: 'T2',
    workKind: 'task',
    title: 'Log out',
    dependsOn: ['T1'],
    status: 'in_progress',
  });
  await raiseQuestion(store, agent(), {
    text: 'How?',
    type: 'clarification',
    urgency: 'medium',
    mode: 'sync',
    work: 'T1',
  });
  return { sandbox, workspace, store };
}

describe('a work item', () => {
  afterEach(removeSandboxes);

  it('is shown with its fields, its dependencies and its holds', async () => {
    const { store, workspace } = await setting();
    const { state } = store.read();
    assert.deepEqual(workView(state, 'T1'), {
      id: 'T1',
      kind: 'task',
      title: 'Log in',
      status: 'blocked_pending_human_input',
      base_status: 'todo',
      step: null,
      workflow: 'W1',
      depends_on: [],
      holds: ['src/a'],
      assigned_agent: null,
      blocks: [{ id: 'Q-1', text: 'How?', via: 'T1' }],
      created_by: 'copilot-001',
      created_at: '2026-03-02T09:00:00.000Z',
      updated_at: '2026-03-02T09:00:00.000Z',
    });
    assert.deepEqual(
      listWork(state).map(({ id, status, assigned_agent }) => [id, status, assigned_agent]),
      [
        ['W1', 'todo', null],
        ['T1', 'blocked_pending_human_input', null],
        ['T2', 'blocked_pending_human_input', 'copilot-001'],
      ],
    );
    await decide(workspace, enrolledHuman(workspace), 'Q-1', release);
    assert.equal(workView(store.read().state, 'T2').status, 'in_progress');
    assert.equal((await updateWork(store, agent(), { id: 'T1', status: 'in_progress', step: 'tests' })).step, 'tests');
    assert.equal(
      (await updateWork(store, agent(), { id: 'T1', workflow: null, removeHolds: ['src/a'] })).workflow,
      null,
    );
  });

  interface Bad {
    readonly register?: object;
    readonly update?: object;
    readonly code: AppError['code'];
    readonly message: RegExp;
  }

  function check(name: string, { register, update, code, message }: Bad): void {
    it(`is rejected: ${name}`, async () => {
      const { store, sandbox } = await setting();
      const before = fs.readFileSync(sandbox.journal);
      await assert.rejects(
        async () =>
          register
            ? await registerWork(store, agent(), { ...task, id: 'T9', ...register })
            : await updateWork(store, agent(), { id: 'T1', ...update }),
        (error: unknown) =>
          error instanceof AppError && error.code === code && message.test(error.message) && error.message.length < 500,
      );
      assert.deepEqual(fs.readFileSync(sandbox.journal), before, 'nothing is stored');
      assert.ok(!store.read().state.work.has('T9'));
    });
  }

  check('another kind of the same id', {
    register: { id: 'T1', workKind: 'workflow' },
    code: 'conflict',
    message: /its kind cannot change/,
  });
  check('an id too long', {
    register: { id: 'x'.repeat(101) },
    code: 'bad_input',
    message: /^id: must be at most 100/,
  });
  check('a title of 2 MB', {
    register: { title: 'x'.repeat(2_000_000) },
    code: 'bad_input',
    message: /^title: must be at most 200/,
  });
  check('an invalid agent', {
    register: { assignee: 'a?b' },
    code: 'bad_input',
    message: /^assignee: must be a name/,
  });
  check('a file scope outside', {
    register: { holds: ['/etc'] },
    code: 'bad_input',
    message: /^holds.0: must be inside/,
  });
  check('an update of nothing', {
    update: { id: 'T8' },
    code: 'not_found',
    message: /"T8" is not registered$/,
  });

  it('that is refused while held names the holder', async () => {
    const { store } = await setting();
    await assert.rejects(
      async () => updateWork(store, agent(), { id: 'T2', step: 'next' } satisfies UpdateInput),
      (error: unknown) =>
        error instanceof HeldError &&
        error.item.id === 'T2' &&
        error.blocks[0]?.via === 'T1' &&
        error.blocks[0].holder.id === 'Q-1',
    );
  });

  it('is deleted with all that is in it, once nothing is held and nothing else needs it; its id stays taken', async () => {
    const { store, workspace } = await setting();
    const remove = (id: string) => updateWork(store, agent(), { id, status: 'deleted' });
    const left = () => listWork(store.read().state).map(({ id }) => id);
    const refuses = (id: string, message: RegExp) => assert.rejects(remove(id), { message });
    await refuses('T1', /is held by Q-1/);
    await refuses('W1', /is held by Q-1|while Q-1 holds/);
    await decide(workspace, enrolledHuman(workspace), 'Q-1');
    await refuses('T1', /T1 cannot be deleted: T2 needs it/);
    await refuses('W1', /T1 cannot be deleted: T2 needs it/);
    assert.deepEqual(left(), ['W1', 'T1', 'T2']);
    await updateWork(store, agent(), { id: 'T2', status: 'done' });
    await registerWork(store, agent(), { ...task, id: 'T3', workflow: 'W1', dependsOn: ['T1'] });
    await remove('W1');
    assert.deepEqual(left(), ['T2']);
    assert.equal(workView(store.read().state, 'T1').status, 'deleted');
    await assert.rejects(updateWork(store, agent(), { id: 'T1', status: 'todo' }), /T1 was deleted/);
    await assert.rejects(registerWork(store, agent(), { ...task, title: 'Again' }), /T1 was deleted/);
    await assert.rejects(
      registerWork(store, agent(), { ...task, id: 'T4', dependsOn: ['T1'] }),
      /T1 is not registered/,
    );
    await assert.rejects(registerWork(store, agent(), { ...task, id: 'T4', workflow: 'W1' }), /W1 is not registered/);
  });

  it('is deleted by a human while it is held: lists leave it out, its question waits, the audit has it', async () => {
    const { store, workspace } = await setting();
    const human = enrolledHuman(workspace);
    const signing = signedBy(store, human);
    const deletion = deletionOf(store.read().state, 'W1');
    assert.ok(deletion);
    await assert.rejects(deleteWork(signing, 'W1', 'stale'), /has changed since it was shown/);
    await deleteWork(signing, 'W1', shownDeletionHash(deletion));
    const { state, rows } = store.read();
    assert.deepEqual(
      listWork(state).map(({ id, status }) => [id, status]),
      [['T2', 'in_progress']],
    );
    const saved = rows.all<{ line: string }>(`SELECT id || ' ' || status AS line FROM work_items ORDER BY id`);
    assert.deepEqual(
      saved.map(({ line }) => line),
      ['T1 deleted', 'T2 in_progress', 'W1 deleted'],
    );
    const signed = rows.all('SELECT action, subject, decided_by FROM decisions');
    assert.deepEqual(signed, [{ action: 'work.deleted', subject: 'W1', decided_by: human.name }]);
    assert.deepEqual([...state.undecided], ['Q-1']);
    await decide(workspace, human, 'Q-1');
    await assert.rejects(deleteWork(signing, 'W1', 'again'), /is not registered/);
    assert.deepEqual(store.read().state.refusals, []);
  });

  it('registers its agent on first use, once', async () => {
    const { store } = await setting();
    await registerOther(store);
    await registerOther(store, 'T8');
    assert.deepEqual(
      [...store.read().state.agents.values()].map(({ id, type, host }) => [id, type, host]),
      [
        ['copilot-001', 'copilot', 'test'],
        ['claude-002', 'claude', 'test'],
      ],
    );
  });

  async function registerOther(store: Store, id = 'T7'): Promise<void> {
    await registerWork(store, agent('claude-002'), { ...task, id });
  }
});
