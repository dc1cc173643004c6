/** Hooks note what a host asks its user by itself as async questions, and never answer or stop it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { openAgent, type LiveAgent } from '../../../src/app/workspace/agents.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { askedInHost } from '../../../src/core/question/question.ts';
import { hosts } from '../../../src/hosts/hosts.ts';
import type { HostName } from '../../../src/hosts/host.ts';
import { questionView } from '../../../src/app/question/views.ts';
import { raiseQuestion } from '../../../src/tools/question/asking.ts';
import { root } from '../../support/host.ts';
import { registerWork } from '../../../src/tools/work/work.ts';
import { runOperation } from '../../../src/tools/kit/operation.ts';
import { decide, enrolledHuman, type Human } from '../../support/store/people.ts';
import { hookAnswer } from '../../support/store/hookAnswer.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

const nothing = { exit: 0, out: '', err: '' };
const text = 'Which tokens should the API use?';

describe('a question that a host asks itself', () => {
  let place: Sandbox;
  let workspace: Workspace;
  let human: Human;
  let agents: LiveAgent[];

  beforeEach(async () => {
    place = makeSandbox();
    workspace = place.open();
    human = enrolledHuman(workspace);
    agents = [];
    const other = openAgent(workspace, { type: 'shell', host: 'shell' });
    const context = { workspace, session: other.session, signal: new AbortController().signal, waitMs: 0 };
    await runOperation(registerWork, context, { id: 't-1', title: 'API tokens' });
    other.release();
  });
  afterEach(() => {
    for (const agent of agents) agent.release();
    removeSandboxes();
  });

  function hook(host: HostName, payload: object) {
    return hookAnswer(place, payload, { host, noteWithinMs: 60_000 });
  }

  function recorded(event: 'PreToolUse' | 'PostToolUse', more: object = {}) {
    const file = path.join(root, 'test', 'fixtures', 'hooks', 'claude-code', `${event}-AskUserQuestion.json`);
    const { payload } = JSON.parse(fs.readFileSync(file, 'utf8')) as { payload: object };
    return hook('claude-code', { ...payload, cwd: place.folder, session_id: 's-1', ...more });
  }

  async function question(id = 'Q-1') {
    return questionView((await workspace.store()).read(), id) ?? assert.fail(`there is no ${id}`);
  }

  it('is noted as an async question that holds nothing and says who asks', async () => {
    assert.deepEqual(await recorded('PreToolUse'), nothing);
    const noted = await question();
    assert.deepEqual([noted.text, noted.mode, noted.holding, noted.status], [text, 'async', false, 'pending']);
    assert.deepEqual(
      noted.choices.map(({ label }) => label),
      ['JWT', 'Sessions'],
    );
    assert.equal(noted.agent_id, 'claude-code-001');
    assert.deepEqual(askedInHost(noted.payload_json), { host: 'Claude Code', by: 'AskUserQuestion', session: 's-1' });
    assert.deepEqual(await recorded('PreToolUse'), nothing);
    assert.equal(workspace.standing().state?.questions.size, 1, 'asked again, it is the same');
  });

  it('ends with the answer that the host reports, which is no human’s answer', async () => {
    await recorded('PreToolUse');
    assert.deepEqual(await recorded('PostToolUse'), nothing);
    const ended = await question();
    assert.deepEqual(
      [ended.status, ended.resolution, ended.answer, ended.answered_by],
      ['cancelled', 'withdrawn', null, 'claude-code-001'],
    );
    assert.equal(ended.signed_with, null);
    assert.equal(ended.note, 'Answered in Claude Code, as it reports: JWT');
    // The agent already has the answer.
    assert.deepEqual(await hook('claude-code', { hook_event_name: 'UserPromptSubmit', prompt: 'Go on' }), nothing);
  });

  it('stays open when no answer comes: a human can answer it here, and the next prompt delivers that', async () => {
    await recorded('PreToolUse');
    await hook('claude-code', { hook_event_name: 'Stop' });
    assert.equal((await question()).status, 'pending');
    await decide(workspace, human, 'Q-1');
    const { out } = await hook('claude-code', { hook_event_name: 'UserPromptSubmit', prompt: 'Go on' });
    assert.match(out, /Q-1 answered by Ada/);
    // The host's report comes too late to change what a human signed.
    assert.deepEqual(await recorded('PostToolUse'), nothing);
    assert.equal((await question()).resolution, 'answered');
  });

  it('ends when a later session of the same agent asks it again and gets the answer', async () => {
    await recorded('PreToolUse');
    await recorded('PreToolUse', { session_id: 's-2' });
    await recorded('PostToolUse', { session_id: 's-2' });
    assert.equal((await question()).note, 'Answered in Claude Code, as it reports: JWT');
  });

  it('is ended by no session of another agent, nor is what the agent asked here', async () => {
    const live = openAgent(workspace, { type: 'claude-code', host: 'mcp', session: 'm' });
    live.serves('s-1');
    agents.push(live);
    const context = { workspace, session: live.session, signal: new AbortController().signal, waitMs: 0 };
    await runOperation(raiseQuestion, context, { text, mode: 'async' });
    assert.deepEqual(await recorded('PostToolUse'), nothing);
    assert.equal((await question()).status, 'pending');
    await recorded('PreToolUse', { tool_input: { questions: [{ question: 'Another?' }] } });
    await recorded('PostToolUse', {
      session_id: 's-2',
      tool_input: { questions: [{ question: 'Another?' }] },
      tool_response: { answers: { 'Another?': 'x' } },
    });
    assert.equal((await question('Q-2')).status, 'pending');
  });

  it('of an MCP server is noted too, and ends without the content of its answer', async () => {
    const server = { mcp_server_name: 'deploy', mode: 'form', elicitation_id: 'e-1' };
    await hook('claude-code', {
      hook_event_name: 'Elicitation',
      ...server,
      message: 'Which region?',
      requested_schema: {},
    });
    assert.equal((await question()).text, 'Which region?');
    await hook('claude-code', {
      hook_event_name: 'ElicitationResult',
      ...server,
      action: 'accept',
      content: { token: 'hunter2' },
    });
    assert.equal((await question()).note, 'Answered in Claude Code, as it reports: accept');
  });

  for (const [host, tool, title] of [
    ['vscode', 'vscode_askQuestions', 'VS Code'],
    ['copilot-cli', 'ask_user', 'Copilot CLI'],
  ] as const)
    it(`of ${title} ends when the turn does: its hooks report no answer`, async () => {
      const live = openAgent(workspace, { type: hosts[host].agentType, host, session: 'm' });
      agents.push(live);
      const input = { questions: [{ question: text }] };
      assert.deepEqual(
        await hook(host, { hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input }),
        nothing,
      );
      assert.equal((await question()).status, 'pending');
      await hook(host, { hook_event_name: 'Stop' });
      assert.equal((await question()).note, `${title} continued. Its hooks do not report the answer.`);
    });

  it('is asked although it cannot be noted: too long, of an unknown form, or while the state is UNKNOWN', async () => {
    const ask = (input: unknown) =>
      hook('claude-code', { hook_event_name: 'PreToolUse', tool_name: 'AskUserQuestion', tool_input: input });
    assert.deepEqual(
      await ask({ questions: [{ question: 'x'.repeat(20_000), options: [{ label: 'y'.repeat(900) }] }] }),
      nothing,
    );
    assert.equal((await question()).text.length, 2_000);
    for (const input of [{ questions: [{ question: 'a\u0000b' }] }, { questions: 7 }, {}])
      assert.deepEqual(await ask(input), nothing);
    assert.equal(workspace.standing().state?.questions.size, 1);
    fs.truncateSync(place.journal, 10);
    assert.deepEqual(await recorded('PreToolUse'), nothing);
  });

  it('makes no store where nothing uses Holdpoint', async () => {
    const other = makeSandbox();
    const call = { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'x' }] } };
    assert.deepEqual(await hookAnswer(other, call), nothing);
    assert.equal(fs.existsSync(path.join(other.folder, '.holdpoint')), false);
  });
});
