/** VS Code's own agent mode, its hook set up by `holdpoint setup`: what is held is not edited until a human has answered. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { askCopilot } from '../support/chat.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { keepPayloads, type Keeper } from '../support/hookPayloads.ts';
import { root } from '../support/host.ts';
import { copyFolder } from '../support/scenario.ts';
import {
  startScriptedModel,
  toolResults,
  type ModelRequest,
  type ModelTurn,
  type ScriptedModel,
} from '../support/scriptedModel.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { answer, answered, denied, question, work, type Step } from './apiTokens.ts';

describe('Agent mode of the real VS Code', () => {
  let workspace: TemporaryFolder;
  let model: ScriptedModel | undefined;
  let editor: Editor | undefined;
  let authFile: string;
  let results: readonly string[] = [];
  let whenDenied = '';
  let kept: TemporaryFolder;
  let keeper: Keeper;

  function steps(): readonly Step[] {
    const edit = {
      name: 'replace_string_in_file',
      input: { filePath: authFile, oldString: "?? 'guest';", newString: "?? 'guest'; // sessions" },
    };
    return [
      { name: 'holdpoint_record_work', input: work },
      { name: 'holdpoint_raise_question', input: { ...question, wait_seconds: 1 } },
      { name: 'read_file', input: { filePath: authFile, startLine: 1, endLine: 10 } },
      edit,
      { name: 'create_file', input: { filePath: path.join(workspace.folder, 'free.txt'), content: 'free' } },
      {
        name: 'run_in_terminal',
        input: {
          command: 'echo mine >> src/auth.js',
          explanation: 'x',
          goal: 'x',
          isBackground: false,
          mode: 'sync',
          timeout: 5000,
        },
      },
      { name: 'holdpoint_await_answer', input: { id: 'Q-1' } },
      edit,
    ];
  }
  const awaiting = 6;

  before(async function () {
    this.timeout(300_000);
    workspace = await copyFolder(path.join(root, 'sample'));
    authFile = path.join(workspace.folder, 'src', 'auth.js');
    let tellDenied: () => void = () => undefined;
    const isDenied = new Promise<void>((resolve) => {
      tellDenied = resolve;
    });
    const script = (request: ModelRequest): ModelTurn => {
      if (!request.tools.some((tool) => tool.function.name === 'holdpoint_raise_question'))
        return { say: 'API tokens' };
      results = toolResults(request);
      if (results.length === awaiting) tellDenied();
      const step = steps()[results.length];
      return step ? { call: [step] } : { say: 'API tokens are done.' };
    };
    model = await startScriptedModel(script);
    editor = await openEditor({ workspace: workspace.folder, model: model.url, probe: false });
    kept = await temporaryFolder();
    // Beside Holdpoint's: what is the user's own goes on being asked.
    keeper = await keepPayloads(path.join(workspace.folder, '.github', 'hooks', 'keep.json'), kept.folder, 'vscode', {
      [workspace.folder]: '/home/dev/shop',
      [editor.userData]: '/home/dev/.vscode-data',
    });
    const setup = await holdpoint({ workspace: workspace.folder, env: editor.env }, 'setup', '--host', 'vscode');
    assert.equal(setup.code, 0, setup.err);
    const { window } = editor;
    await askCopilot(window, 'Build API tokens for partners.');
    await isDenied;
    whenDenied = await readFile(authFile, 'utf8');
    await answer(window);
    await window.page
      .locator('.interactive-session .rendered-markdown', { hasText: 'API tokens are done' })
      .last()
      .waitFor();
  });
  after(async () => {
    await (kept as TemporaryFolder | undefined)?.remove();
    await editor?.close();
    await model?.close();
    await (workspace as TemporaryFolder | undefined)?.remove();
  });

  it('may read what is held', () => {
    assert.match(results[2] ?? '', /whoIs/);
  });

  it('is denied each way to change it, and the denial names the question', () => {
    for (const index of [3, 4, 5]) assert.match(results[index] ?? '', denied, `step ${String(index)}`);
    assert.doesNotMatch(whenDenied, /sessions|mine/);
  });

  it('gets the answer that a human gave, and may go on', async () => {
    assert.match(results[awaiting] ?? '', answered);
    assert.match(await readFile(authFile, 'utf8'), /\/\/ sessions/);
  });

  it('sends hooks what the fixtures were recorded from', async () => {
    await keeper.compare('vscode', [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse read_file',
      'PreToolUse replace_string_in_file',
      'PreToolUse create_file',
      'PreToolUse run_in_terminal',
      'PreToolUse holdpoint_await_answer',
      'PostToolUse read_file',
    ]);
  });
});
