/** The MCP server over Streamable HTTP, called by the official client of the 2025 era. */
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { resultOf } from '../support/mcp.ts';
import { startMcpHttp, type McpHttp } from '../support/mcpHttp.ts';
import { decide, enrolledHuman, type Human } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';

const question = 'holdpoint_raise_question';
const hour = 60 * 60_000;

describe('MCP over HTTP', function () {
  this.timeout(60_000);
  let workspace: Workspace;
  let human: Human;
  let http: McpHttp;
  let url: URL;
  let clients: Client[];

  beforeEach(async () => {
    const sandbox = makeSandbox();
    // The editor, and the server of forms with its agents.
    workspace = sandbox.open({ clock: Date.now });
    human = enrolledHuman(workspace);
    clients = [];
    http = await startMcpHttp(sandbox.open({ clock: Date.now }));
    ({ url } = http);
  });
  afterEach(async () => {
    for (const client of clients) await client.close();
    await http.close();
    removeSandboxes();
  });

  async function connect(token = 'one'): Promise<{ client: Client; transport: StreamableHTTPClientTransport }> {
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: token } } });
    const client = new Client({ name: 'codex-mcp-client', version: '1.0.0' }, { capabilities: {} });
    await client.connect(transport);
    clients.push(client);
    return { client, transport };
  }

  async function call(client: Client, name: string, input: object = {}): Promise<string> {
    return resultOf((await client.callTool({ name, arguments: { ...input } })) as CallToolResult).text;
  }

  function send(message: object, headers: Record<string, string> = {}, signal: AbortSignal | null = null) {
    return fetch(url, {
      method: 'POST',
      headers: {
        authorization: 'one',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      signal,
    });
  }

  it('gives two tokens two agents, and neither the session of the other', async () => {
    const [{ client, transport }, { client: other }] = [await connect('one'), await connect('two')];
    await call(client, question, { text: 'JWT?', wait_seconds: 0 });
    await call(other, question, { text: 'Which colour?', wait_seconds: 0 });
    const asked = [...(workspace.standing().state?.questions.values() ?? [])];
    assert.deepEqual(
      asked.map(({ id, asker }) => [id, asker.id]),
      [
        ['Q-1', 'codex-001'],
        ['Q-2', 'codex-002'],
      ],
    );
    const session = { 'mcp-session-id': transport.sessionId ?? '', authorization: 'two' };
    assert.equal((await send({ id: 9, method: 'tools/list' }, session)).status, 404);
    for (const method of ['GET', 'DELETE'])
      assert.equal((await fetch(url, { method, headers: { ...session, accept: 'text/event-stream' } })).status, 404);
    assert.ok((await client.listTools()).tools.length > 1, 'the session goes on');
  });

  it('sends a client that lost its connection what it missed', async () => {
    const { transport } = await connect();
    const session = { 'mcp-session-id': transport.sessionId ?? '', 'mcp-protocol-version': '2025-11-25' };
    const lost = new AbortController();
    const params = { name: question, arguments: { text: 'JWT?' }, _meta: { progressToken: 'p' } };
    const asking = await send({ id: 'ask', method: 'tools/call', params }, session, lost.signal);
    const reader = asking.body!.pipeThrough(new TextDecoderStream()).getReader();
    let got = '';
    while (!got.includes('notifications/progress')) got += (await reader.read()).value ?? '';
    const last = [...got.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? '';
    lost.abort();
    await decide(workspace, human, 'Q-1');
    const again = await fetch(url, {
      headers: { authorization: 'one', accept: 'text/event-stream', ...session, 'last-event-id': last },
    });
    const rest = again.body!.pipeThrough(new TextDecoderStream()).getReader();
    let replayed = '';
    while (!replayed.includes('"id":"ask"')) replayed += (await rest.read()).value ?? '';
    assert.match(replayed, /Q-1 answered by Ada/);
    await rest.cancel();
  });

  it('ends a session that its client ends, and one without requests for two hours', async () => {
    const [ended, idle] = [await connect(), await connect()];
    const id = ended.transport.sessionId ?? '';
    await ended.transport.terminateSession();
    assert.equal((await send({ id: 1, method: 'tools/list' }, { 'mcp-session-id': id })).status, 404);
    http.wait(2 * hour);
    const { client } = await connect();
    http.wait(1);
    await http.endpoint.sweep();
    const headers = { 'mcp-session-id': idle.transport.sessionId ?? '' };
    assert.equal((await send({ id: 1, method: 'tools/list' }, headers)).status, 404);
    assert.equal((await client.listTools()).tools.length, 1);
  });

  it('ends the wait of a call whose token was revoked', async () => {
    const { client } = await connect();
    const asking = call(client, question, { text: 'JWT?' });
    await until('the question is asked', () => workspace.standing().state?.questions.has('Q-1') === true);
    await http.endpoint.sweep();
    http.revoke('one');
    await http.endpoint.sweep();
    assert.match(await asking, /^Q-1 is still waiting/);
    await assert.rejects(client.listTools());
  });

  it('keeps no more than fifty sessions of a token: the one used least recently ends', async () => {
    const first = await connect();
    const second = await connect();
    const other = await connect('two');
    await first.client.listTools();
    for (let more = 0; more < 49; more += 1) await connect();
    const statusOf = async (session: StreamableHTTPClientTransport, authorization: string) => {
      const headers = { 'mcp-session-id': session.sessionId ?? '', authorization };
      return (await send({ id: 1, method: 'ping' }, headers)).status;
    };
    assert.equal(await statusOf(second.transport, 'one'), 404);
    assert.equal(await statusOf(first.transport, 'one'), 200);
    assert.equal(await statusOf(other.transport, 'two'), 200);
  });

  it('opens no session for anything but an initialisation', async () => {
    assert.equal((await send({ id: 1, method: 'tools/list' })).status, 400);
    assert.equal((await send({ id: 1, method: 'tools/list' }, { 'mcp-session-id': 'x' })).status, 404);
    assert.equal((await send({ id: 1, method: 'initialize', params: { text: 'x'.repeat(1_000_001) } })).status, 413);
    assert.equal((await fetch(url, { method: 'PUT', headers: { authorization: 'one' } })).status, 405);
  });

  it('answers the calls that wait when the server ends', async () => {
    const { client } = await connect();
    const asking = call(client, question, { text: 'JWT?' });
    await until('the question is asked', () => workspace.standing().state?.questions.has('Q-1') === true);
    await http.endpoint.close();
    assert.match(await asking, /^Q-1 is still waiting/);
  });
});
