/** An agent that waits too long leaves a resume brief and ends its turn; the next session gets it with the answer. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { questionView } from '../../../src/app/question/views.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { agent, askAgent, decide, enrolledHuman } from '../../support/store/people.ts';
import { hookAnswer } from '../../support/store/hookAnswer.ts';
import { makeSandbox, minute, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { withHuman } from '../../support/store/withHuman.ts';
import { callTool } from '../../support/store/callTool.ts';
import { noteParkedSession, noteStart, startOf } from '../../../src/app/question/parkedSessions.ts';
import { type LiveAgent, openAgent } from '../../../src/app/workspace/agents.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { parkQuestion } from '../../../src/tools/question/waiting.ts';
import { raiseQuestion } from '../../../src/tools/question/asking.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { commandText, resumePlan } from '../../../src/vscode/answer/resumePlan.ts';

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

/** How a parked agent is started again: what agents wrote about it is checked, and a running one is left alone. */
const session = '01a20808-6727-7693-90e8-7ec64c64e265';

interface Place {
  readonly sandbox: Sandbox;
  readonly workspace: Workspace;
  readonly live: LiveAgent;
}

function program(folder: string, name: string): string {
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  fs.writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  return file;
}

/** A question that Claude Code parked; its hook ran before the tool. */
async function parked({ PATH, hook = true }: { PATH?: string; hook?: boolean } = {}): Promise<Place> {
  const sandbox = makeSandbox();
  program(sandbox.at('bin'), 'claude');
  const workspace = sandbox.open({ env: { PATH: PATH ?? sandbox.at('bin') } });
  const live = openAgent(workspace, { type: 'claude-code', host: 'mcp' });
  const context = { workspace, session: live.session, signal: new AbortController().signal, waitMs: 0 };
  await runOperation(raiseQuestion, context, { text: 'JWT or sessions?' });
  if (hook) await callHook(sandbox, { id: 'Q-1' });
  await runOperation(parkQuestion, context, { id: 'Q-1', doing: 'Writing the login.', next: 'Add tokens.' });
  return { sandbox, workspace, live };
}

async function callHook(sandbox: Sandbox, input: object): Promise<void> {
  const call = {
    ...{ hook_event_name: 'PreToolUse', session_id: session, cwd: sandbox.folder },
    ...{ tool_name: 'mcp__holdpoint__holdpoint_park_question', tool_input: input },
  };
  const { exit } = await hookAnswer(sandbox, call);
  assert.equal(exit, 0);
}

async function planOf(workspace: Workspace) {
  const view = (await workspace.store()).read();
  return resumePlan(workspace, view.state, questionView(view, 'Q-1')!);
}

describe('a parked agent', () => {
  afterEach(removeSandboxes);

  it('is not started again while its program runs', async () => {
    const { workspace, live } = await parked();
    assert.deepEqual(await planOf(workspace), { kind: 'running' });
    live.release();
    assert.equal((await planOf(workspace))?.kind, 'ready');
  });

  it('is started with the program on the PATH, its session and its folder, before and after the decision', async () => {
    const { sandbox, workspace, live } = await parked();
    live.release();
    const before = await planOf(workspace);
    await decide(workspace, enrolledHuman(workspace), 'Q-1');
    const plan = await planOf(workspace);
    assert.deepEqual(plan, before);
    assert.ok(plan?.kind === 'ready');
    const { program: file, args, folder, ended } = plan;
    assert.deepEqual([file, folder, ended], [sandbox.at('bin', 'claude'), sandbox.folder, true]);
    assert.deepEqual(args.slice(0, 2), [`--resume=${session}`, '--']);
    assert.match(args[2] ?? '', /^Holdpoint: a human has decided Q-1/);
    assert.match(commandText(file, args), /claude --resume=01a20808\S+ -- "Holdpoint: a human .*\\"Q-1\\"/);
  });

  it('is unknown without a note of its hook', async () => {
    const { workspace, live } = await parked({ hook: false });
    live.release();
    assert.equal(await planOf(workspace), null);
  });

  it('is started only in a folder of its workspace, with an id of its host, as its own host', async () => {
    const { sandbox, workspace, live } = await parked();
    live.release();
    const real = { host: 'claude-code', session, folder: sandbox.folder } as const;
    fs.mkdirSync(sandbox.at('ws', 'sub'));
    fs.mkdirSync(sandbox.at('other'));
    fs.symlinkSync(sandbox.at('other'), sandbox.at('ws', 'link'));
    const hostile = [
      { ...real, folder: sandbox.at('other') },
      { ...real, folder: sandbox.at('ws', 'link') },
      { ...real, folder: sandbox.at('ws', 'sub') },
      { ...real, folder: '/' },
      { ...real, folder: 'relative' },
      { ...real, session: '--dangerously-skip-permissions' },
      { ...real, session: 'ses_df7f5f854ffeaJRKSxqK8c3Por' },
      { ...real, host: 'codex' as const },
    ];
    for (const note of hostile) {
      noteParkedSession(workspace, 'Q-1', note);
      assert.deepEqual(await planOf(workspace), { kind: 'elsewhere' }, JSON.stringify(note));
    }
    noteParkedSession(workspace, 'Q-1', real);
    assert.equal((await planOf(workspace))?.kind, 'ready');
  });

  it('is never started with a program from the folder of agents', async () => {
    const { sandbox, workspace, live } = await parked({ PATH: ['.', 'bin'].join(path.delimiter) });
    live.release();
    assert.deepEqual(await planOf(workspace), { kind: 'missing', program: 'claude' });
    program(sandbox.at('ws', 'bin'), 'claude');
    const again = sandbox.open({ env: { PATH: sandbox.at('ws', 'bin') } });
    assert.deepEqual(await planOf(again), { kind: 'missing', program: 'claude' });
    fs.mkdirSync(sandbox.at('links'));
    fs.symlinkSync(sandbox.at('ws', 'bin', 'claude'), sandbox.at('links', 'claude'));
    const linked = sandbox.open({ env: { PATH: sandbox.at('links') } });
    assert.deepEqual(await planOf(linked), { kind: 'missing', program: 'claude' });
  });

  it('is started by one window only, and again for a later parking', async () => {
    const { workspace } = await parked();
    const begun = { terminal: 'Holdpoint: claude-code-001', command: 'claude', at: 1, program: null };
    const at = '2026-03-02T09:00:00.000Z';
    assert.equal(noteStart(workspace, { id: 'Q-1', at }, begun, true), true);
    assert.equal(noteStart(workspace, { id: 'Q-1', at }, { ...begun, at: 2 }, true), false);
    assert.equal(startOf(workspace, 'Q-1', at)?.at, 1);
    assert.equal(startOf(workspace, 'Q-1', '2026-03-02T10:00:00.000Z'), null);
    assert.equal(noteStart(workspace, { id: 'Q-1', at }, { ...begun, at: 3 }), true);
    assert.equal(startOf(workspace, 'Q-1', at)?.at, 3);
  });

  it('may send anything in its note: what is no question or has no host is not noted', async () => {
    const { sandbox, workspace } = await parked({ hook: false });
    for (const id of ['../Q-1', 'Q-0', '', 7, null]) await callHook(sandbox, { id });
    assert.equal(await planOf(workspace), null);
    assert.equal(fs.existsSync(path.join(workspace.userFolder, 'parked')), false);
  });
});
