/** The MCP server in both eras of the protocol, called by both official clients over standard input and over HTTP. */
import assert from 'node:assert/strict';
import process from 'node:process';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { catalog } from '../../src/tools/catalog.ts';
import { environment, serverProgram } from '../support/mcp.ts';
import { officialClients, type AnyClient, type Server } from '../support/mcpClients.ts';
import { startMcpHttp, type McpHttp } from '../support/mcpHttp.ts';
import { decide, enrolledHuman, type Human } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';

const question = 'holdpoint_raise_question';

describe('the MCP server, called by', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  let workspace: Workspace;
  let human: Human;
  let http: McpHttp | null;
  let client: AnyClient;

  beforeEach(() => {
    sandbox = makeSandbox();
    workspace = sandbox.open({ clock: Date.now });
    human = enrolledHuman(workspace);
    http = null;
  });
  afterEach(async () => {
    await client.close();
    await http?.close();
    removeSandboxes();
  });

  const program = (): Promise<Server> => {
    const args = [...serverProgram, '--workspace', sandbox.folder];
    return Promise.resolve({ command: process.execPath, args, env: environment(sandbox) });
  };
  const address = async (): Promise<Server> => {
    http = await startMcpHttp(sandbox.open({ clock: Date.now }));
    return { url: http.url, token: 'one' };
  };

  for (const [name, version, connect] of officialClients)
    for (const [over, server] of [
      ['standard input', program],
      ['HTTP', address],
    ] as const)
      describe(`${name} over ${over}`, () => {
        beforeEach(async () => {
          client = await connect(await server());
        });

        it(`speaks ${version}: tools, instructions and resources`, async () => {
          assert.equal(client.version, version);
          assert.match(client.instructions ?? '', /Only a human can answer/);
          assert.deepEqual(await client.tools(), [question]);
          assert.deepEqual(await client.resources(), [
            'holdpoint://holds',
            'holdpoint://waiting',
            'holdpoint://briefing',
          ]);
          assert.match(await client.read('holdpoint://holds'), /"state": "CLEAR"/);
          await assert.rejects(client.read('holdpoint://nothing'), /There is no resource/);
        });

        it('returns text and data, and takes all calls for one agent', async () => {
          await client.call('holdpoint_record_work', { id: 't-1', title: 'API tokens' });
          const asked = await client.call(question, { text: 'JWT?', work_id: 't-1', wait_seconds: 0 });
          assert.match(asked.text, /^Q-1 is still waiting for a human/);
          assert.deepEqual(
            await client.tools(),
            catalog.filter(({ shown }) => shown !== 'requests').map(({ name }) => name),
          );
          assert.equal(asked.data['outcome'], 'waiting');
          await client.call(question, { text: 'Which colour?', wait_seconds: 0 });
          const agents = [...(workspace.standing().state?.questions.values() ?? [])].map(({ asker }) => asker.id);
          assert.deepEqual(agents, ['codex-001', 'codex-001']);
          assert.match((await client.call('holdpoint_check_gate', { work_id: 't-1' })).text, /^Denied: .*Q-1/);
          assert.equal((await client.call(question, { text: '' })).isError, true);
          await assert.rejects(
            client.call('holdpoint_answer_question', {}),
            /There is no tool .*Only a human can answer/,
          );
        });

        it('reports progress, and returns the answer in the same call', async () => {
          let progressed = 0;
          const { text } = await client.call(
            question,
            { text: 'JWT?' },
            {
              onprogress: ({ progress, message }) => {
                assert.equal(progress, ++progressed);
                assert.match(message ?? '', /^Waiting for a human/);
                if (progressed === 1) void decide(workspace, human, 'Q-1');
              },
            },
          );
          assert.match(text, /^Q-1 answered by Ada, .*"Yes, go on\."/);
        });

        it('has a link to the form in the text of a client that cannot open links', async () => {
          const { text } = await client.call(question, { text: 'JWT?', wait_seconds: 0 });
          assert.match(text, /\nYour human decides it here: vscode:\/\/holdpoint\.holdpoint\/open\/Q-1\?workspace=/);
        });

        for (const action of ['accept', 'decline', 'cancel', ...(version === '2026-07-28' ? [] : [null])] as const)
          it(`shows a waiting question by a link, and takes ${action ?? 'no answer'} for no decision`, async () => {
            await client.close();
            await http?.close();
            const shown: { message: string; url: string }[] = [];
            client = await connect(await server(), (one) => {
              shown.push(one);
              return action;
            });
            const waited = await client.call(question, { text: 'JWT?', wait_seconds: 2 });
            assert.match(waited.text, /^Q-1 is still waiting for a human/);
            const isShown = action === 'accept' || action === null;
            assert.equal(waited.text.includes('\nYour human decides it here: vscode:'), !isShown, waited.text);
            assert.deepEqual(
              shown.map(({ message }) => message),
              ['Q-1 needs your decision: JWT?'],
            );
            assert.match(shown[0]?.url ?? '', /^vscode:\/\/holdpoint\.holdpoint\/open\/Q-1\?workspace=/);
            const { state } = workspace.standing();
            assert.deepEqual([state?.questions.get('Q-1')?.resolution, state?.holders.has('Q-1')], [null, true]);
            assert.match((await client.call('holdpoint_check_gate', {})).text, /^Denied: your session/);
            await decide(workspace, human, 'Q-1');
            assert.match((await client.call('holdpoint_await_answer', {})).text, /^Q-1 answered by Ada/);
            assert.equal(shown.length, 1, 'each question is shown once');
          });

        it('ends the wait of a cancelled call, and never the question', async () => {
          const controller = new AbortController();
          const asking = client.call(question, { text: 'JWT?' }, { signal: controller.signal });
          await until('the question is asked', () => workspace.standing().state?.questions.has('Q-1') === true);
          controller.abort();
          await assert.rejects(asking);
          assert.match((await client.call('holdpoint_list_items', {})).text, /^1 question, 1 pending/);
          await decide(workspace, human, 'Q-1');
          assert.match((await client.call('holdpoint_await_answer', {})).text, /^Q-1 answered by Ada/);
        });
      });
});
