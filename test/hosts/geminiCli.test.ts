/** The real Gemini CLI with a scripted model, its hooks and MCP server set up by `holdpoint setup`. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openWorkspace } from '../../src/app/workspace/workspace.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { keepPayloads, type Keeper } from '../support/hookPayloads.ts';
import { findNpmHost } from '../support/npmHost.ts';
import { start } from '../support/processes.ts';
import { startScriptedGemini, type GeminiRequest, type ScriptedGemini } from '../support/scriptedGemini.ts';
import type { ModelTurn } from '../support/scriptedModel.ts';
import { decide, enrolledHuman, type Human } from '../support/store/people.ts';
import { realFs, wasm } from '../support/store/sandbox.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';

const denied = /Tool execution blocked: Denied: .*Q-1 .*May I change src\?/;
const ownDenied = /Tool execution blocked: Denied: .*Q-2 .*Shall I go on\?/;

describe('The real Gemini CLI', () => {
  let place: TemporaryFolder;
  let workspace = '';
  let env: NodeJS.ProcessEnv = {};
  let program = '';
  let model: ScriptedGemini | undefined;
  let keeper: Keeper;
  let results: readonly string[] = [];
  let inSubagent: readonly string[] = [];
  let context = '';
  let output = '';
  let steps: ReturnType<typeof changes> = [];
  let human: Human | undefined;
  let ofSubagent: () => ReturnType<typeof changes> = () => [];

  const inside = (...names: string[]) => path.join(workspace, ...names);

  function changes(): readonly { readonly name: string; readonly input: object }[] {
    const file = inside('src', 'a.js');
    return [
      { name: 'read_file', input: { file_path: file } },
      { name: 'replace', input: { file_path: file, instruction: 'x', old_string: 'one', new_string: 'two' } },
      { name: 'write_file', input: { file_path: inside('src', 'b.js'), content: 'x' } },
      { name: 'run_shell_command', input: { command: 'echo x >> src/a.js', description: 'x' } },
      { name: 'mcp_files_write', input: { path: file } },
      { name: 'run_shell_command', input: { command: 'ls src', description: 'x' } },
      { name: 'mcp_holdpoint_holdpoint_check_gate', input: { files: ['src/a.js'] } },
    ];
  }

  function next({ texts, results: said }: GeminiRequest): ModelTurn {
    const isSubagent = texts.some((text) => text.includes('as a subagent'));
    if (isSubagent) {
      inSubagent = said;
      const step = ofSubagent()[said.length];
      return { call: [step ?? { name: 'complete_task', input: { result: 'tried' } }] };
    }
    results = said;
    context = texts.join('\n');
    const step = steps[said.length];
    return step ? { call: [step] } : { say: 'Done.' };
  }

  async function gemini(...args: string[]): Promise<void> {
    const ran = start(program, ['-m', 'gemini-2.5-flash', '-p', 'Change src.', ...args], { cwd: workspace, env });
    await ran.exited;
    output = ran.output();
  }

  async function answer(id: string): Promise<void> {
    const opened = openWorkspace({
      ...{ folder: workspace, fs: realFs, env, platform: process.platform, home: env['HOME'] ?? '' },
      ...{ clock: Date.now, newId: randomUUID, wasm },
    });
    await decide(opened, (human ??= enrolledHuman(opened)), id);
    opened.close();
  }

  before(async function () {
    const found = await findNpmHost({
      name: 'gemini-cli',
      version: '0.61.0',
      packages: ['@google/gemini-cli'],
      program: path.join('.bin', 'gemini'),
    });
    if ('missing' in found || process.platform === 'win32') {
      console.log(`    ${'missing' in found ? found.missing : 'Windows'}: skipped`);
      this.skip();
    }
    ({ program } = found);
    place = await temporaryFolder();
    workspace = path.join(place.folder, 'shop');
    const home = path.join(place.folder, 'home');
    const payloads = path.join(place.folder, 'payloads');
    for (const folder of [inside('src'), inside('.gemini'), path.join(home, '.gemini')])
      await mkdir(folder, { recursive: true });
    await writeFile(inside('src', 'a.js'), 'one\n');
    const prompt = 'Change src as a subagent.';
    ofSubagent = changes;
    steps = [...changes(), { name: 'invoke_agent', input: { agent_name: 'generalist', prompt } }];
    model = await startScriptedGemini(next);
    const bins = [path.dirname(program), path.dirname(process.execPath), '/usr/bin', '/bin'];
    env = {
      PATH: bins.join(path.delimiter),
      HOME: home,
      GEMINI_API_KEY: 'none',
      GOOGLE_GEMINI_BASE_URL: model.url,
    };
    const settings = { security: { auth: { selectedType: 'gemini-api-key' } } };
    await writeFile(path.join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    keeper = await keepPayloads(inside('.gemini', 'settings.json'), payloads, 'gemini-cli', {
      [workspace]: '/home/dev/shop',
      [home]: '/home/dev',
    });
    const file = inside('.gemini', 'settings.json');
    const files = {
      command: process.execPath,
      args: [path.join(import.meta.dirname, '..', 'support', 'filesServer.mjs')],
    };
    const mine = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...mine, mcpServers: { files } }));
    const where = { workspace, env };
    const asked = await holdpoint(
      where,
      ...['question', 'create', '--text', 'May I change src?', '--type', 'decision', '--holds', 'src/**'],
    );
    assert.equal(asked.code, 0, asked.err);
    const setup = await holdpoint(where, 'setup', '--host', 'gemini-cli');
    assert.equal(setup.code, 0, setup.err);
  });
  after(async () => {
    await model?.close();
    await (place as TemporaryFolder | undefined)?.remove();
  });

  it('runs no hook in an untrusted folder, which the check reports', async () => {
    await gemini('--yolo', '--skip-trust');
    assert.match(await readFile(inside('src', 'a.js'), 'utf8'), /two\nx\n/, output);
    await writeFile(inside('src', 'a.js'), 'one\n');
    const check = await holdpoint(
      { workspace, env: { ...env, PATH: '/usr/bin:/bin' } },
      'setup',
      '--check',
      '--host',
      'gemini-cli',
    );
    assert.match(check.out, /^Gemini CLI: advisory\n.*only after you trust that folder/);
  });

  it('is denied each way to change a held file, in a subagent too, and may read and ask', async () => {
    const trusted = path.join(env['HOME'] ?? '', '.gemini', 'trustedFolders.json');
    await writeFile(trusted, JSON.stringify({ [workspace]: 'TRUST_FOLDER' }));
    await gemini('--yolo');
    for (const said of [results, inSubagent]) {
      assert.match(said[0] ?? '', /one/, output);
      for (const index of [1, 2, 3, 4]) assert.match(said[index] ?? '', denied, `step ${String(index)}: ${output}`);
      assert.match(said[5] ?? '', /a\.js/);
      assert.match(said[6] ?? '', /Denied: src\/a\.js is held by Q-1/);
    }
    assert.equal(await readFile(inside('src', 'a.js'), 'utf8'), 'one\n');
    assert.match(context, /Waiting for a Human[^]*Q-1/, 'the briefing');
  });

  it('may call the tool of the other server after the answer', async () => {
    await answer('Q-1');
    steps = [{ name: 'mcp_files_write', input: { path: inside('src', 'a.js') } }];
    await gemini('--yolo');
    assert.equal(await readFile(inside('src', 'a.js'), 'utf8'), 'one\nby the server\n', output);
  });

  it('sends hooks what the fixtures were recorded from', async () => {
    const tools = ['read_file', 'replace', 'write_file', 'run_shell_command', 'mcp_files_write', 'invoke_agent'];
    await keeper.compare('gemini-cli', [
      ...['SessionStart', 'BeforeAgent', 'AfterAgent', 'SessionEnd'],
      ...tools.map((tool) => `BeforeTool ${tool}`),
    ]);
  });

  it('is held by its own question, in a subagent too, until a human has answered it', async () => {
    const ask = { text: 'Shall I go on?', type: 'decision', wait_seconds: 0 };
    const file = inside('free.js');
    const edits = [
      { name: 'write_file', input: { file_path: file, content: 'x' } },
      { name: 'run_shell_command', input: { command: 'echo x > free.js', description: 'x' } },
      { name: 'mcp_files_write', input: { path: file } },
    ];
    ofSubagent = () => edits;
    const subagent = { name: 'invoke_agent', input: { agent_name: 'generalist', prompt: 'Change it as a subagent.' } };
    steps = [{ name: 'mcp_holdpoint_holdpoint_raise_question', input: ask }, ...edits, subagent];
    await gemini('--yolo');
    assert.match(results[0] ?? '', /Q-2/, output);
    for (const said of [results.slice(1, 4), inSubagent.slice(0, 3)])
      for (const index of [0, 1, 2]) assert.match(said[index] ?? '', ownDenied, `step ${String(index)}: ${output}`);
    await assert.rejects(readFile(file), { code: 'ENOENT' });
    await answer('Q-2');
    steps = edits.slice(0, 1);
    await gemini('--yolo');
    assert.equal(await readFile(file, 'utf8'), 'x', output);
  });

  it('is stopped by the canary, and found out where its settings turn hooks off', async () => {
    const where = { workspace, env };
    const check = () => holdpoint(where, 'setup', '--check', '--host', 'gemini-cli');
    const enforced = await check();
    assert.equal(enforced.code, 0, enforced.out + enforced.err);
    assert.match(enforced.out, /^Gemini CLI: enforced\n/);
    const user = path.join(env['HOME'] ?? '', '.gemini', 'settings.json');
    for (const hooksConfig of [{ enabled: false }, { disabled: ['holdpoint'] }]) {
      await writeFile(user, JSON.stringify({ hooksConfig }));
      const broken = await check();
      assert.equal(broken.code, 1);
      assert.match(broken.out, /^Gemini CLI: broken\n.*turns hooks off/m);
    }
  });
});
