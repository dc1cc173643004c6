/**
 * The folder of the npm package as a plugin, installed from a local marketplace by the real Claude Code, Copilot CLI and
 * Codex, with a scripted model. Where its hooks run, a command that changes a held file is denied.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeNpmPackage } from '../../scripts/lib/npmPackage.ts';
import { hosts } from '../../src/hosts/hosts.ts';
import { holdpoint } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import { run, start } from '../support/processes.ts';
import { resumables } from '../support/resumable.ts';
import { temporaryFolder } from '../support/temporary.ts';

const tools = {
  'claude-code': 'mcp__plugin_holdpoint_holdpoint__holdpoint_list_items',
  'copilot-cli': 'holdpoint-holdpoint_list_items',
  codex: 'mcp__holdpoint__holdpoint_list_items',
} as const;

describe('The plugin', () => {
  const left: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const end of left.splice(0).reverse()) await end();
  });

  for (const host of ['claude-code', 'copilot-cli', 'codex'] as const)
    it(`is installed by ${hosts[host].title}, and stops as much as the table of hosts says`, async function () {
      const { find, model: scripted, prepare, env: more, args, always = [], shell } = resumables[host];
      const found = await find();
      if ('missing' in found || process.platform !== 'linux') {
        console.log(`    ${'missing' in found ? found.missing : 'needs Linux'}: skipped`);
        this.skip();
      }
      const place = await temporaryFolder();
      left.push(() => place.remove());
      const [folder, home, plugin] = ['shop', 'home', 'plugin'].map((name) => path.join(place.folder, name)) as [
        string,
        string,
        string,
      ];
      for (const made of [folder, home]) await mkdir(made);
      await run('git', ['init', '-q'], { cwd: folder });
      await writeFile(path.join(folder, 'held.txt'), 'one\n');
      await writeNpmPackage(root, plugin);
      const bins = [path.dirname(process.execPath), '/usr/bin', '/bin'];
      const base = { PATH: bins.join(path.delimiter), HOME: home, TERM: 'xterm-256color' };
      const question = ['question', 'create', '--text', 'May I?', '--type', 'decision', '--holds', 'held.txt'];
      const asked = await holdpoint(
        { workspace: folder, env: { ...base, HOLDPOINT_AGENT_ID: 'other-001' } },
        ...question,
      );
      assert.equal(asked.code, 0, asked.err);
      const model = await scripted([shell('rm held.txt'), { name: tools[host], input: {} }]);
      left.push(() => model.close());
      const env = { ...base, ...more(model.url) };
      await prepare(home, folder, model.url);
      await run(found.program, ['plugin', 'marketplace', 'add', plugin], { cwd: folder, env });
      await run(found.program, ['plugin', host === 'codex' ? 'add' : 'install', 'holdpoint@holdpoint'], {
        cwd: folder,
        env,
      });
      const ran = start(found.program, [...always, ...args('Do it.')], { cwd: folder, env });
      left.push(() => ran.stop());
      await ran.exited;
      const results = model.results().join('\n');
      const isDenied = results.includes('held.txt is held by Q-1');
      const enforces = hosts[host].levels[0]?.plugin === 'enforces';
      assert.equal(isDenied, enforces, results);
      assert.equal(existsSync(path.join(folder, 'held.txt')), enforces);
      assert.equal(results.includes('May I?'), enforces, `the tool of the plugin: ${ran.output()}`);
    });
});
