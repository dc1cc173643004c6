/** A list of waiting questions for a caller without a name: mostly from the state alone, and always the same. */
import assert from 'node:assert/strict';
import { keepHeld } from '../../../src/app/hold/keepHeld.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerResponsibility } from '../../../src/app/request/requests.ts';
import { proposeRfc } from '../../../src/app/rfc/rfcs.ts';
import { registerWork, updateWork } from '../../../src/app/work/work.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { listQuestions } from '../../../src/tools/question/reading.ts';
import { parkQuestion } from '../../../src/tools/question/waiting.ts';
import { agent, askAgent, decide, yes } from '../../support/store/people.ts';
import { locally } from '../../support/store/locally.ts';
import { hour, makeSandbox, minute, removeSandboxes } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';

const bot = agent('copilot-001');
const shell = agent('shell-001');

function contextOf(workspace: Workspace, session = shell, isUnnamed = true) {
  return { workspace, session, signal: new AbortController().signal, waitMs: 0, isUnnamed };
}

/** Three open questions on work, one of them asked back, and an answered one. */
async function setting() {
  const { sandbox, workspace, human, store } = await withHuman();
  await registerWork(store, bot, { id: 'T1', workKind: 'task', title: 'Sign-in', holds: ['src/auth'] });
  await registerWork(store, bot, { id: 'T2', workKind: 'task', title: 'Docs', dependsOn: ['T1'] });
  const asked = { type: 'decision', urgency: 'low', mode: 'sync' } as const;
  await raiseQuestion(store, bot, {
    ...asked,
    text: 'JWT or sessions?',
    work: 'T1',
    holds: ['db/**'],
    background: 'Both.',
  });
  await raiseQuestion(store, bot, { ...asked, text: 'Which cache?', work: null, mode: 'async', assumption: 'Redis.' });
  await raiseQuestion(store, bot, {
    ...asked,
    text: 'May I go on?',
    work: 'T2',
    type: 'approval',
    urgency: 'critical',
  });
  await raiseQuestion(store, bot, { ...asked, text: 'Tabs?', work: null, files: [{ path: 'a.ts', line: 2 }] });
  await decide(workspace, human, 'Q-4', yes);
  await askAgent(workspace, human, 'Q-2');
  sandbox.clock.now += 3 * minute;
  await keepHeld(workspace);
  workspace.close();
  /** What the list says, and whether that took rows. */
  const list = async (session = shell, input: object = {}) => {
    const again = sandbox.open();
    let takesRows = false;
    const store = () => ((takesRows = true), again.store());
    const result = await runOperation(listQuestions, contextOf({ ...again, store }, session), input);
    again.close();
    return { ...result, takesRows };
  };
  return { sandbox, list };
}

describe('the questions that wait, for a caller without a name', () => {
  afterEach(removeSandboxes);

  locally('are listed from the state alone, as they are from rows', async () => {
    const { list, sandbox } = await setting();
    const { takesRows, ...found } = await list();
    assert.equal(takesRows, false);
    assert.match(found.text, /^3 questions, 3 pending, 2 sync\nQ-3 · critical.*\nQ-1 · .*\nQ-2 · /);
    const workspace = sandbox.open();
    await workspace.store();
    assert.deepEqual(await runOperation(listQuestions, contextOf(workspace, shell, false), {}), found);
  });

  locally('of an empty folder need no rows', async () => {
    const sandbox = makeSandbox();
    const workspace = { ...sandbox.open(), store: () => assert.fail('opened') };
    const { text, status } = await runOperation(listQuestions, contextOf(workspace), {});
    assert.deepEqual([status, text], ['ok', '0 questions, 0 pending, 0 sync']);
  });

  it('come with the outcomes that an agent has not received yet', async () => {
    const { list } = await setting();
    const { takesRows, text } = await list(bot);
    assert.equal(takesRows, true);
    assert.match(text, /Also: Q-4/);
  });

  locally('need no rows while little of a long journal came after the saved state', async () => {
    const sandbox = makeSandbox();
    const workspace = sandbox.open();
    const store = await workspace.store();
    const background = 'Long. '.repeat(1_000);
    for (let number = 1; number <= 200; number++) {
      const text = `Question ${String(number)}?`;
      const asked = { type: 'decision', urgency: 'low', mode: 'sync', work: null, background } as const;
      await raiseQuestion(store, bot, { ...asked, text });
    }
    workspace.close();
    const again = sandbox.open();
    const { position, snapshot } = again.stateFile.read() ?? assert.fail('no anchor');
    assert.ok(position > 1024 * 1024 && position - (snapshot?.position ?? 0) < 64 * 1024);
    const withoutRows = { ...again, store: () => assert.fail('opened') };
    const { status, text } = await runOperation(listQuestions, contextOf(withoutRows), {});
    assert.deepEqual([status, text.split('\n')[0]], ['ok', '5 of 200 questions, 200 pending, 200 sync']);
  });

  const other = agent('other-001');
  type Setting = Awaited<ReturnType<typeof setting>>;
  const needingRows: Readonly<Record<string, (made: Setting) => Promise<unknown>>> = {
    'for the owner of work': async ({ sandbox }) => {
      const store = await sandbox.open().store();
      await updateWork(store, bot, { id: 'T1', assignee: shell.actor.id });
    },
    'while an RFC is known': async ({ sandbox }) =>
      proposeRfc(await sandbox.open().store(), other, {
        title: 'A queue',
        workflows: [],
        tasks: [],
        holds: [],
        contexts: [],
        submit: true,
      }),
    'while there are responsibilities': async ({ sandbox }) =>
      registerResponsibility(await sandbox.open().store(), other, {
        id: 'docs',
        kind: 'agent',
        name: 'Docs',
        agents: [],
      }),
    'when a question is due': ({ sandbox }) => Promise.resolve((sandbox.clock.now += 1_000 * hour)),
    'when one is parked': async ({ sandbox }) => {
      const brief = { id: 'Q-3', doing: 'Moving.', next: 'Drop it.' };
      assert.equal((await runOperation(parkQuestion, contextOf(sandbox.open(), bot), brief)).status, 'ok');
    },
  };
  for (const [when, change] of Object.entries(needingRows))
    it(`take rows ${when}`, async () => {
      const made = await setting();
      await change(made);
      made.sandbox.close();
      const { status, text, takesRows } = await made.list();
      assert.equal(status, 'ok', text);
      assert.equal(takesRows, true);
    });

  it('take rows with any option', async () => {
    const { list } = await setting();
    for (const input of [{ all: true }, { urgent: true }, { id: 'Q-1' }, { agent: 'copilot-001' }, { nonsense: 1 }])
      assert.equal((await list(shell, input)).takesRows, !('nonsense' in input), JSON.stringify(input));
  });
});
