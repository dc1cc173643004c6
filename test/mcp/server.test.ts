import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { CallToolResultSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { RfcView } from '../../src/app/rfc/views.ts';
import type { Briefing } from '../../src/core/memory/briefing.ts';
import { catalog } from '../../src/tools/catalog.ts';
import { inputSchema, isReadOnly } from '../../src/tools/agent/tool.ts';
import { root } from '../support/host.ts';
import {
  callMessage,
  cliProgram,
  environment,
  greet,
  serverProgram,
  startMcp,
  startRaw,
  type Mcp,
  type Place,
  type StartOptions,
} from '../support/mcp.ts';
import { findNode22 } from '../support/npmHost.ts';
import { until } from '../support/until.ts';
import { decide, enrolledHuman, type Human } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../support/store/sandbox.ts';
import type { Workspace } from '../../src/app/workspace/workspace.ts';

const question = 'holdpoint_raise_question';

describe('the MCP server', function () {
  this.timeout(240_000);
  let sandbox: Sandbox;
  let place: Place;
  let started: Mcp[];

  beforeEach(() => {
    sandbox = makeSandbox();
    place = { folder: sandbox.folder, home: sandbox.home };
    started = [];
  });
  afterEach(async () => {
    for (const mcp of started) await mcp.close();
    removeSandboxes();
  });

  async function start(options: StartOptions & { folder?: string } = {}): Promise<Mcp> {
    const mcp = await startMcp({ ...place, folder: options.folder ?? place.folder }, options);
    started.push(mcp);
    return mcp;
  }

  /** Plays the editor: a workspace in this program, and a human with a pinned key. */
  function editor(): { workspace: Workspace; human: Human } {
    const workspace = sandbox.open({ clock: Date.now });
    return { workspace, human: enrolledHuman(workspace) };
  }

  function cli(...args: string[]): Promise<{ code: number; out: string }> {
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [path.join(root, 'dist', 'cli.cjs'), '--workspace', sandbox.folder, '--json', ...args],
        { env: environment(place) },
        (error, out) => {
          resolve({ code: typeof error?.code === 'number' ? error.code : 0, out });
        },
      );
    });
  }

  describe('offers', () => {
    it('a folder that does not use Holdpoint one tool, and more as they become of use, with a notice', async () => {
      const { client, call } = await start();
      let notices = 0;
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
        notices++;
      });
      const offered = async () => (await client.listTools()).tools.map(({ name }) => name);
      const shownAs = (...kinds: readonly string[]) =>
        catalog.filter(({ shown }) => kinds.includes(shown)).map(({ name }) => name);
      assert.deepEqual(await offered(), [question]);
      const asked = await call(question, { text: 'JWT?', wait_seconds: 0 });
      assert.match(asked.text, /If you are not offered holdpoint_await_answer, call holdpoint_raise_question again/);
      assert.equal(notices, 1);
      assert.deepEqual(await offered(), shownAs('always', 'used', 'asked'));
      const again = await call(question, { text: 'JWT?', wait_seconds: 0 });
      assert.match(again.text, /^You asked this before: it is Q-1\. /);
      assert.doesNotMatch(again.text, /If you are not offered/);
      assert.match(
        (await call('holdpoint_register_responsibility', { id: 'docs', name: 'Docs' })).text,
        /^Registered/,
        'a tool that is not offered works',
      );
      assert.equal(notices, 2);
      assert.deepEqual(await offered(), shownAs('always', 'used', 'asked', 'requests'));
      const { workspace, human } = editor();
      await decide(workspace, human, 'Q-1');
      await until('the third notice', () => notices === 3);
      assert.deepEqual(await offered(), shownAs('always', 'used', 'requests'));
    });

    it('every tool at any time where that is asked for, with what clients show and check', async () => {
      const { client } = await start({ args: ['--all-tools'] });
      const { tools } = await client.listTools();
      const listed = catalog.map((tool) => ({
        ...{ name: tool.name, title: tool.title, description: tool.description },
        inputSchema: JSON.parse(JSON.stringify(inputSchema(tool))) as object,
        annotations: { readOnlyHint: isReadOnly(tool), destructiveHint: false, openWorldHint: false },
      }));
      assert.deepEqual(tools, listed);
    });
  });

  for (const name of [`Node ${process.version}`, 'Node 22'])
    it(`serves valid input to every tool on ${name}`, async function () {
      const found = name === 'Node 22' ? await findNode22() : { program: process.execPath };
      if (!('program' in found)) this.skip();
      const { call } = await start({ node: found.program });
      const registered = await call('holdpoint_record_work', { id: 't-1', title: 'API tokens', holds: ['src/auth'] });
      assert.match(registered.text, /^Registered\. API tokens \(t-1\) is todo/);
      assert.equal(registered.data['status'], 'ok');
      await call('holdpoint_record_work', { id: 't-2', title: 'Docs', depends_on: ['t-1'] });
      assert.match((await call('holdpoint_record_work', { id: 't-1', status: 'in_progress' })).text, /in progress/);
      assert.match((await call('holdpoint_check_gate', { work_id: 't-2' })).text, /^Allowed/);
      const asked = await call(question, { text: 'JWT or sessions?', work_id: 't-1', wait_seconds: 0 });
      assert.match(asked.text, /^Q-1 is still waiting for a human .*Do not work on API tokens \(t-1\)/);
      assert.equal(asked.data['outcome'], 'waiting');
      const gate = await call('holdpoint_check_gate', { work_id: 't-2', files: ['src/auth/x.ts'] });
      assert.match(gate.text, /^Denied: .*held by Q-1 "JWT or sessions\?"/);
      assert.equal(gate.isError, false, 'a denial is a regular answer');
      assert.equal(gate.data['verdict'], 'deny');
      const update = await call('holdpoint_record_work', { id: 't-1', status: 'done' });
      assert.match(update.text, /^Denied: API tokens/);
      assert.equal(update.data['status'], 'denied');
      assert.match((await call('holdpoint_await_answer', { wait_seconds: 0 })).text, /^Q-1 is still waiting/);
      assert.match((await call('holdpoint_list_items')).text, /^1 question, 1 pending, 1 sync/);
    });

  it('takes inputs by the names of the operations behind a tool too, and loses none', async () => {
    const { call } = await start();
    await call('holdpoint_record_work', { id: 'W1', kind: 'workflow', title: 'Login' });
    for (const id of ['T1', 'T2', 'T3']) await call('holdpoint_record_work', { id, title: id });
    const named = { affected_workflows: ['W1'], blocked_tasks: ['T1'], work_ids: ['T2'] };
    await call('holdpoint_propose_rfc', { title: 'Tokens', summary: 'Use them.', submit: true, ...named });
    await call('holdpoint_propose_rfc', { id: 'RFC-1', add_tasks: ['T3'], add_holds: ['a.ts'], holds: ['b.ts'] });
    for (const id of ['W1', 'T1', 'T2', 'T3'])
      assert.match((await call('holdpoint_check_gate', { work_id: id })).text, /^Denied.*RFC-1/s, id);
    for (const file of ['a.ts', 'b.ts'])
      assert.match((await call('holdpoint_check_gate', { files: [file] })).text, /^Denied.*RFC-1/s, file);
    const more = { add_holds: ['c.ts'], holds: ['d.ts'], status: 'todo' };
    await call('holdpoint_record_work', { id: 'T3', ...more });
    for (const file of ['c.ts', 'd.ts'])
      assert.match((await call('holdpoint_check_gate', { files: [file] })).text, /^Denied.*RFC-1/s, file);
  });

  describe('while waiting for a human', () => {
    it('can be killed: a new session of the same client gets the late answer, and another live session does not', async () => {
      const first = await start();
      const other = await start();
      const asking = new Promise<void>((resolve) => {
        first.client
          .callTool({ name: question, arguments: { text: 'JWT?' } }, CallToolResultSchema, {
            onprogress: () => {
              resolve();
            },
          })
          .catch(() => undefined);
      });
      await asking;
      const theirs = await other.call(question, { text: 'Which colour?', wait_seconds: 0 });
      assert.match(theirs.text, /^Q-2 is still waiting/);
      await first.kill();
      const { workspace, human } = editor();
      await decide(workspace, human, 'Q-1');
      assert.doesNotMatch((await other.call('holdpoint_list_items')).text, /Also:/);
      const next = await start();
      assert.match((await next.call('holdpoint_check_gate')).text, /Also: Q-1 answered by Ada/);
      // Its next call acknowledged the offer, so the outcome is not offered again.
      assert.doesNotMatch((await next.call('holdpoint_check_gate')).text, /Also:/);
      const { questions } = (await next.call('holdpoint_list_items', { all: true })).data as {
        questions: { id: string; agent_id: string; acknowledged_at: string | null }[];
      };
      assert.deepEqual(
        questions.map(({ id, agent_id, acknowledged_at }) => [id, agent_id, acknowledged_at !== null]),
        [
          ['Q-2', 'codex-002', false],
          ['Q-1', 'codex-001', true],
        ],
      );
    });

    it('when a server was killed, delivers the answer to the new owner of the work until it is acknowledged', async () => {
      const codex = await start();
      await codex.call('holdpoint_record_work', { id: 't-1', title: 'API tokens', status: 'in_progress' });
      assert.match(
        (await codex.call(question, { text: 'JWT?', work_id: 't-1', wait_seconds: 0 })).text,
        /^Q-1 is still waiting/,
      );
      await codex.kill();
      const { workspace, human } = editor();
      await decide(workspace, human, 'Q-1');
      const claude = await start({ name: 'claude-code' });
      const taken = await claude.call('holdpoint_record_work', { id: 't-1', assigned_agent: 'claude-code-001' });
      assert.match(taken.text, /Also: Q-1 answered by Ada/);
      // The offer was lost with that session: the host's next session receives and acknowledges it.
      await claude.kill();
      const again = await start({ name: 'claude-code' });
      assert.match((await again.call('holdpoint_check_gate', { work_id: 't-1' })).text, /Also: Q-1 answered by Ada/);
      assert.doesNotMatch((await again.call('holdpoint_check_gate')).text, /Also:/);
      const back = await start();
      assert.doesNotMatch((await back.call('holdpoint_check_gate')).text, /Also:/);
    });
  });

  describe('resources', () => {
    it('show holds and open questions, whichever program changed them', async () => {
      const { client, call } = await start();
      const read = async (uri: string): Promise<Record<string, unknown>> => {
        const [content] = (await client.readResource({ uri })).contents;
        assert.ok(content && 'text' in content);
        return JSON.parse(content.text) as Record<string, unknown>;
      };
      const uris = async () => (await client.listResources()).resources.map(({ uri }) => uri);
      assert.deepEqual(await uris(), ['holdpoint://holds', 'holdpoint://waiting', 'holdpoint://briefing']);
      assert.deepEqual(await read('holdpoint://holds'), { state: 'CLEAR', holds: [] });
      // Another program changes the store; this one reads the change from the store.
      assert.equal((await cli('work', 'register', '--id', 't-1', '--title', 'API tokens')).code, 0);
      assert.equal((await cli('question', 'create', '--text', 'JWT?', '--blocking-task-id', 't-1')).code, 0);
      const { state, holds } = await read('holdpoint://holds');
      assert.equal(state, 'BLOCKED');
      assert.deepEqual(
        (holds as { id: string; work: string[] }[]).map(({ id, work }) => [id, work]),
        [['Q-1', ['t-1']]],
      );
      assert.deepEqual(await uris(), [
        'holdpoint://holds',
        'holdpoint://waiting',
        'holdpoint://briefing',
        'holdpoint://questions/Q-1',
      ]);
      const { waiting } = (await read('holdpoint://waiting')) as { waiting: { id: string }[] };
      assert.deepEqual(
        waiting.map(({ id }) => id),
        ['Q-1'],
      );
      assert.equal(((await read('holdpoint://questions/Q-1'))['question'] as { text: string }).text, 'JWT?');
      assert.match((await call('holdpoint_check_gate', { work_id: 't-1' })).text, /^Denied/);
    });

    it('contain briefings on the project and on one path', async () => {
      const { client } = await start();
      const read = async (uri: string) => {
        const [content] = (await client.readResource({ uri })).contents;
        const { briefing } = JSON.parse(content && 'text' in content ? content.text : '') as { briefing: Briefing };
        return briefing;
      };
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'holdpoint://rfcs/{id}'));
      assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate === 'holdpoint://briefing/{+path}'));
      assert.equal((await read('holdpoint://briefing')).focus, null);
      const of = 'holdpoint://briefing/src/a%20b.ts';
      await cli('post', '--type', 'decision', '--text', 'So.', '--scope', 'src');
      const { focus, relevant } = await read(of);
      assert.deepEqual([focus, relevant.decision.items[0]?.text], ['src/a b.ts', 'So.']);
      await assert.rejects(read('holdpoint://briefing/..%2Fother'), /There is no resource/);
    });

    it('contain every RFC, listed while it waits for a human', async () => {
      const { client, call } = await start();
      await call('holdpoint_propose_rfc', { title: 'Tokens', summary: 'Use them.' });
      const listed = async () =>
        (await client.listResources()).resources.map(({ uri }) => uri).filter((uri) => uri.includes('rfcs'));
      const uri = 'holdpoint://rfcs/RFC-1';
      assert.deepEqual(await listed(), []);
      await call('holdpoint_propose_rfc', { id: 'RFC-1', submit: true });
      assert.deepEqual(await listed(), [uri]);
      const [content] = (await client.readResource({ uri })).contents;
      const { rfc } = JSON.parse(content && 'text' in content ? content.text : '') as { rfc: RfcView };
      assert.deepEqual([rfc.title, rfc.waiting, rfc.sections[0]?.text], ['Tokens', true, 'Use them.']);
    });

    it('are refused when missing', async () => {
      const { client } = await start();
      for (const uri of [
        'holdpoint://questions/Q-7',
        'holdpoint://rfcs/RFC-7',
        'holdpoint://nothing',
        'file:///etc/passwd',
        '../x',
      ])
        await assert.rejects(client.readResource({ uri }), /There is no resource/);
    });
  });

  it('agrees with another server and the command line on one store', async () => {
    const [one, two] = [await start({ name: 'claude-code' }), await start({ name: 'codex-mcp-client' })];
    await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const text = `Question ${String(index)}?`;
        if (index % 3 === 0) await one.call(question, { text, wait_seconds: 0 });
        else if (index % 3 === 1) await two.call(question, { text, wait_seconds: 0 });
        else await cli('question', 'create', '--text', text);
      }),
    );
    interface List {
      questions: { id: string; text: string; agent_id: string }[];
    }
    const plain = ({ questions }: List) => questions.map(({ id, text, agent_id }) => [id, text, agent_id]);
    const seen = plain((await one.call('holdpoint_list_items', { limit: 50 })).data as unknown as List);
    assert.equal(seen.length, 10);
    assert.deepEqual(new Set(seen.map(([, , agent]) => agent)), new Set(['claude-code-001', 'codex-001', 'shell-001']));
    assert.deepEqual(plain((await two.call('holdpoint_list_items', { limit: 50 })).data as unknown as List), seen);
    assert.deepEqual(plain(JSON.parse((await cli('question', 'list')).out) as List), seen);
  });

  it('in a linked worktree shares the store, has its own number and holds files only there', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: sandbox.folder,
        stdio: 'pipe',
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    git('worktree', 'add', '-q', sandbox.at('linked'));
    const main = await start();
    const linked = await start({ folder: sandbox.at('linked') });
    await main.call('holdpoint_record_work', { id: 't-1', title: 'API tokens' });
    const asked = await linked.call(question, { text: 'JWT?', work_id: 't-1', holds: ['src/auth'], wait_seconds: 0 });
    assert.equal((asked.data['question'] as { agent_id: string }).agent_id, 'codex-002');
    assert.match((await main.call('holdpoint_check_gate', { work_id: 't-1' })).text, /^Denied: .*is held by Q-1/);
    assert.match((await main.call('holdpoint_check_gate', { files: ['src/auth/x.ts'] })).text, /^Allowed/);
    assert.match((await linked.call('holdpoint_check_gate', { files: ['src/auth/x.ts'] })).text, /^Denied/);
  });

  it('denies and says stop while the store is UNKNOWN', async () => {
    const { client, call } = await start();
    await call(question, { text: 'JWT?', wait_seconds: 0 });
    fs.truncateSync(sandbox.journal, 10);
    for (const tool of catalog) {
      const kinds = [
        ['withdraw_question', 'Q-1'],
        ['reply_question', 'Q-1'],
        ['park_question', 'Q-1'],
        ['work', 't-1'],
        ['_rfc', 'RFC-1'],
        ['_request', 'R-1'],
      ] as const;
      const id = kinds.find(([ending]) => tool.name.endsWith(ending))?.[1];
      const type = tool.name.endsWith('post_note') ? 'warning' : undefined;
      // It closes a note.
      const reason = type === undefined ? 'x' : undefined;
      const name = tool.name.endsWith('responsibility') ? 'Docs' : undefined;
      const party = tool.name.endsWith('responsibility') ? 'docs' : id;
      const input = {
        ...{ doing: 'x', next: 'x' },
        ...{ text: 'x', id: party, type, reason, title: 'x', wait_seconds: 0 },
        ...{ name, target: 'docs', subject: 'x', summary: 'x', action: 'accept' },
      };
      const fitting = Object.fromEntries(Object.entries(input).filter(([key]) => key in tool.input.shape));
      const { text, data } = await call(tool.name, fitting);
      assert.match(text, /^Denied: .*Stop, and tell your human\./, tool.name);
      assert.equal(data['status'], 'denied', tool.name);
    }
    const [content] = (await client.readResource({ uri: 'holdpoint://holds' })).contents;
    assert.match(content && 'text' in content ? content.text : '', /"state": "UNKNOWN"/);
  });

  it('takes its agent’s name from the environment or its arguments', async () => {
    const agentOf = async (options: StartOptions) => {
      const { call } = await start(options);
      const { data } = await call(question, { text: JSON.stringify(options), wait_seconds: 0 });
      return (data['question'] as { agent_id: string }).agent_id;
    };
    assert.equal(await agentOf({ env: { HOLDPOINT_AGENT_ID: 'builder-007' } }), 'builder-007');
    assert.equal(await agentOf({ args: ['--agent-type', 'copilot'] }), 'copilot-001');
    assert.equal(await agentOf({ name: 'Claude Code' }), 'claude-code-001');
  });

  describe('as a program', () => {
    for (const [name, program] of [
      ['mcp.cjs', serverProgram],
      ['holdpoint mcp', cliProgram],
    ] as const)
      it(`${name} answers all requests sent before its input ends, then exits cleanly and silently`, async () => {
        const raw = startRaw(place, { program });
        greet(raw);
        raw.send(callMessage(1, 'holdpoint_check_gate', {}));
        raw.send(callMessage(2, question, { text: 'JWT?' }));
        raw.child.stdin.write('this is no JSON\n{"jsonrpc":"2.0"}\n');
        raw.child.stdin.end();
        assert.deepEqual(await raw.exit, { code: 0, signal: null });
        assert.match(JSON.stringify(await raw.answer(1)), /Allowed/);
        assert.match(JSON.stringify(await raw.answer(2)), /Q-1 is still waiting/);
        for (const line of raw.lines) assert.equal((JSON.parse(line) as { jsonrpc: string }).jsonrpc, '2.0');
        assert.equal(raw.errors(), '');
        assert.equal(sandbox.open().standing().state?.questions.get('Q-1')?.status, 'pending');
      });

    it('answers what is no message with an error and its id, and reads a list that arrives as JSON', async () => {
      const raw = startRaw(place);
      greet(raw);
      await raw.answer(0);
      const sent = [
        '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}',
        '{"jsonrpc":"2.0","id":2,"method":"tools/list","params":[]}',
        '{"jsonrpc":"2.0","id":3}',
        '{"id":4,"method":"tools/list"}',
        '[{"jsonrpc":"2.0","id":5,"method":"ping"}]',
        '"ping"',
        'this is no JSON',
      ];
      raw.child.stdin.write(`${sent.join('\n')}\n`);
      raw.send(callMessage(6, question, { text: 'JWT?', holds: '["src/**"]', wait_seconds: 0 }));
      raw.send(callMessage(7, question, { text: 'JWT?', holds: 'src/**', wait_seconds: 0 }));
      for (const id of [1, 2]) {
        const { error } = (await raw.answer(id)) as { error: { code: number; message: string } };
        assert.deepEqual(error, { code: -32600, message: '"params" must be an object, or left out.' });
      }
      for (const id of [3, 4]) assert.match(JSON.stringify(await raw.answer(id)), /-32600.*not a message of JSON-RPC/);
      assert.match(JSON.stringify(await raw.answer(6)), /Q-1/);
      assert.match(JSON.stringify(await raw.answer(7)), /Nothing was done\. holds must be an array, not a string\."/);
      const unnamed = raw.lines.flatMap((line) => {
        const { id, error } = JSON.parse(line) as { id?: unknown; error?: { code: number } };
        return id === null ? [error?.code] : [];
      });
      assert.deepEqual(unnamed, [-32600, -32600, -32700]);
      raw.child.stdin.end();
      await raw.exit;
      const { holds } = sandbox.open().standing().state?.questions.get('Q-1')?.raised ?? {};
      assert.deepEqual(holds, ['src/**']);
    });

    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      it(`exits cleanly on ${signal}, in the middle of a wait`, async () => {
        const raw = startRaw(place);
        greet(raw);
        raw.send({
          id: 1,
          method: 'tools/call',
          params: { name: question, arguments: { text: 'JWT?' }, _meta: { progressToken: 'p' } },
        });
        await once(raw.child.stdout, 'data');
        await raw.answer(0);
        await waitFor(sandbox.open({ clock: Date.now }), 'Q-1');
        raw.child.kill(signal);
        assert.deepEqual(await raw.exit, { code: 0, signal: null });
        assert.match(JSON.stringify(await raw.answer(1)), /Q-1 is still waiting/);
      });

    it('exits cleanly when its reader disconnects', async () => {
      const raw = startRaw(place);
      greet(raw);
      await raw.answer(0);
      raw.child.stdout.destroy();
      raw.send(callMessage(1, 'holdpoint_check_gate', {}));
      assert.deepEqual(await raw.exit, { code: 0, signal: null });
      assert.equal(raw.errors(), '');
    });

    it('reports invalid arguments', async () => {
      for (const [options, says] of [
        [{ args: ['--nonsense'] }, /--nonsense/],
        [{ args: ['--workspace', '/nowhere/at/all'] }, /is not a folder/],
        [{ env: { HOLDPOINT_AGENT_ID: 'human' } }, /HOLDPOINT_AGENT_ID: is the name of another kind of actor/],
      ] as const) {
        const raw = startRaw(place, options);
        assert.deepEqual(await raw.exit, { code: 1, signal: null });
        assert.match(raw.errors(), says);
        assert.deepEqual(raw.lines, []);
      }
    });
  });
});

/** Waits until another program has asked the question. */
async function waitFor(workspace: Workspace, id: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (workspace.standing().state?.questions.has(id)) resolve();
    };
    workspace.onChange(look);
    look();
  });
}
