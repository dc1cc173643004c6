/** The MCP server over Streamable HTTP: tokens, sessions of the 2025 era, and requests of the 2026 era, which have none. */
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { officialClients, type AnyClient } from '../support/mcpClients.ts';
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
  let clients: { close(): Promise<void> }[];

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

  const isAsked = () => workspace.standing().state?.questions.has('Q-1') === true;

  for (const [name, , connectTo] of officialClients)
    describe(`by ${name}`, () => {
      async function caller(token = 'one'): Promise<AnyClient> {
        const client = await connectTo({ url, token });
        clients.push(client);
        return client;
      }

      it('gives two tokens two agents', async () => {
        for (const token of ['one', 'two', 'one']) {
          const input = { text: `By ${token}?`, reopen_reason: 'Again', wait_seconds: 0 };
          await (await caller(token)).call(question, input);
        }
        const agents = [...(workspace.standing().state?.questions.values() ?? [])].map(({ asker }) => asker.id);
        assert.deepEqual([...new Set(agents)], ['codex-001', 'codex-002']);
      });

      it('ends the wait of a call whose token was revoked', async () => {
        const asking = (await caller()).call(question, { text: 'JWT?' });
        await until('the question is asked', isAsked);
        await http.endpoint.sweep();
        http.revoke('one');
        await http.endpoint.sweep();
        assert.match((await asking).text, /^Q-1 is still waiting/);
      });

      it('answers the calls that wait when the server ends', async () => {
        const asking = (await caller()).call(question, { text: 'JWT?' });
        await until('the question is asked', isAsked);
        await http.endpoint.close();
        assert.match((await asking).text, /^Q-1 is still waiting/);
      });
    });

  it('gives no token the session of another', async () => {
    const { client, transport } = await connect('one');
    const session = { 'mcp-session-id': transport.sessionId ?? '', authorization: 'two' };
    assert.equal((await send({ id: 9, method: 'tools/list' }, session)).status, 404);
    for (const method of ['GET', 'DELETE'])
      assert.equal((await fetch(url, { method, headers: { ...session, accept: 'text/event-stream' } })).status, 404);
    assert.equal((await client.listTools()).tools.length, 1, 'the session goes on');
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

  it('ends a session whose token was revoked', async () => {
    const { client } = await connect();
    http.revoke('one');
    await http.endpoint.sweep();
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

  it('refuses, without sessions, other versions, requests that do not fit the protocol and large ones', async () => {
    const version = '2026-07-28';
    const known = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'codex-mcp-client', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { _meta: known };
    const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/list' };
    const list = { id: 1, method: 'tools/list', params };
    assert.equal((await send(list, headers)).status, 200);
    assert.equal((await send(list, {})).status, 400);
    assert.equal((await send(list, { ...headers, 'mcp-method': 'tools/call' })).status, 400);
    const later = { ...known, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    assert.equal((await send({ id: 1, method: 'tools/list', params: { _meta: later } }, headers)).status, 400);
    const bare = { 'io.modelcontextprotocol/protocolVersion': version };
    assert.equal((await send({ id: 1, method: 'tools/list', params: { _meta: bare } }, headers)).status, 400);
    const large = { ...params, name: 'x'.repeat(1_000_001) };
    assert.equal((await send({ id: 1, method: 'tools/call', params: large }, headers)).status, 413);
    assert.equal((await send(list, { ...headers, 'content-type': 'text/plain' })).status, 415);
  });
});
