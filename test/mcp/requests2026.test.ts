/** MCP over HTTP in the 2026 era: requests without a session, and the tasks of the protocol's extension. */
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  type JsonRpcResponse,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Workspace } from '../../src/app/workspace/workspace.ts';
import { resultOf } from '../support/mcp.ts';
import { startMcpHttp, type McpHttp } from '../support/mcpHttp.ts';
import { decide, enrolledHuman, type Human } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';

const question = 'holdpoint_raise_question';
const hour = 60 * 60_000;
const version = '2026-07-28';
const clientInfo = { name: 'codex-mcp-client', version: '1.0.0' };
const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

describe('MCP over HTTP without sessions', function () {
  this.timeout(60_000);
  let workspace: Workspace;
  let human: Human;
  let http: McpHttp;
  let clients: Client[];

  beforeEach(async () => {
    const sandbox = makeSandbox();
    workspace = sandbox.open({ clock: Date.now });
    human = enrolledHuman(workspace);
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

  interface Sent {
    readonly method: string;
    readonly params: Readonly<Record<string, unknown>>;
  }

  /** A request that a client of the 2026 era sends. */
  async function send({ method, params }: Sent, token = 'one'): Promise<JsonRpcResponse> {
    const named = params['taskId'] ?? params['name'];
    const response = await post(
      { method, params },
      {
        ...{ authorization: token, 'mcp-protocol-version': version, 'mcp-method': method },
        ...(typeof named === 'string' ? { 'mcp-name': named } : {}),
      },
    );
    const answer = (await response.json()) as { result: never } | { error: never };
    return 'error' in answer ? { kind: 'error', ...answer } : { kind: 'result', ...answer };
  }

  const meta = (capabilities: object) => ({
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  });

  /** The official client of the extension, which leaves sending to its host. */
  async function taskSession(): Promise<TaskEnabledSession> {
    return createTaskSessionFromClient(await connect(), {
      endpointId: 'holdpoint',
      rawDispatch: (request) => send(request as unknown as Sent),
      v2RequestFraming: { protocolVersion: version, clientInfo, clientCapabilities: {} },
    });
  }

  async function startTask(): Promise<string> {
    const params = { _meta: meta(tasks), name: question, arguments: { text: 'JWT?' } };
    const answer = await send({ method: 'tools/call', params });
    assert.ok(answer.kind === 'result');
    const { resultType, taskId } = answer.result as { resultType: string; taskId: string };
    assert.equal(resultType, 'task');
    return taskId;
  }

  const taskRequest = (method: string, taskId: string, token = 'one') =>
    send({ method, params: { _meta: meta(tasks), taskId } }, token);

  async function isKnown(taskId: string, token = 'one'): Promise<boolean> {
    return (await taskRequest('tasks/get', taskId, token)).kind === 'result';
  }

  it('runs a call that waits as a task, for a client that declares tasks', async () => {
    const session = await taskSession();
    const execution = await session.callTool(question, { text: 'JWT?' });
    assert.equal(execution.kind, 'task');
    await until('the question is asked', isAsked);
    await decide(workspace, human, 'Q-1');
    const { outcome } = await execution.settle();
    const { text, data } = resultOf(resultFromTaskOutcome(outcome) as CallToolResult);
    assert.match(text, /^Q-1 answered by Ada/);
    assert.equal(data['outcome'], 'answered');
    await session.close();
  });

  it('returns at once what does not wait', async () => {
    const session = await taskSession();
    const asked = await session.callTool(question, { text: 'JWT?', wait_seconds: 0 });
    const checked = await session.callTool('holdpoint_check_gate', {});
    assert.deepEqual([asked.kind, checked.kind], ['immediate', 'immediate']);
    await session.close();
  });

  it('cancels a task, and never its question', async () => {
    const session = await taskSession();
    const execution = await session.callTool(question, { text: 'JWT?' });
    await until('the question is asked', isAsked);
    await execution.cancel();
    assert.equal((await execution.settle()).outcome.status, 'cancelled');
    assert.equal(workspace.standing().state?.questions.get('Q-1')?.status, 'pending');
    await session.close();
  });

  it('acknowledges input that no task asked for, and knows only the extension’s methods', async () => {
    const id = await startTask();
    assert.equal((await taskRequest('tasks/update', id)).kind, 'result');
    assert.equal((await taskRequest('tasks/update', 'x')).kind, 'error');
    for (const method of ['tasks/result', 'tasks/list'])
      assert.equal((await taskRequest(method, id)).kind, 'error', method);
  });

  it('keeps a task from other tokens, and for two hours after its last request', async () => {
    const id = await startTask();
    assert.equal(await isKnown(id, 'two'), false);
    http.wait(2 * hour);
    await http.endpoint.sweep();
    assert.ok(await isKnown(id));
    http.wait(2 * hour + 1);
    await http.endpoint.sweep();
    assert.equal(await isKnown(id), false);
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
