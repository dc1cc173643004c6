/** The real Qwen Code with a scripted model: an edit, a command and an MCP tool are denied while a question holds a file. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { foreignCalls, foreignMcp } from '../support/foreignMcp.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { findNpmHost } from '../support/npmHost.ts';
import { run, start } from '../support/processes.ts';
import { resumables } from '../support/resumable.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('Qwen Code is denied each way to change a held file, and no other', async function () {
  const program = path.join('@qwen-code', 'qwen-code', 'cli.js');
  const found = await findNpmHost({
    name: 'qwen-code',
    version: '0.24.4',
    packages: ['@qwen-code/qwen-code'],
    program,
  });
  if ('missing' in found || process.platform !== 'linux') {
    console.log(`    ${'missing' in found ? found.missing : 'needs Linux'}: skipped`);
    this.skip();
  }
  const place = await temporaryFolder();
  const inside = (...names: string[]) => path.join(place.folder, ...names);
  try {
    for (const name of ['shop', 'home', 'shop/.qwen']) await mkdir(inside(name));
    await run('git', ['init', '-q'], { cwd: inside('shop') });
    const [held, free, log] = [inside('shop', 'held.txt'), inside('shop', 'free.txt'), inside('foreign.log')];
    for (const file of [held, free]) await writeFile(file, 'one\n');
    const settings = { mcpServers: { foreign: foreignMcp(log) } };
    await writeFile(inside('shop', '.qwen', 'settings.json'), JSON.stringify(settings));
    const base = {
      PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: inside('home'),
      TERM: 'xterm-256color',
    };
    const where = { workspace: inside('shop'), env: { ...base, HOLDPOINT_AGENT_ID: 'other-001' } };
    const question = ['question', 'create', '--text', 'May I?', '--type', 'decision', '--holds', 'held.txt'];
    for (const verb of [question, ['setup', '--host', 'qwen-code']])
      assert.equal((await holdpoint(where, ...verb)).code, 0);
    const tries = [held, free].flatMap((file) => [
      { name: 'edit', input: { file_path: file, old_string: 'one', new_string: 'two' } },
      { name: 'run_shell_command', input: { command: `echo x >> ${file}`, description: 'x', is_background: false } },
      { name: 'mcp__foreign__put_note', input: { path: file, text: 'x' } },
    ]);
    // It reads a file before it edits it.
    const model = await resumables.opencode.model([{ name: 'read_file', input: { file_path: free } }, ...tries]);
    const env = { ...base, OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'scripted-1' };
    const args = [found.program, '--auth-type', 'openai', '--yolo', '-p', 'Do it.'];
    const ran = start(process.execPath, args, { cwd: inside('shop'), env });
    await ran.exited;
    await model.close();
    const results = model.results();
    assert.equal(results.filter((text) => text.includes('held.txt is held by Q-1')).length, 3, results.join('\n'));
    assert.equal(await readFile(held, 'utf8'), 'one\n');
    // The MCP tool wrote last.
    assert.equal(await readFile(free, 'utf8'), 'x', ran.output());
    assert.deepEqual(JSON.stringify(foreignCalls(log)).match(/\w+\.txt/g), ['free.txt']);
  } finally {
    await place.remove();
  }
});
