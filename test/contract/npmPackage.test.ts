/** The package for npm, installed as a user installs it: one command sets up each host, and its hook denies. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writeNpmPackage } from '../../scripts/lib/npmPackage.ts';
import { hostNames } from '../../src/core/kit/limits.ts';
import { hosts } from '../../src/hosts/hosts.ts';
import { canarySession } from '../../src/hosts/host.ts';
import { root } from '../support/host.ts';
import { onPath } from '../support/machine.ts';
import { removal } from '../support/temporary.ts';

describe('the package for npm', function () {
  this.timeout(240_000);
  let base = '';
  let env: NodeJS.ProcessEnv = {};
  const npm = onPath('npm') ?? 'npm';
  const inside = (...names: string[]) => path.join(base, ...names);

  before(async () => {
    base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdpoint-npm-')));
    for (const name of ['empty', 'home']) fs.mkdirSync(inside(name));
    env = {
      PATH: process.env['PATH'],
      HOME: inside('home'),
      USERPROFILE: inside('home'),
      LOCALAPPDATA: inside('home'),
    };
    await writeNpmPackage(root, inside('package'));
    const packed = execFileSync(npm, ['pack', '--silent', '--pack-destination', base], { cwd: inside('package'), env });
    const file = inside(packed.toString().trim());
    execFileSync(npm, ['install', '--silent', '--offline', '--prefix', inside('empty'), file], { env });
  });
  after(() => {
    fs.rmSync(base, removal);
  });

  for (const host of hostNames)
    it(`sets up ${hosts[host].title} with one command`, () => {
      const folder = inside(host);
      fs.mkdirSync(folder);
      execFileSync('git', ['init', '-q', folder], { env });
      const bin = inside('empty', 'node_modules', 'holdpoint', 'dist', 'cli.cjs');
      // npm itself takes some seconds.
      const npx = [npm, 'exec', '--offline', '--no', '--prefix', inside('empty'), '--', 'holdpoint'] as const;
      const [program, ...before] = host === 'claude-code' ? npx : [process.execPath, bin];
      const run = (...args: string[]) =>
        spawnSync(program, [...before, ...args], {
          ...{ cwd: folder, encoding: 'utf8' },
          env: { ...env, HOLDPOINT_AGENT_ID: 'other-001' },
        });
      const done = run('--workspace', folder, 'setup', '--host', host);
      assert.equal(done.status, 0, done.stderr);
      assert.match(done.stdout, new RegExp(hosts[host].title));
      const asked = run('--workspace', folder, 'question', 'create', '--text', 'May I?', '--holds', 'held.txt');
      assert.equal(asked.status, 0, asked.stderr);
      const { edit } = hosts[host].setup.canary('held.txt');
      const { call } = hosts[host].setup;
      const payload = call?.(edit, folder) ?? {
        ...{ hook_event_name: 'PreToolUse', session_id: canarySession, cwd: folder },
        ...{ tool_name: edit[0], tool_input: edit[1] },
      };
      const launcher = execFileSync('find', [inside('home'), '-name', 'holdpoint', '-path', '*bin*'], {
        encoding: 'utf8',
      });
      const hook = spawnSync(launcher.trim(), ['hook', host, '--workspace', folder], {
        ...{ input: JSON.stringify(payload), encoding: 'utf8', env },
      });
      assert.match(hook.stdout + hook.stderr, /held\.txt is held by Q-1/);
    });
});
