/** The proxy's decisions on messages of both sides, with the real gate and store. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { BrokenConnection } from '../../../src/acp/messages.ts';
import { openProxy } from '../../../src/acp/proxy.ts';
import type { Proxy } from '../../../src/acp/proxy.ts';
import { mcpServer } from '../../../src/acp/server.ts';
import type { Workspace } from '../../../src/app/workspace/workspace.ts';
import { answerHook } from '../../../src/hook/answer.ts';
import { raiseQuestion } from '../../../src/tools/question/raiseQuestion.ts';
import { registerWork } from '../../../src/tools/work/registerWork.ts';
import { runTool } from '../../../src/tools/kit/tool.ts';
import { agent, decide, enrolledHuman } from '../../support/store/people.ts';
import type { Human } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, wasm } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';

interface Sent {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

const held = /Denied: .*src\/auth\.js is held by Q-1/;
const options = ['allow_once', 'allow_always', 'reject_once'].map((kind) => ({ kind, optionId: kind, name: kind }));

describe('the proxy of the Agent Client Protocol', () => {
  let place: Sandbox;
  let workspace: Workspace;
  let human: Human;
  let proxy: Proxy;
  let toAgent: Sent[];
  let toClient: Sent[];
  let logged: string[];

  beforeEach(() => {
    place = makeSandbox();
    place.clock.now = Date.now();
    fs.mkdirSync(place.at('ws', 'src'));
    fs.writeFileSync(file('src/auth.js'), '');
    workspace = place.open();
    human = enrolledHuman(workspace);
    [toAgent, toClient, logged] = [[], [], []];
    const keep = (sent: Sent[]) => (line: string | Uint8Array) => {
      sent.push(JSON.parse(Buffer.from(line).toString()) as Sent);
      return Promise.resolve();
    };
    proxy = openProxy({
      ask: (folder, payload) =>
        answerHook(
          { host: 'acp', folder, bytes: Buffer.from(JSON.stringify(payload)), noteWithinMs: 60_000 },
          {
            ...{ fs: realFs, env: {}, platform: 'linux' as const, home: place.home },
            ...{ clock: () => place.clock.now, newId: randomUUID, wasm },
          },
        ),
      toAgent: keep(toAgent),
      toClient: keep(toClient),
      newId: randomUUID,
      server: mcpServer('/opt/mcp.cjs', {
        execPath: '/opt/node',
        env: { HOLDPOINT_X: 'x', A: 'a' },
        versions: process.versions,
      }),
      workspace: null,
      log: (text) => logged.push(text),
    });
  });
  afterEach(removeSandboxes);

  const file = (name: string) => path.join(place.folder, name);
  const line = (message: object) => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const fromAgent = (message: object) => proxy.fromAgent(line(message));
  const fromClient = (message: object) => proxy.fromClient(line(message));

  /** Another agent's question holds `src/auth.js`. */
  async function hold(): Promise<void> {
    const context = { workspace, session: agent('other-001'), signal: new AbortController().signal, waitMs: 0 };
    const work = { id: 't-1', kind: 'task', title: 'Tokens', status: 'in_progress', holds: ['src/auth.js'] };
    assert.equal((await runTool(registerWork, context, work)).status, 'ok');
    const asked = await runTool(raiseQuestion, context, { text: 'JWT or sessions?', type: 'decision', work_id: 't-1' });
    assert.equal(asked.status, 'ok', asked.text);
  }

  async function startSession(capabilities: object = {}): Promise<void> {
    await fromClient({ id: 0, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: capabilities } });
    await fromAgent({ id: 0, result: { protocolVersion: 1 } });
    await fromClient({ id: 1, method: 'session/new', params: { cwd: place.folder, mcpServers: [] } });
    await fromAgent({ id: 1, result: { sessionId: 's' } });
    [toAgent.length, toClient.length] = [0, 0];
  }

  const write = (id: unknown, name: string, sessionId = 's') =>
    fromAgent({ id, method: 'fs/write_text_file', params: { sessionId, path: file(name), content: 'x' } });
  const permission = (id: unknown, toolCall: object, sessionId = 's') =>
    fromAgent({ id, method: 'session/request_permission', params: { sessionId, toolCall, options } });
  const update = (more: object) =>
    fromAgent({
      method: 'session/update',
      params: { sessionId: 's', update: { sessionUpdate: 'tool_call', ...more } },
    });
  const editOf = (name: string, toolCallId = 'c') => ({
    toolCallId,
    kind: 'edit',
    rawInput: { file_path: file(name) },
  });
  /** As Gemini CLI 0.61.0 describes a tool of an MCP server. */
  const gemini = (tool: string, more: object = {}) => ({
    toolCallId: `mcp_holdpoint_${tool}__mcp_holdpoint_${tool}_1795431813852_0`,
    status: 'pending',
    title: `${tool} (holdpoint MCP Server)`,
    content: [],
    locations: [],
    kind: 'other',
    ...more,
  });
  const refused = () => {
    const { result } = toAgent.at(-1) ?? {};
    assert.deepEqual(result?.['outcome'], { outcome: 'selected', optionId: 'reject_once' });
    return (result['_meta'] as { holdpoint: { reason: string } }).holdpoint.reason;
  };

  it('passes everything on unchanged while nothing is held, with ids of all kinds', async () => {
    await startSession();
    for (const id of [1, '1', null, -5]) {
      await write(id, 'src/auth.js');
      assert.equal(toClient.at(-1)?.method, 'fs/write_text_file');
      await fromClient({ id, result: {} });
      assert.deepEqual(toAgent.at(-1), { jsonrpc: '2.0', id, result: {} });
    }
    await fromAgent({ method: '_x/y', params: { a: 1 } });
    await fromAgent({ id: 9, method: '_x/ask', params: { sessionId: 's' } });
    assert.deepEqual(
      toClient.slice(-2).map(({ method }) => method),
      ['_x/y', '_x/ask'],
    );
    assert.equal(toAgent.length, 4);
  });

  it('answers a write of a held file with the text of the hooks, and not the client', async () => {
    await hold();
    await startSession();
    await write('w', 'src/auth.js');
    assert.match(toAgent[0]?.error?.message ?? '', held);
    assert.equal(toAgent[0]?.id, 'w');
    assert.deepEqual(
      toClient.map(({ method }) => method),
      ['session/update'],
      'only the notice',
    );
    await write('w', 'free.js');
    assert.equal(toClient.at(-1)?.method, 'fs/write_text_file');
    await write('n', 'src/auth.js', 'another session');
    assert.match(toAgent.at(-1)?.error?.message ?? '', /held/);
  });

  it('judges terminals by words and environment, as a program and as text of a shell', async () => {
    await hold();
    await startSession();
    const run = async (params: object) => {
      await fromAgent({ id: 't', method: 'terminal/create', params: { sessionId: 's', ...params } });
      const { method } = toClient.at(-1) ?? {};
      if (method === 'terminal/create') await fromClient({ id: 't', result: { terminalId: 'x' } });
      return method === 'terminal/create';
    };
    assert.equal(await run({ command: 'ls src | head' }), true);
    assert.equal(await run({ command: 'cat', args: ['src/auth.js'], cwd: place.folder }), true);
    for (const params of [
      { command: 'echo x >> src/auth.js' },
      { command: 'rm', args: ['src/auth.js'] },
      { command: 'rm', args: ['auth.js'], cwd: file('src') },
      { command: 'rm', args: ['auth.js'], cwd: 'src' },
      { command: 'cat', args: ['x', '> src/auth.js'] },
      { command: 'bash', args: ['-c', 'rm src/auth.js'] },
      { command: 'git', args: ['diff'], env: [{ name: 'GIT_EXTERNAL_DIFF', value: 'rm src/auth.js' }] },
      { command: 'ls', env: [{ name: 'A;rm src/auth.js;B', value: '' }] },
      { command: 'ls', env: 'A=1' },
      { command: 'ls', args: [1] },
      { command: ['ls'] },
      {},
    ])
      assert.equal(await run(params), false, JSON.stringify(params));
  });

  it('refuses a permission for what is held, whatever the client’s settings grant', async () => {
    await hold();
    await startSession();
    await permission(1, editOf('src/auth.js'));
    assert.match(refused(), held);
    await permission(1, { toolCallId: 'd', kind: 'execute', rawInput: { command: 'rm src/auth.js' } });
    assert.match(refused(), held);
    await permission(1, { toolCallId: 'm', kind: 'move', rawInput: { from: 'a.js', target: file('src/auth.js') } });
    assert.match(refused(), held);
    await permission(1, { toolCallId: 'p', kind: 'edit', rawInput: { patch: '*** Update File: src/auth.js\n' } });
    assert.match(refused(), held);
    assert.ok(toClient.every(({ method }) => method === 'session/update'));
  });

  it('refuses what it cannot recognize, and passes on what only reads and Holdpoint’s own tools', async () => {
    await hold();
    await startSession();
    for (const call of [
      {},
      { toolCallId: 'a' },
      { toolCallId: 'b', kind: 'edit' },
      { toolCallId: 'c', kind: 'execute', title: 'ls' },
      { toolCallId: 'e', kind: 'other', name: 'mcp__files__write', rawInput: { path: file('src/auth.js') } },
      { toolCallId: 'f', kind: 'elicitation' },
      { toolCallId: 'g', kind: 'fs/write_text_file' },
      { toolCallId: 'h', kind: 'read', name: 'mcp__files__write', rawInput: { path: file('src/auth.js') } },
      { toolCallId: 'i', kind: 'other', title: 'mcp__holdpoint__holdpoint_check_gate' },
      { toolCallId: 'j', kind: 'edit', locations: [{ path: 7 }] },
      gemini('holdpoint_check_gate', { toolCallId: 'call-1' }),
      gemini('holdpoint_check_gate', { kind: 'execute' }),
      gemini('holdpoint_check_gate', { title: 'holdpoint_check_gate (holdpoint MCP Server) (files MCP Server)' }),
      gemini('holdpoint_write_file'),
    ]) {
      await permission(1, call);
      assert.match(refused(), /held/, JSON.stringify(call));
    }
    for (const call of [
      { toolCallId: 'k', kind: 'read', rawInput: { path: file('src/auth.js') } },
      { toolCallId: 'l', kind: 'other', name: 'mcp__holdpoint__holdpoint_raise_question', rawInput: { text: 'x' } },
      editOf('free.js', 'm'),
      gemini('holdpoint_check_gate'),
    ]) {
      await permission(1, call);
      assert.equal(toClient.at(-1)?.method, 'session/request_permission', JSON.stringify(call));
      await fromClient({ id: 1, result: { outcome: { outcome: 'cancelled' } } });
    }
    await fromAgent({ id: 2, method: '_x/write', params: { sessionId: 's' } });
    assert.match(toAgent.at(-1)?.error?.message ?? '', /held/);
    const before = toClient.length;
    await fromAgent({ method: 'fs/write_text_file', params: { sessionId: 's', path: file('src/auth.js') } });
    assert.deepEqual([toClient.length, logged.length], [before, 1]);
  });

  it('knows a call by what was said of it before', async () => {
    await hold();
    await startSession();
    await update({
      toolCallId: 'c',
      kind: 'edit',
      rawInput: {},
      content: [{ type: 'diff', path: file('src/auth.js') }],
    });
    await permission(1, { toolCallId: 'c', rawInput: { file_path: file('free.js') } });
    assert.match(refused(), held);
  });

  it('judges again when the client has decided', async () => {
    await startSession();
    await permission(1, editOf('src/auth.js'));
    const shown = toClient.at(-1)?.params?.['options'] as { kind: string }[];
    assert.deepEqual(
      shown.map(({ kind }) => kind),
      ['allow_once', 'reject_once'],
    );
    await hold();
    await fromClient({ id: 1, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } });
    assert.match(refused(), held);
    await decide(workspace, human, 'Q-1');
    await permission(1, editOf('src/auth.js'));
    await fromClient({ id: 1, result: { outcome: { outcome: 'selected', optionId: 'allow_always' } } });
    assert.match(refused(), /not offered/);
    await permission(1, editOf('src/auth.js'));
    await fromClient({ id: 1, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } });
    assert.deepEqual(toAgent.at(-1)?.result, { outcome: { outcome: 'selected', optionId: 'allow_once' } });
  });

  it('drops responses to no request, and ends with an id that is in use', async () => {
    await hold();
    await startSession();
    await permission(1, editOf('src/auth.js'));
    const answered = toAgent.length;
    await fromClient({ id: 1, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } });
    await fromAgent({ id: 77, result: { sessionId: 'other' } });
    assert.deepEqual([toAgent.length, logged.length], [answered, 2]);
    await write(2, 'free.js');
    await assert.rejects(fromAgent({ id: 2, method: 'fs/read_text_file', params: {} }), /in use/);
    await fromClient({ id: 2, method: 'session/list' });
    await assert.rejects(fromClient({ id: 2, method: 'session/list' }), BrokenConnection);
  });

  it('starts Holdpoint’s MCP server with each session, in place of any other of its name', async () => {
    for (const [id, method] of ['session/new', 'session/load', 'session/resume', 'session/fork'].entries()) {
      const given = [
        { name: 'holdpoint', command: 'evil' },
        { name: 'files', command: 'files' },
      ];
      await fromClient({ id, method, params: { sessionId: 'old', cwd: place.folder, mcpServers: given } });
      const [own, other, ...more] = toAgent.at(-1)?.params?.['mcpServers'] as Record<string, unknown>[];
      assert.deepEqual(
        [own?.['name'], own?.['command'], other?.['name'], more],
        ['holdpoint', '/opt/node', 'files', []],
      );
      assert.deepEqual(own?.['env'], [{ name: 'HOLDPOINT_X', value: 'x' }]);
      const args = own['args'] as string[];
      assert.deepEqual(args.slice(0, -1), [
        ...['/opt/mcp.cjs', '--workspace', place.folder],
        ...['--agent-type', 'acp', '--session'],
      ]);
      assert.match(args.at(-1) ?? '', /^[\w-]{36}$/);
    }
  });

  it('brings the briefing with the first prompt and answers with later ones, before the prompt’s own blocks', async () => {
    await hold();
    await startSession();
    const prompt = async (text: string) => {
      await fromClient({
        id: 5,
        method: 'session/prompt',
        params: { sessionId: 's', prompt: [{ type: 'text', text }] },
      });
      await fromAgent({ id: 5, result: { stopReason: 'end_turn' } });
      return (toAgent.at(-1)?.params?.['prompt'] as { text: string }[]).map((block) => block.text);
    };
    assert.deepEqual(await prompt('/compact'), ['/compact']);
    const [briefing, own, ...more] = await prompt('Go');
    assert.match(briefing ?? '', /^Holdpoint: agents stop for humans[^]*JWT or sessions\?[^]*check_gate to learn why/);
    assert.deepEqual([own, more], ['Go', []]);
    assert.deepEqual(await prompt('Go on'), ['Go on']);
  });

  it('notices a call that ran without permission, and cancels the turn once', async () => {
    await hold();
    await startSession({ fs: { writeTextFile: true } });
    const ran = (toolCallId: string, status: string, more: object = editOf('src/auth.js', toolCallId)) =>
      update({ sessionUpdate: 'tool_call_update', ...more, toolCallId, status });
    await ran('a', 'in_progress');
    assert.deepEqual(toAgent, [], 'it will ask to write');
    await ran('a', 'failed');
    await ran('b', 'completed', editOf('free.js', 'b'));
    await ran('c', 'completed', { kind: 'read', rawInput: { path: file('src/auth.js') } });
    assert.deepEqual(toAgent, []);
    await ran('d', 'completed');
    await ran('d', 'completed');
    await ran('e', 'in_progress', { kind: 'execute', rawInput: { command: 'rm src/auth.js' } });
    assert.deepEqual(toAgent, [{ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 's' } }]);
    const said = toClient.filter((sent) => JSON.stringify(sent).includes('without asking for permission'));
    assert.equal(said.length, 2);
  });

  it('speaks version 1 with an agent, and with none that cannot', async () => {
    await fromClient({ id: 0, method: 'initialize', params: { protocolVersion: 2 } });
    assert.equal(toAgent.at(-1)?.params?.['protocolVersion'], 1);
    await assert.rejects(fromAgent({ id: 0, result: { protocolVersion: 2 } }), /speaks version 2/);
  });

  it('denies while the state is UNKNOWN, and answers what the client waits for at the end', async () => {
    await hold();
    await startSession();
    workspace.close();
    fs.writeFileSync(place.journal, 'no journal\n');
    await permission(1, editOf('free.js'));
    assert.match(refused(), /UNKNOWN/);
    await fromClient({ id: 8, method: 'session/prompt', params: { sessionId: 's', prompt: [] } });
    await proxy.end('The agent has gone');
    assert.deepEqual([toClient.at(-1)?.id, toClient.at(-1)?.error?.message], [8, 'The agent has gone']);
  });
});
