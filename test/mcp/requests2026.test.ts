/** MCP over HTTP in the 2026 era: requests without a session. */
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { resultOf } from '../support/mcp.ts';
import { startMcpHttp, type McpHttp } from '../support/mcpHttp.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';

const question = 'holdpoint_raise_question';
const version = '2026-07-28';
const clientInfo = { name: 'codex-mcp-client', version: '1.0.0' };

describe('MCP over HTTP without sessions', function () {
  this.timeout(60_000);
  let workspace: Workspace;
  let http: McpHttp;
  let clients: Client[];

  beforeEach(async () => {
    const sandbox = makeSandbox();
    workspace = sandbox.open({ clock: Date.now });
    clients = [];
    http = await startMcpHttp(sandbox.open({ clock: Date.now }));
  });
  afterEach(async () => {
    for (const client of clients) await client.close();
    await http.close();
    removeSandboxes();
  });

  const isAsked = () => workspace.standing().state?.questions.has('Q-1') === true;

  async function connect(token = 'one'): Promise<Client> {
    const client = new Client(clientInfo, { capabilities: {}, versionNegotiation: { mode: { pin: version } } });
    const requestInit = { headers: { authorization: token } };
    await client.connect(new StreamableHTTPClientTransport(http.url, { requestInit }));
    clients.push(client);
    return client;
  }

  async function call(client: Client, name: string, input: object): Promise<string> {
    return resultOf((await client.callTool({ name, arguments: { ...input } })) as CallToolResult).text;
  }

  function post(message: object, headers: Record<string, string>): Promise<Response> {
    return fetch(http.url, {
      method: 'POST',
      headers: {
        ...{ authorization: 'one', 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
  }

  const meta = (capabilities: object) => ({
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  });

  it('gives two tokens two agents', async () => {
    for (const token of ['one', 'two', 'one'])
      await call(await connect(token), question, { text: `By ${token}?`, reopen_reason: 'Again', wait_seconds: 0 });
    const agents = [...(workspace.standing().state?.questions.values() ?? [])].map(({ asker }) => asker.id);
    assert.deepEqual([...new Set(agents)], ['codex-001', 'codex-002']);
  });

  it('ends the wait of a call whose token was revoked', async () => {
    const asking = call(await connect(), question, { text: 'JWT?' });
    await until('the question is asked', isAsked);
    await http.endpoint.sweep();
    http.revoke('one');
    await http.endpoint.sweep();
    assert.match(await asking, /^Q-1 is still waiting/);
  });

  it('answers the calls that wait when the server ends', async () => {
    const asking = call(await connect(), question, { text: 'JWT?' });
    await until('the question is asked', isAsked);
    await http.endpoint.close();
    assert.match(await asking, /^Q-1 is still waiting/);
  });

  it('refuses other versions, requests that do not fit the protocol and large ones', async () => {
    const params = { _meta: meta({}) };
    const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/list' };
    const list = { method: 'tools/list', params };
    assert.equal((await post(list, headers)).status, 200);
    assert.equal((await post(list, {})).status, 400);
    assert.equal((await post(list, { ...headers, 'mcp-method': 'tools/call' })).status, 400);
    const later = { ...params._meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    assert.equal((await post({ method: 'tools/list', params: { _meta: later } }, headers)).status, 400);
    const bare = { 'io.modelcontextprotocol/protocolVersion': version };
    assert.equal((await post({ method: 'tools/list', params: { _meta: bare } }, headers)).status, 400);
    const large = { ...params, name: 'x'.repeat(1_000_001) };
    assert.equal((await post({ method: 'tools/call', params: large }, headers)).status, 413);
    assert.equal((await post(list, { ...headers, 'content-type': 'text/plain' })).status, 415);
  });
});
