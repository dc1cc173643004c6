/** How a parked agent is started again: what agents wrote about it is checked, and a running one is left alone. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { noteParkedSession, noteStart, startOf } from '../../../src/app/question/parkedSessions.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { openAgent, type LiveAgent } from '../../../src/app/workspace/agents.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { answerHook } from '../../../src/hook/answer.ts';
import { parkQuestion } from '../../../src/tools/question/waiting.ts';
import { raiseQuestion } from '../../../src/tools/question/asking.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { commandText, resumePlan } from '../../../src/vscode/answer/resumePlan.ts';
import { decide, enrolledHuman } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, wasm, type Sandbox } from '../../support/store/sandbox.ts';

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
  const { exit } = await answerHook(
    { host: 'claude-code', folder: sandbox.folder, bytes: Buffer.from(JSON.stringify(call)) },
    {
      ...{ fs: realFs, env: {}, platform: 'linux', home: sandbox.home, wasm },
      ...{ clock: () => sandbox.clock.now, newId: randomUUID },
    },
  );
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
