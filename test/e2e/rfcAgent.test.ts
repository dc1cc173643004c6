/**
 * An RFC from proposal to approval, each part real but the language model: the agent reads the condition and goes on.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { askCopilot } from '../support/chat.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import { approveAsHuman, reviewShown } from '../support/rfcForm.ts';
import { copyFolder } from '../support/scenario.ts';
import {
  startScriptedModel,
  toolResults,
  type ModelRequest,
  type ModelTurn,
  type ScriptedModel,
} from '../support/scriptedModel.ts';
import type { TemporaryFolder } from '../support/temporary.ts';

const condition = 'Every token has an expiry date';

const calls = [
  {
    name: 'holdpoint_record_work',
    input: { id: 'wf-1', kind: 'workflow', title: 'Partner access', holds: ['src/auth.js'] },
  },
  {
    name: 'holdpoint_propose_rfc',
    input: {
      title: 'Tokens for partners',
      summary: 'Partners get signed tokens, and one place revokes them.',
      detailed_design: 'See `src/auth.js`. A token is a row; revoking it deletes the row.',
      affected_workflows: ['wf-1'],
      submit: true,
    },
  },
  { name: 'holdpoint_await_answer', input: { id: 'RFC-1' } },
  { name: 'holdpoint_record_work', input: { id: 'wf-1', status: 'in_progress' } },
] as const;

function agent(request: ModelRequest): ModelTurn {
  if (!request.tools.some((tool) => tool.function.name === 'holdpoint_propose_rfc')) return { say: 'Tokens' };
  const results = toolResults(request);
  const call = calls[results.length];
  return call ? { call: [call] } : { say: `Partner access has begun. I received: ${results[2] ?? ''}` };
}

describe('An RFC, with the real Copilot agent mode', () => {
  let workspace: TemporaryFolder;
  let model: ScriptedModel;
  let editor: Editor;
  before(async () => {
    workspace = await copyFolder(path.join(root, 'sample'));
    model = await startScriptedModel(agent);
    editor = await openEditor({ workspace: workspace.folder, model: model.url, probe: false });
  });
  after(async () => {
    await editor.close();
    await model.close();
    await workspace.remove();
  });

  it('holds until a human approves it with a condition, which the agent reads and goes on', async () => {
    const { window } = editor;
    const shell = { workspace: workspace.folder, env: editor.env };
    await askCopilot(window, 'Give partners access. Propose the design first.');
    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).waitFor();

    const before = await holdpoint(shell, 'gate', '--work', 'wf-1');
    assert.equal(before.code, 2);
    assert.match(before.err, /Denied: .*RFC-1/);

    await window.page.locator('.statusbar-item', { hasText: '1 waiting' }).click();
    const review = await reviewShown(window);
    assert.equal(await review.locator('.rfc-title').innerText(), 'Tokens for partners');
    await approveAsHuman(review, [condition]);

    const words = window.page.locator('.interactive-session .rendered-markdown', {
      hasText: 'Partner access has begun',
    });
    await words.last().waitFor();
    assert.match(await words.last().innerText(), new RegExp(`approved by Ada Lovelace.*${condition}`, 's'));
    const last = model.requests.filter((request) => toolResults(request).length === calls.length).at(-1);
    const results = last ? toolResults(last) : [];
    assert.match(
      results[2] ?? '',
      new RegExp(`RFC-1 "Tokens for partners".*approved by Ada Lovelace.*${condition}`, 's'),
    );
    assert.match(results[3] ?? '', /Partner access \(wf-1\)/);

    const after = await holdpoint(shell, 'gate', '--work', 'wf-1');
    assert.equal(after.code, 0);
    assert.match(after.out, /^Allowed/);
    assert.ok(after.out.includes(condition), after.out);
    await review.locator('.decided-line', { hasText: 'received it' }).waitFor();
    assert.deepEqual(window.webviewErrors, []);
  });
});
