/** Agents that call the running server over HTTP, with the official client. */
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { resultOf } from '../support/mcp.ts';
import { decide, enrolledHuman } from '../support/store/people.ts';
import { removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';
import { cookieOf, post, send } from './attacks.ts';
import { newToken, startServe, type Served } from './program.ts';

const initialise = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};
const accept = { accept: 'application/json, text/event-stream' };

describe('MCP at /mcp of the server', () => {
  let served: Served;
  let token: string;
  let workspace: Workspace;
  let clients: Client[];

  before(async () => {
    served = await startServe();
    token = await newToken(served, 'cloud', 'claude-code-007');
    workspace = served.sandbox.open({ clock: Date.now });
  });
  beforeEach(() => {
    clients = [];
  });
  afterEach(async () => {
    for (const client of clients) await client.close();
  });
  after(async () => {
    workspace.close();
    await served.stop();
    removeSandboxes();
  });

  async function connect(secret = token): Promise<{ client: Client; session: string }> {
    const transport = new StreamableHTTPClientTransport(new URL(`${served.origin}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${secret}` } },
    });
    const client = new Client({ name: 'codex-mcp-client', version: '1.0.0' }, { capabilities: {} });
    await client.connect(transport);
    clients.push(client);
    return { client, session: transport.sessionId ?? '' };
  }

  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}`, ...accept });
  const json = { 'content-type': 'application/json' };
  const sendMcp = (headers: Readonly<Record<string, string>>, message: object = initialise) =>
    send(served.origin, { method: 'POST', path: '/mcp', headers, body: JSON.stringify(message) });

  it('takes a question of the token’s agent, waits, and returns what a human answers in the editor', async () => {
    const human = enrolledHuman(workspace);
    const { client } = await connect();
    let progressed = 0;
    const asking = client.callTool(
      { name: 'holdpoint_raise_question', arguments: { text: 'JWT?' } },
      CallToolResultSchema,
      { onprogress: () => (progressed += 1) },
    );
    await until('the agent waits', () => progressed > 0);
    assert.equal(workspace.standing().state?.questions.get('Q-1')?.asker.id, 'claude-code-007');
    await decide(workspace, human, 'Q-1');
    assert.match(resultOf((await asking) as CallToolResult).text, /^Q-1 answered by Ada, .*"Yes, go on\."/);
  });

  it('asks for a token, and takes no cookie for one', async () => {
    const opened = await post(served.origin, '/session', { code: served.code });
    const cookies = { cookie: cookieOf(opened), ...accept };
    for (const headers of [accept, cookies, bearer('x'), bearer('')]) {
      const answer = await sendMcp({ ...json, ...headers });
      assert.equal(answer.status, 401);
      assert.equal(answer.headers['www-authenticate'], 'Bearer');
    }
  });

  it('refuses other hosts, other sites and what is not JSON', async () => {
    const statuses = await Promise.all(
      [
        { ...json, host: 'evil.example' },
        { ...json, origin: 'https://evil.example' },
        { ...json, origin: 'null' },
        { ...json, 'sec-fetch-site': 'cross-site' },
        { 'content-type': 'text/plain' },
      ].map(async (headers) => (await sendMcp({ ...bearer(token), ...headers })).status),
    );
    assert.deepEqual(statuses, [421, 403, 403, 403, 415]);
    const params = { ...initialise.params, clientInfo: { name: 'x'.repeat(1_000_001), version: '1' } };
    assert.equal((await sendMcp({ ...bearer(token), ...json }, { ...initialise, params })).status, 413);
  });
});
