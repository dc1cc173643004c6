/** The real Copilot agent of VS Code's Agent Host, with a scripted model and the hooks that `holdpoint setup` writes. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findCopilotSdk, promptCopilot } from '../support/copilotSdk.ts';
import { foreignCalls, foreignMcp } from '../support/foreignMcp.ts';
import { holdpoint } from '../support/holdpoint.ts';
import {
  startScriptedModel,
  textOf,
  type ModelRequest,
  type ModelTurn,
  type ScriptedModel,
} from '../support/scriptedModel.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';

const denied = /Denied by preToolUse hook: Denied: .*Q-1 .*May I change src\?/;

for (const hosts of [['vscode'], ['copilot-cli'], ['vscode', 'copilot-cli']] as const)
  describe(`The real Copilot agent of the Agent Host, set up for ${hosts.join(' and ')}`, () => {
    let place: TemporaryFolder;
    let workspace = '';
    let model: ScriptedModel | undefined;
    let results: readonly string[] = [];
    let inSubagent: readonly string[] = [];

    const inside = (...names: string[]) => path.join(workspace, ...names);

    function changes(): readonly { readonly name: string; readonly input: object }[] {
      const file = inside('src', 'a.js');
      return [
        { name: 'view', input: { path: file } },
        { name: 'edit', input: { path: file, old_str: 'one', new_str: 'two' } },
        { name: 'create', input: { path: inside('src', 'b.js'), file_text: 'x' } },
        { name: 'bash', input: { command: 'echo x >> src/a.js', description: 'x' } },
        { name: 'notes-put_note', input: { path: file, text: 'noted' } },
        { name: 'bash', input: { command: 'ls src', description: 'x' } },
        { name: 'notes-put_note', input: { path: inside('free.txt'), text: 'noted' } },
      ];
    }

    /** Nothing says that this script changes a held file. */
    const script = { name: 'bash', input: { command: './tidy.sh', description: 'x' } };
    let requests: readonly string[] = [];

    function steps(isSubagent: boolean): readonly { readonly name: string; readonly input: object }[] {
      const prompt = 'Change src as a subagent.';
      const task = { agent_type: 'general-purpose', name: 'sub', description: 'x', prompt, mode: 'sync' };
      return isSubagent ? changes() : [...changes(), { name: 'task', input: task }, script, script];
    }

    function next({ messages }: ModelRequest): ModelTurn {
      const said = messages.filter(({ role }) => role === 'tool').map(textOf);
      const isSubagent = messages.some((one) => one.role === 'user' && textOf(one).includes('as a subagent'));
      if (isSubagent) inSubagent = said;
      else results = said;
      if (!isSubagent) requests = [...requests, JSON.stringify(messages)];
      const step = steps(isSubagent)[said.length];
      return step ? { call: [step] } : { say: 'Done.' };
    }

    before(async function () {
      const found = await findCopilotSdk();
      if ('missing' in found || process.platform === 'win32') {
        console.log(`    ${'missing' in found ? found.missing : 'Windows'}: skipped`);
        this.skip();
      }
      place = await temporaryFolder();
      workspace = path.join(place.folder, 'shop');
      const home = path.join(place.folder, 'home');
      for (const folder of [inside('src'), home]) await mkdir(folder, { recursive: true });
      await writeFile(inside('src', 'a.js'), 'one\n');
      await writeFile(inside('tidy.sh'), '#!/bin/sh\nsleep 1\necho two > src/a.js\n', { mode: 0o755 });
      const env = { PATH: [path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter), HOME: home };
      const where = { workspace, env };
      const asked = await holdpoint(
        { workspace, env: { ...env, HOLDPOINT_AGENT_ID: 'other-001' } },
        ...['question', 'create', '--text', 'May I change src?', '--type', 'decision', '--holds', 'src/**'],
      );
      assert.equal(asked.code, 0, asked.err);
      const setup = await holdpoint(where, 'setup', ...hosts.flatMap((host) => ['--host', host]));
      assert.equal(setup.code, 0, setup.err);
      model = await startScriptedModel(next);
      const notes = { type: 'local', ...foreignMcp(path.join(place.folder, 'calls')), tools: ['*'] };
      await promptCopilot({
        program: found.program,
        folder: workspace,
        env,
        baseUrl: model.url.replace('/chat/completions', ''),
        mcpServers: { notes },
        prompt: 'Change src.',
      });
    });
    after(async () => {
      await model?.close();
      await (place as TemporaryFolder | undefined)?.remove();
    });

    it('is denied each way to change a held file, in a subagent too, and may read', () => {
      for (const said of [results, inSubagent]) {
        assert.match(said[0] ?? '', /one/);
        for (const index of [1, 2, 3, 4]) assert.match(said[index] ?? '', denied, `step ${String(index)}`);
        assert.match(said[5] ?? '', /a\.js/);
      }
      assert.ok(!existsSync(inside('src', 'b.js')));
    });

    it('may call another MCP server about a free file, in a subagent too, and no denied call reaches the server', () => {
      for (const said of [results, inSubagent]) assert.match(said[6] ?? '', /noted/);
      const call = { tool: 'put_note', input: { path: inside('free.txt'), text: 'noted' } };
      assert.deepEqual(foreignCalls(path.join(place.folder, 'calls')), [call, call]);
    });

    it('reads after the call, and once more before it stops, that a script changed a held file', async () => {
      assert.equal(await readFile(inside('src', 'a.js'), 'utf8'), 'two\n');
      const told = /src\/a\.js is held by Q-1 and was changed by `\.\/tidy\.sh`\. Restore it: holdpoint restore/g;
      const counts = requests.slice(changes().length + 1).map((one) => one.match(told)?.length ?? 0);
      // Not again after the second call, and once more instead of the stop.
      assert.deepEqual(counts, [0, 1, 1, 2]);
    });
  });
