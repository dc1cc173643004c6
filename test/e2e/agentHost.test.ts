/**
 * The Copilot agent of VS Code's Agent Host, in the editor itself and without an account: a script stands in for the
 * Copilot service. Its hooks are those that `holdpoint setup` writes.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { askCopilot } from '../support/chat.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { findHost, root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import { startScriptedCopilotApi, type ScriptedCopilotApi } from '../support/scriptedCopilotApi.ts';
import { until } from '../support/until.ts';
import {
  startScriptedModel,
  textOf,
  type ModelRequest,
  type ModelTurn,
  type ScriptedModel,
} from '../support/scriptedModel.ts';
import type { TemporaryFolder } from '../support/temporary.ts';

const denied = /Denied by preToolUse hook: Denied: .*Q-1 .*May I change src\?/;

describe('The Copilot agent of the Agent Host in the real VS Code', () => {
  let workspace: TemporaryFolder;
  let model: ScriptedModel | undefined;
  let api: ScriptedCopilotApi | undefined;
  let editor: Editor | undefined;
  let authFile = '';
  let original = '';
  let results: readonly string[] = [];
  let inSubagent: readonly string[] = [];

  function changes() {
    return [
      { name: 'view', input: { path: authFile } },
      { name: 'edit', input: { path: authFile, old_str: "?? 'guest';", new_str: "?? 'guest'; // two" } },
      { name: 'create', input: { path: path.join(path.dirname(authFile), 'new.js'), file_text: 'x' } },
      { name: 'bash', input: { command: 'echo x >> src/auth.js', description: 'x' } },
    ];
  }

  function next({ messages, tools }: ModelRequest): ModelTurn {
    if (!tools.some((tool) => tool.function.name === 'edit')) return { say: 'A title' };
    const said = messages.filter(({ role }) => role === 'tool').map(textOf);
    const isSubagent = messages.some((one) => one.role === 'user' && textOf(one).includes('as a subagent'));
    if (isSubagent) inSubagent = said;
    else results = said;
    const task = {
      ...{ agent_type: 'general-purpose', name: 'sub', description: 'x', mode: 'sync' },
      prompt: 'Change src as a subagent.',
    };
    const steps = [...changes(), ...(isSubagent ? [] : [{ name: 'task', input: task }])];
    const step = steps[said.length];
    return step ? { call: [step] } : { say: 'All of it is done.' };
  }

  before(async function () {
    this.timeout(300_000);
    const host = await findHost();
    if (host.kind === 'desktop') {
      console.log('    the desktop VS Code accepts no stand-in for the Copilot service: skipped');
      this.skip();
    }
    workspace = await copyFolder(path.join(root, 'sample'));
    authFile = path.join(workspace.folder, 'src', 'auth.js');
    original = await readFile(authFile, 'utf8');
    model = await startScriptedModel(next);
    api = await startScriptedCopilotApi(model.url);
    editor = await openEditor({
      ...{ workspace: workspace.folder, model: model.url, probe: false, env: api.env },
      settings: {
        'chat.editor.preferCopilotHarness': true,
        'chat.defaultToCopilotHarness': true,
        'chat.agentHost.unsafeTestToken': 'scripted',
        'chat.agentHost.githubMcpServer.enabled': false,
      },
    });
    const where = { workspace: workspace.folder, env: editor.env };
    const asked = await holdpoint(
      { ...where, env: { ...editor.env, HOLDPOINT_AGENT_ID: 'other-001' } },
      ...['question', 'create', '--text', 'May I change src?', '--type', 'decision', '--holds', 'src/**'],
    );
    assert.equal(asked.code, 0, asked.err);
    const setup = await holdpoint(where, 'setup', '--host', 'vscode');
    assert.equal(setup.code, 0, setup.err);
    const { window } = editor;
    // Before its models are known, the editor sends the prompt nowhere.
    await until('the Agent Host has asked for its models', () => api?.asked.includes('GET /models') === true);
    await askCopilot(window, 'Change src.');
    // Nine tool calls, and a hook before each.
    await window.page
      .locator('.interactive-session .rendered-markdown', { hasText: 'All of it is done' })
      .last()
      .waitFor({ timeout: 120_000 });
  });
  after(async () => {
    await editor?.close();
    await api?.close();
    await model?.close();
    await (workspace as TemporaryFolder | undefined)?.remove();
  });

  it('may read what is held', () => {
    for (const said of [results, inSubagent]) assert.match(said[0] ?? '', /whoIs/);
  });

  it('is denied each way to change it, in a subagent too, and the denial names the question', async () => {
    for (const said of [results, inSubagent])
      for (const index of [1, 2, 3]) assert.match(said[index] ?? '', denied, `step ${String(index)}`);
    assert.equal(await readFile(authFile, 'utf8'), original);
  });
});
