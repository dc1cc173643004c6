/** A model that knows nothing but the tools it is offered: the core is enough, and one call leads to a held question. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import { usualLength } from '../../src/tools/agent/tool.ts';
import { catalog } from '../../src/tools/catalog.ts';
import { root } from '../support/host.ts';
import { environment, startMcp, type Mcp } from '../support/mcp.ts';
import { decide, enrolledHuman } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../support/store/sandbox.ts';

/** What the script calls, and how each result begins. */
const script: readonly (readonly [tool: string, input: object, result: RegExp])[] = [
  ['get_briefing', { focus: 'src/login.ts' }, /^# Briefing/],
  ['record_work', { id: 't-1', title: 'Sign-in', holds: ['src'], status: 'in_progress' }, /^Registered\. Sign-in/],
  ['check_gate', { work_id: 't-1' }, /^Allowed: /],
  [
    'raise_question',
    { text: 'OAuth or passwords?', work_id: 't-1', wait_seconds: 0 },
    /^Q-2 .* Do not work on Sign-in/,
  ],
  ['check_gate', { files: ['src/login.ts'] }, /^Denied: src\/login\.ts.* held by Q-2/],
  ['await_answer', { wait_seconds: 0 }, /^Q-2 is still waiting/],
  ['propose_rfc', { title: 'Sign-in', markdown: '## Summary\n\nOAuth.\n', work_ids: ['t-1'] }, /^RFC-1 "Sign-in"/],
  ['post_note', { type: 'decision', title: 'Sign-in waits for RFC-1', text: 'OAuth.', scopes: ['src'] }, /^Posted E-1/],
  ['list_items', {}, /^1 question, 1 pending/],
];

describe('A scripted model with the tools that it is offered', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  let mcp: Mcp;
  before(async () => {
    sandbox = makeSandbox();
    mcp = await startMcp(sandbox);
  });
  after(async () => {
    await mcp.close();
    removeSandboxes();
  });

  const offered = async () => (await mcp.client.listTools()).tools.map(({ name }) => name);

  /** The exit code of the gate for another program of the same folder. */
  function gate(file: string): Promise<unknown> {
    const cli = path.join(root, 'dist', 'cli.cjs');
    const args = [cli, '--workspace', sandbox.folder, 'gate', '--file', file];
    return new Promise((resolve) => {
      execFile(process.execPath, args, { env: environment(sandbox) }, (error) => {
        resolve(error?.code ?? 0);
      });
    });
  }

  it('gets from nothing to a held question with one call', async () => {
    const [only, ...others] = await offered();
    assert.deepEqual([only, others], ['holdpoint_raise_question', []]);
    const asked = await mcp.call(only ?? '', { text: 'May I change it?', holds: ['src/a.ts'], wait_seconds: 0 });
    assert.match(asked.text, /^Q-1 is still waiting for a human .* Do not /);
    assert.equal(await gate('src/a.ts'), 2);
    await decide(sandbox.open({ clock: Date.now }), enrolledHuman(sandbox.open()), 'Q-1');
    assert.equal(await gate('src/a.ts'), 0);
  });

  it('does all of its work with the eight tools of the core', async () => {
    const core: readonly string[] = catalog
      .filter(({ shown }) => shown === 'always' || shown === 'used')
      .map(({ name }) => name);
    assert.equal(core.length, 8);
    for (const [tool, input, result] of script) {
      const name = `holdpoint_${tool}`;
      assert.ok(core.includes(name) && (await offered()).includes(name), name);
      const { text } = await mcp.call(name, input);
      assert.match(text, result);
      if (tool !== 'get_briefing') assert.ok(text.length <= usualLength, text);
    }
    assert.deepEqual(
      core.filter((name) => !script.some(([tool]) => name === `holdpoint_${tool}`)),
      [],
    );
  });
});
