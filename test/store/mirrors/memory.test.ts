import assert from 'node:assert/strict';
import fs from 'node:fs';
import fc from 'fast-check';
import { liftRefusal, shownAnswerHash, type Verdict } from '../../../src/app/decision/decisions.ts';
import { mirror, type MirrorMemory } from '../../../src/app/mirrors/mirrors.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { runs } from '../../support/runs.ts';
import {
  agent,
  askAgent,
  signedBy,
  cancel,
  decide,
  enrolledHuman,
  holdFiles,
  type Human,
} from '../../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const approve: Verdict = { kind: 'answer', answer: { choices: ['Yes'], text: 'Yes.' } };
const refuse: Verdict = { kind: 'answer', answer: { choices: ['No'], text: 'No.', effect: 'stop' } };

/** Of three questions on a task, with its workflow. */
const step = fc.constantFrom(
  ...(['answer', 'stop', 'lift', 'cancel', 'ask back', 'hold all', 'hold named', 'raise'] as const),
  ...(['retitle task', 'retitle workflow', 'hold more', 'edit', 'remove', 'link', 'reopen'] as const),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('mirrors with a memory', () => {
  let sandbox: Sandbox;
  let workspace: Workspace;
  let human: Human;
  let memory: MirrorMemory;
  const file = (id: string) => sandbox.at('ws', '.holdpoint', 'questions', `${id}.md`);
  const store = () => workspace.store();

  async function begin(): Promise<void> {
    sandbox = makeSandbox();
    workspace = sandbox.open();
    await registerWork(await store(), agent(), { id: 'w-1', workKind: 'workflow', title: 'Workflow' });
    await registerWork(await store(), agent(), { id: 't-1', workKind: 'task', title: 'Task', workflow: 'w-1' });
    human = enrolledHuman(workspace);
    for (const urgency of ['critical', 'high', 'low'] as const) await raise(urgency);
  }
  afterEach(removeSandboxes);

  async function raise(urgency: 'critical' | 'high' | 'low'): Promise<void> {
    const { questions } = (await store()).read().state;
    await raiseQuestion(await store(), agent(), {
      text: `Question ${String(questions.size + 1)}?`,
      ...{ type: 'approval', urgency, mode: 'sync', work: 't-1' },
    });
  }

  async function act(which: Step, id: string, round: number): Promise<void> {
    const again = String(round);
    switch (which) {
      case 'answer':
        await decide(workspace, human, id, approve);
        return;
      case 'stop':
        await decide(workspace, human, id, refuse);
        return;
      case 'lift': {
        await decide(workspace, human, id, refuse).catch(() => undefined); // it may be refused already
        await mirror(workspace, { memory });
        const { state } = (await store()).read();
        const shown = shownAnswerHash(state, state.questions.get(id)!);
        await liftRefusal(signedBy(await store(), human), { id, reason: again, shown });
        return;
      }
      case 'cancel':
        await decide(workspace, human, id, cancel);
        return;
      case 'ask back':
        return askAgent(workspace, human, id, again);
      case 'hold all':
        await holdFiles(workspace, human, id, 'all');
        return;
      case 'hold named':
        await holdFiles(workspace, human, id, 'named');
        return;
      case 'raise':
        return raise('high');
      case 'retitle task':
        await registerWork(await store(), agent(), { id: 't-1', workKind: 'task', title: `Task ${again}` });
        return;
      case 'retitle workflow':
        await registerWork(await store(), agent(), { id: 'w-1', workKind: 'workflow', title: `Workflow ${again}` });
        return;
      case 'hold more':
        await registerWork(await store(), agent(), {
          ...{ id: 't-1', workKind: 'task', title: 'Task' },
          holds: [`src/${again}/**`],
        });
        return;
      case 'edit':
        fs.writeFileSync(file(id), fs.readFileSync(file(id), 'utf8').replace('Question', 'question'));
        return;
      case 'remove':
        fs.rmSync(file(id));
        return;
      case 'link':
        fs.rmSync(file(id));
        fs.symlinkSync(sandbox.at('elsewhere.md'), file(id));
        return;
      case 'reopen':
        workspace.reopen();
    }
  }

  it('are what mirrors without one are, whatever happens in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fc.constantFrom('Q-1', 'Q-2', 'Q-3')), { minLength: 4, maxLength: 12, size: 'max' }),
        async (steps) => {
          await begin();
          memory = new WeakMap();
          await mirror(workspace, { memory });
          for (const [round, [which, id]] of steps.entries()) {
            await mirror(workspace, { memory });
            await act(which, id, round).catch(() => undefined); // not every act is possible after every other one
            const expected = await mirror(workspace, { check: true });
            assert.deepEqual(await mirror(workspace, { memory, check: true }), expected, which);
            assert.deepEqual(await mirror(workspace, { memory }), expected, which);
            const { total } = expected;
            assert.deepEqual(await mirror(workspace, { check: true }), { total, written: [], removed: [], edited: [] });
          }
          removeSandboxes();
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it('read no file whose question and work did not change', async () => {
    await begin();
    const read: string[] = [];
    const watched = {
      ...workspace,
      options: {
        ...workspace.options,
        fs: {
          ...fs,
          readFileSync: (...given: Parameters<typeof fs.readFileSync>) => {
            if (String(given[0]).includes('questions')) read.push(String(given[0]));
            return fs.readFileSync(...given);
          },
        },
      },
    } as unknown as Workspace;
    memory = new WeakMap();
    await mirror(watched, { memory });
    await mirror(watched, { memory }); // what was just written is compared once
    assert.equal(read.length, 3);
    await decide(workspace, human, 'Q-2', approve);
    assert.deepEqual((await mirror(watched, { memory })).written, ['questions/Q-2.md']);
    assert.deepEqual(read.slice(3), [file('Q-2')]);
  });

  it('look only at files whose rows changed, for as long as they may', async () => {
    await begin();
    memory = new WeakMap();
    const kept = () => mirror(workspace, { memory, everyMs: 10_000 });
    await kept();
    sandbox.clock.now += 10_000;
    assert.deepEqual((await kept()).written, []); // compares what was written
    fs.appendFileSync(file('Q-1'), 'By hand.');
    fs.writeFileSync(file('Q-77'), 'Of no row.');
    sandbox.clock.now += 9_999;
    await decide(workspace, human, 'Q-2', approve);
    assert.deepEqual(await kept(), { total: 3, written: ['questions/Q-2.md'], removed: [], edited: [] });
    sandbox.clock.now += 1;
    const { written, removed, edited } = await kept();
    assert.deepEqual(
      [written, removed, edited],
      [['questions/Q-1.md'], ['questions/Q-77.md'], ['questions/Q-77.md', 'questions/Q-1.md']],
    );
  });

  it('are all looked at after the store was opened again', async () => {
    await begin();
    memory = new WeakMap();
    await mirror(workspace, { memory, everyMs: 10_000 });
    fs.rmSync(file('Q-1'));
    workspace.reopen();
    assert.deepEqual((await mirror(workspace, { memory, everyMs: 10_000 })).written, ['questions/Q-1.md']);
  });
});
