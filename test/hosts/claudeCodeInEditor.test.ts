/** The real Claude Code, its hooks and MCP server set up by `holdpoint setup`, and a human in a real VS Code. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findClaudeCode } from '../support/claudeCode.ts';
import { openEditor, type Editor } from '../support/editor.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { keepPayloads, type Keeper } from '../support/hookPayloads.ts';
import { root } from '../support/host.ts';
import { start } from '../support/processes.ts';
import { copyFolder } from '../support/scenario.ts';
import {
  anthropicResults,
  startScriptedAnthropic,
  type AnthropicRequest,
  type ScriptedAnthropic,
} from '../support/scriptedAnthropic.ts';
import type { ModelTurn } from '../support/scriptedModel.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';
import { treeOf } from '../support/tree.ts';
import { answer, answered, denied, question, work, type Step } from '../e2e/apiTokens.ts';

describe('The real Claude Code', () => {
  let workspace: TemporaryFolder;
  let model: ScriptedAnthropic | undefined;
  let editor: Editor | undefined;
  let program: string;
  let results: readonly string[] = [];
  let code: number | null = -1;
  let output = '';
  let whenDenied = '';
  let authFile: string;
  let kept: TemporaryFolder;
  let keeper: Keeper;

  /** All that the scripted model does, one step a turn; the last waits until a human has answered. */
  function steps(): readonly Step[] {
    const edit = {
      name: 'Edit',
      input: { file_path: authFile, old_string: "'guest'", new_string: "'guest' // sessions" },
    };
    return [
      { name: 'mcp__holdpoint__holdpoint_record_work', input: work },
      { name: 'mcp__holdpoint__holdpoint_raise_question', input: { ...question, wait_seconds: 1 } },
      { name: 'Read', input: { file_path: authFile } },
      { ...edit },
      { name: 'Bash', input: { command: 'echo "// mine" >> src/auth.js', description: 'Append a line' } },
      { name: 'Write', input: { file_path: path.join(workspace.folder, 'free.txt'), content: 'free' } },
      { name: 'Bash', input: { command: 'ls src | head -3', description: 'List files' } },
      { name: 'mcp__holdpoint__holdpoint_await_answer', input: { id: 'Q-1', wait_seconds: 40 } },
      { ...edit },
    ];
  }
  const awaiting = 7;

  function next(request: AnthropicRequest, whenAwaiting: () => void): ModelTurn {
    if (request.tools.length === 0) return { say: 'API tokens' };
    const said = anthropicResults(request);
    // What MCP tools return reaches the model as JSON.
    results = said.map((text) => text.replaceAll('\\"', '"'));
    const waits = said.slice(awaiting).filter((text) => text.includes('is still waiting')).length;
    const step = steps()[said.length - waits];
    if (said.length === awaiting) whenAwaiting();
    return step ? { call: [step] } : { say: 'API tokens are done.' };
  }

  before(async function () {
    this.timeout(600_000);
    const found = await findClaudeCode();
    if ('missing' in found) {
      console.log(`    ${found.missing}: skipped`);
      this.skip();
    }
    program = found.program;
    workspace = await copyFolder(path.join(root, 'sample'));
    authFile = path.join(workspace.folder, 'src', 'auth.js');
    let tellDenied: () => void = () => undefined;
    const isDenied = new Promise<void>((resolve) => {
      tellDenied = resolve;
    });
    model = await startScriptedAnthropic((request) => next(request, tellDenied));
    editor = await openEditor({ workspace: workspace.folder, probe: false });
    const shell = { workspace: workspace.folder, env: editor.env };
    kept = await temporaryFolder();
    // The user's own settings, beside those that setup writes.
    keeper = await keepPayloads(path.join(workspace.folder, '.claude', 'settings.json'), kept.folder, 'claude-code', {
      [workspace.folder]: '/home/dev/shop',
      [workspace.folder.replaceAll(/[^\w-]/g, '-')]: '-home-dev-shop',
      [editor.env['HOME'] ?? '']: '/home/dev',
    });
    const setup = await holdpoint(shell, 'setup', '--host', 'claude-code');
    assert.equal(setup.code, 0, setup.err);
    // In a folder that never used Holdpoint, an agent is offered one tool, to ask.
    const used = await holdpoint(
      shell,
      'work',
      'register',
      '--id',
      'wf-0',
      '--kind',
      'workflow',
      '--title',
      'Partners',
    );
    assert.equal(used.code, 0, used.err);

    const claude = start(
      program,
      [
        ...['-p', 'Build API tokens for partners.', '--permission-mode', 'acceptEdits'],
        ...['--mcp-config', path.join(workspace.folder, '.mcp.json'), '--allowedTools', 'mcp__holdpoint', 'Bash'],
      ],
      {
        cwd: workspace.folder,
        env: {
          ...editor.env,
          ANTHROPIC_BASE_URL: model.url,
          ANTHROPIC_API_KEY: 'none',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_AUTOUPDATER: '1',
        },
      },
    );
    await Promise.race([
      isDenied,
      claude.exited.then((exit) => {
        throw new Error(`Claude Code ended early (${String(exit)}): ${claude.output()}`);
      }),
    ]);
    whenDenied = await readFile(authFile, 'utf8');
    await answer(editor.window);
    code = await claude.exited;
    output = claude.output();
  });
  after(async () => {
    await (kept as TemporaryFolder | undefined)?.remove();
    await editor?.close();
    await model?.close();
    await (workspace as TemporaryFolder | undefined)?.remove();
  });

  it('asks through MCP and gets the instruction to stop', () => {
    assert.match(results[1] ?? '', /Q-1 is still waiting for a human .*Do not work on API tokens \(t-1\)/);
  });

  it('may read what is held', () => {
    assert.match(results[2] ?? '', /whoIs/);
    assert.match(results[6] ?? '', /auth\.js/);
  });

  it('is denied each way to change it, and the denial names the question', () => {
    for (const index of [3, 4, 5]) assert.match(results[index] ?? '', denied, `step ${String(index)}`);
    assert.doesNotMatch(whenDenied, /sessions|mine/);
  });

  it('gets the answer that a human gave in the editor, and may go on', async () => {
    assert.equal(code, 0, output);
    assert.ok(
      results.some((text) => answered.test(text)),
      results.join('\n---\n'),
    );
    assert.match(results.at(-1) ?? '', /updated successfully/);
    assert.match(await readFile(authFile, 'utf8'), /\/\/ sessions/);
  });

  it('is stopped by the canary, without touching any work', async () => {
    const files = () => Object.entries(treeOf(workspace.folder)).filter(([file]) => !file.startsWith('.holdpoint'));
    const untouched = files();
    const env = { ...editor?.env, PATH: `${path.dirname(program)}${path.delimiter}${process.env['PATH'] ?? ''}` };
    const where = { workspace: workspace.folder, env };
    const check = await holdpoint(where, 'setup', '--check', '--host', 'claude-code');
    assert.equal(check.code, 0, check.out + check.err);
    assert.match(check.out, /^Claude Code: enforced\n/);
    assert.deepEqual(files(), untouched);
  });

  it('is found out when its settings turn off all hooks', async () => {
    const settings = path.join(workspace.folder, '.claude', 'settings.json');
    const before = await readFile(settings, 'utf8');
    await writeFile(settings, JSON.stringify({ disableAllHooks: true }));
    const check = await holdpoint({ workspace: workspace.folder, env: editor?.env ?? {} }, 'setup', '--check');
    await writeFile(settings, before);
    assert.equal(check.code, 1);
    assert.match(check.out, /^Claude Code: broken\n.*turns hooks off/m);
  });

  it('sends hooks what the fixtures were recorded from', async () => {
    await keeper.compare('claude-code', [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse Read',
      'PreToolUse Edit',
      'PreToolUse Write',
      'PreToolUse Bash',
      'PreToolUse mcp__holdpoint__holdpoint_await_answer',
      'PostToolUse Edit',
      'Stop',
      'SessionEnd',
    ]);
  });
});
