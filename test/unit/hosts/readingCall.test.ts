/** Calls that the waiting thread of a hook answers by itself: they only read, and nothing is opened for them. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hostNames } from '../../../src/core/kit/hostNames.ts';
import { answerReading } from '../../../src/hook/readingCall.ts';
import type { HookHost } from '../../../src/hosts/host.ts';
import { hosts } from '../../../src/hosts/hosts.ts';
import { readCall } from '../../../src/hosts/payload/read.ts';
import { asSentBy } from '../../support/hostCalls.ts';
import { root } from '../../support/host.ts';

const fixtures = path.join(root, 'test', 'fixtures', 'hooks');
const nothing = { exit: 0, out: '', err: '' };
/** Cursor takes no output for a failure. */
const nothingFor = (host: HookHost) => (host === 'cursor' ? { ...nothing, out: '{}' } : nothing);

function answered(host: HookHost, payload: unknown) {
  const bytes = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return answerReading({ host, folder: '/home/dev/shop' }, Buffer.from(bytes), { env: {}, platform: 'linux' });
}

const call = (tool: string, input: object = {}, event = 'PreToolUse') => ({
  ...{ hook_event_name: event, session_id: 's', cwd: '/home/dev/shop', tool_name: tool, tool_input: input },
});

describe('a call that only reads', () => {
  for (const host of hostNames)
    it(`of ${host} is answered without a thread, and no other call is`, () => {
      const seen = new Set<boolean>();
      for (const file of readdirSync(path.join(fixtures, host)).filter((name) => name.endsWith('.json'))) {
        const { payload } = JSON.parse(readFileSync(path.join(fixtures, host, file), 'utf8')) as { payload: unknown };
        const { event, tool, asking } = readCall(hosts[host], payload, { platform: 'linux' });
        const reads = event === 'tool' && tool?.changes === false && !tool.own && tool.command === '' && !asking;
        seen.add(reads);
        assert.deepEqual(answered(host, payload), reads ? nothingFor(host) : null, file);
      }
      assert.ok(seen.has(false));
    });

  it('is one of a tool in the host’s list, whatever its input says', () => {
    assert.deepEqual(answered('claude-code', call('Read', { file_path: 'a.ts' })), nothing);
    assert.deepEqual(answered('claude-code', call('Read', { command: 'rm -rf .' })), nothing);
    for (const tool of ['Edit', 'Bash', 'Workflow', 'read', 'mcp__other__Read', 'constructor', 'toString'])
      assert.equal(answered('claude-code', call(tool, { file_path: 'a.ts', command: 'ls' })), null, tool);
    for (const [input, expected] of [
      [{ command: 'view', path: 'a.ts' }, nothing],
      [{ command: 'create', path: 'a.ts' }, null],
    ] as const)
      assert.deepEqual(answered('copilot-cli', asSentBy('copilot-cli', call('str_replace_editor', input))), expected);
  });

  it('is left to the thread where it is noted, not before a tool, or cannot be read', () => {
    assert.equal(answered('claude-code', call('AskUserQuestion', { questions: [{ question: 'May I?' }] })), null);
    assert.equal(answered('claude-code', call('mcp__holdpoint__holdpoint_list_items')), null);
    assert.equal(answered('claude-code', call('Read', {}, 'PostToolUse')), null);
    assert.equal(answered('claude-code', call('Read', {}, 'Unknown')), null);
    assert.equal(answered('claude-code', { ...call('Read'), hook_version: 9 }), null);
    assert.equal(answered('claude-code', { ...call('Read'), tool_input: 7 }), null);
    assert.equal(answered('generic', call('Read')), null);
    for (const text of ['', '[]', 'null', '{"tool_name":', '\u0000']) assert.equal(answered('claude-code', text), null);
    assert.equal(answered('claude-code', call('Read', { file_path: 'a'.repeat(300_000) })), null);
  });
});
