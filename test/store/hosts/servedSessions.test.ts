/** A session keeps its holds, whatever other MCP servers an agent starts and whichever session ids it gives them. */
import assert from 'node:assert/strict';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { stampField } from '../../../src/hosts/ownTools.ts';
import type { HostName } from '../../../src/hosts/host.ts';
import { openConnection, type Connection } from '../../../src/mcp/connection.ts';
import { createServer } from '../../../src/mcp/server.ts';
import { hookAnswer } from '../../support/store/hookAnswer.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

describe('a session of an agent', () => {
  let place: Sandbox;
  let connections: Connection[];

  beforeEach(() => {
    place = makeSandbox();
    connections = [];
  });
  afterEach(async () => {
    for (const connection of connections) await connection.close();
    removeSandboxes();
  });

  /** An MCP server of the host; each call takes the input of a tool. */
  async function startServer(agentType: string, given?: string) {
    const connection = openConnection({ workspace: place.open(), version: '1', agentType, agent: given });
    connections.push(connection);
    const client = new Client({ name: agentType, version: '1' });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await Promise.all([createServer(connection, 'legacy').connect(theirs), client.connect(ours)]);
    return async (tool: string, input: object, session?: string) => {
      const stamp = session === undefined ? {} : { [stampField]: session };
      const result = await client.callTool({ name: `holdpoint_${tool}`, arguments: { ...input, ...stamp } });
      assert.ok(result.isError !== true, JSON.stringify(result.content));
    };
  }

  const question = { text: 'JWT or sessions?', type: 'decision', wait_seconds: 0 };
  const task = { id: 'T1', title: 'Tokens', status: 'in_progress' };

  async function isDenied(
    host: HostName,
    session: string,
    env: Record<string, string> = {},
    more: object = {},
  ): Promise<boolean> {
    const call = { ...more, session_id: session, tool_name: 'Bash', tool_input: { command: 'touch new.js' } };
    const { exit } = await hookAnswer(place, call, { host, env });
    return exit === 2;
  }

  it('of a host that does not stamp calls is held although another server claims to serve it', async () => {
    const [own, second] = [await startServer('codex'), await startServer('codex')];
    await own('check_gate', {});
    await second('check_gate', {}, 's-1');
    await own('raise_question', question);
    assert.ok(await isDenied('codex', 's-1'));
  });

  it('is not held by what a server of a host that does not stamp calls asks in its name', async () => {
    const other = await startServer('codex');
    await other('raise_question', question, 's-1');
    const own = await startServer('claude-code');
    await own('list_items', {}, 's-1');
    assert.ok(!(await isDenied('claude-code', 's-1')));
  });

  it('of a host that stamps calls is held by its work although another server claims to serve it', async () => {
    const second = await startServer('claude-code');
    await second('record_work', { id: 'T0', title: 'Nothing' }, 's-1');
    const own = await startServer('claude-code');
    await own('record_work', task, 's-1');
    assert.ok(!(await isDenied('claude-code', 's-1')));
    const other = await startServer('codex');
    await other('raise_question', { ...question, work_id: 'T1' });
    assert.ok(await isDenied('claude-code', 's-1'));
  });

  for (const host of ['claude-code', 'gemini-cli', 'codex'] as const)
    it(`of ${host} is held by its question although a variable gives it another name`, async () => {
      const own = await startServer(host);
      await own('raise_question', question, 's-1');
      assert.ok(await isDenied(host, 's-1'));
      assert.ok(await isDenied(host, 's-1', { HOLDPOINT_AGENT_ID: 'somebody' }));
    });

  it('of Claude Code is held in each of its subagents, whichever of them asked, and in no other session', async () => {
    const [own, other] = [await startServer('claude-code'), await startServer('claude-code')];
    await other('check_gate', {}, 's-2');
    await own('raise_question', question, 's-1');
    // What Claude Code adds to the payloads of a subagent; the session is that of its parent.
    const forks = ['a0b1', 'a0b2'].map((id) => ({ agent_id: id, agent_type: 'general-purpose' }));
    for (const fork of [{}, ...forks]) assert.ok(await isDenied('claude-code', 's-1', {}, fork), JSON.stringify(fork));
    for (const fork of [{}, ...forks]) assert.ok(!(await isDenied('claude-code', 's-2', {}, fork)));
  });

  it('of Claude Code holds a session that was forked from it, as long as no server serves the fork', async () => {
    const own = await startServer('claude-code');
    await own('raise_question', question, 's-1');
    for (const fork of ['s-8', 's-9']) assert.ok(await isDenied('claude-code', fork), fork);
  });

  it('with a given name is held by what the agent of this name asked', async () => {
    const named = await startServer('codex', 'builder-007');
    await named('raise_question', question);
    assert.ok(await isDenied('codex', 's-1', { HOLDPOINT_AGENT_ID: 'builder-007' }));
    assert.ok(!(await isDenied('codex', 's-1', { HOLDPOINT_AGENT_ID: 'somebody' })));
  });
});
