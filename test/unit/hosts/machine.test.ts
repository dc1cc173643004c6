/** Tests an administrator's rules on a folder that stands for the root of the file system, owned by the user who runs this. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { hosts } from '../../../src/hosts/hosts.ts';
import { applySetup } from '../../../src/hosts/setup/plan.ts';
import {
  machineHosts,
  machineLauncherPath,
  onDisk,
  placesOf,
  windowsMachineLauncher,
  type Machine,
} from '../../../src/hosts/setup/machine.ts';
import {
  lookAtMachine,
  machineVersion,
  changeableBy,
  closedFolder,
  closeFolders,
  foldersOf,
  triedToChange,
} from '../../../src/hosts/setup/machineCheck.ts';
import { machineCommand } from '../../../src/hosts/setup/hostFiles.ts';
import {
  machineMemory,
  planMachine,
  type MachineChange,
  type MachinePrograms,
} from '../../../src/hosts/setup/machinePlan.ts';
import { settingsReader, withRules } from '../../../src/hosts/setup/check.ts';
import { findingWords } from '../../../src/hosts/setup/findings.ts';
import { treeOf } from '../../support/tree.ts';

interface Desk {
  readonly machine: Machine;
  readonly programs: MachinePrograms;
  read(file: string): string;
  write(file: string, text: string, mode?: number): void;
  run(change: Partial<MachineChange>): number;
}

const bases: string[] = [];
const keysFile = '/etc/holdpoint/keys.json';
const none = { add: [], remove: [] };

function makeDesk(platform: NodeJS.Platform = 'linux', version = '1.0.0'): Desk {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'holdpoint-machine-')));
  bases.push(base);
  const [root, bundles] = [path.join(base, 'root'), path.join(base, 'dist')];
  for (const folder of [root, bundles, path.join(root, 'etc')]) fs.mkdirSync(folder, { mode: 0o755 });
  for (const name of ['hook.cjs', 'chunk-A.cjs', 'sql-wasm.wasm.br'])
    fs.writeFileSync(path.join(bundles, name), `// ${name} ${version}\n`);
  const machine = { platform, root, owner: process.getuid?.() ?? 0 };
  const programs = { version, bundles, node: process.execPath, electron: false };
  return {
    machine,
    programs,
    read: (file) => fs.readFileSync(onDisk(machine, file), 'utf8'),
    write(file, text, mode = 0o644) {
      const place = onDisk(machine, file);
      fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o755 });
      fs.writeFileSync(place, text, { mode });
      fs.chmodSync(place, mode);
    },
    run(change) {
      const changes = planMachine(machine, programs, keysFile, { ...none, ...change });
      fs.mkdirSync(machineMemory(machine).userFolder, { recursive: true });
      applySetup(machineMemory(machine), changes);
      return changes.length;
    },
  };
}

const all = { add: machineHosts };
const gone = { remove: machineHosts };

before(function () {
  // Folders on Windows have other permissions, and other paths.
  if (process.platform === 'win32') this.skip();
});
afterEach(() => {
  for (const base of bases.splice(0)) fs.rmSync(base, { recursive: true, force: true });
});

describe('rules for the whole machine', () => {
  it('are written whole, reported as such, and written once', () => {
    const { machine, run } = makeDesk();
    assert.ok(run(all) > 6);
    for (const host of machineHosts) assert.equal(lookAtMachine(machine, host).verdict, 'enforced', host);
    assert.equal(machineVersion(machine), '1.0.0');
    const before = treeOf(machine.root);
    assert.equal(run(all), 0);
    assert.deepEqual(treeOf(machine.root), before);
  });

  it('of Codex that turn hooks off are seen, whichever file of the machine has them', () => {
    const { machine, write } = makeDesk();
    const nowhere = path.join(machine.root, 'nowhere');
    const reader = settingsReader({ workspace: nowhere, home: nowhere, env: {}, platform: 'linux' }, machine, 'codex');
    const disabledIn = () => hosts.codex.setup.disabledIn?.(reader) ?? null;
    assert.equal(disabledIn(), null);
    for (const name of ['config.toml', 'requirements.toml'])
      for (const key of ['hooks', 'codex_hooks']) {
        write(`/etc/codex/${name}`, `[features]\n${key} = false\n`);
        assert.equal(disabledIn(), onDisk(machine, `/etc/codex/${name}`));
        write(`/etc/codex/${name}`, `[features]\n${key} = true\n`);
        assert.equal(disabledIn(), null);
      }
  });

  it('do not stop Claude Code where the administrator turns all hooks off', () => {
    const { machine, run, read, write } = makeDesk();
    run({ add: ['claude-code'] });
    assert.equal(lookAtMachine(machine, 'claude-code').verdict, 'enforced');
    const file = placesOf(machine)['claude-code'];
    write(file, read(file).replace('{', '{\n  "disableAllHooks": true,'));
    const { verdict, findings } = lookAtMachine(machine, 'claude-code');
    assert.equal(verdict, 'broken');
    assert.deepEqual(findings, [{ code: 'disabled', about: onDisk(machine, file) }]);
    assert.match(findings.map(findingWords).join(), /managed-settings\.json turns hooks off\./);
  });

  it('keep what an administrator has there, and give it back byte for byte', () => {
    const { machine, run, write, read } = makeDesk();
    const settings =
      '{\n\t"permissions": { "deny": ["WebFetch"] },\n\t"env": { "HTTP_PROXY": "http://proxy", "LD_LIBRARY_PATH": "/cuda" }\n}\n';
    const requirements = 'allowed_sandbox_modes = ["read-only"]\n\n[rules]\nprefix_rules = []\n';
    write(placesOf(machine)['claude-code'], settings);
    write(placesOf(machine).codex, requirements);
    run({ ...all, keys: '{"v":1,"keys":[]}\n' });
    const merged = JSON.parse(read(placesOf(machine)['claude-code'])) as Record<string, Record<string, unknown>>;
    assert.deepEqual(merged['permissions'], { deny: ['WebFetch'] });
    assert.deepEqual([merged['env']?.['HTTP_PROXY'], merged['env']?.['LD_LIBRARY_PATH']], ['http://proxy', '']);
    assert.equal(merged['allowManagedHooksOnly'], true);
    const toml = parseToml(read(placesOf(machine).codex)) as Record<string, Record<string, unknown>>;
    assert.deepEqual(toml['allowed_sandbox_modes'], ['read-only']);
    assert.equal(toml['features']?.['hooks'], true);
    assert.equal(toml['allow_managed_hooks_only'], true);
    run(gone);
    assert.equal(read(placesOf(machine)['claude-code']), settings);
    assert.equal(read(placesOf(machine).codex), requirements);
    assert.equal(fs.existsSync(onDisk(machine, keysFile)), false);
    assert.equal(fs.existsSync(onDisk(machine, machineLauncherPath(machine))), false);
  });

  it('of one host are removed alone: programs and keys stay for the others', () => {
    const { machine, run, read } = makeDesk();
    run({ ...all, keys: '{"v":1,"keys":[]}\n' });
    run({ remove: ['codex'] });
    assert.deepEqual(
      machineHosts.map((host) => lookAtMachine(machine, host).verdict),
      ['enforced', 'none', 'enforced', 'enforced'],
    );
    assert.match(read(keysFile), /"keys"/);
  });

  it('of another version replace the programs, and the launcher names the new ones', () => {
    const first = makeDesk();
    first.run(all);
    const next = { ...first.programs, version: '1.1.0' };
    const changes = planMachine(first.machine, next, keysFile, { ...none, ...all });
    applySetup(machineMemory(first.machine), changes);
    assert.equal(machineVersion(first.machine), '1.1.0');
    assert.deepEqual(fs.readdirSync(onDisk(first.machine, '/opt/holdpoint/versions')), ['1.1.0']);
  });

  it('are not written where others could change them', () => {
    const { machine, run } = makeDesk();
    fs.chmodSync(onDisk(machine, '/etc'), 0o777);
    assert.throws(() => run(all), /\/etc is not the administrator's alone.*nothing was written/);
    assert.deepEqual(fs.readdirSync(onDisk(machine, '/etc')), []);
  });

  it('are not written into requirements that have hooks of their own', () => {
    const { machine, run, write } = makeDesk();
    write(placesOf(machine).codex, '[hooks]\nmanaged_dir = "/opt/x"\n');
    assert.throws(
      () => run({ add: ['codex'] }),
      /leave no room for Holdpoint's.*there by hand: allow_managed_hooks_only = true; .*Nothing was written/,
    );
  });

  it('that anything else changed are broken', () => {
    const ways: readonly [string, (desk: Desk) => void][] = [
      [
        'machineEdited',
        (desk) => {
          const file = placesOf(desk.machine)['claude-code'];
          desk.write(file, desk.read(file).replace('"allowManagedHooksOnly": true', '"allowManagedHooksOnly": false'));
        },
      ],
      [
        'machineEdited',
        (desk) => {
          const file = placesOf(desk.machine)['claude-code'];
          desk.write(file, `// a comment\n${desk.read(file)}`);
        },
      ],
      ['machineUnreadable', (desk) => desk.write(placesOf(desk.machine)['claude-code'], '"holdpoint" {')],
      [
        'machineLauncher',
        (desk) => {
          const file = machineLauncherPath(desk.machine);
          desk.write(file, desk.read(file).replace('exit 2', 'exit 0'), 0o755);
        },
      ],
      ['machineChangeable', (desk) => fs.chmodSync(onDisk(desk.machine, placesOf(desk.machine)['claude-code']), 0o666)],
      [
        'machineChangeable',
        (desk) => fs.chmodSync(onDisk(desk.machine, '/opt/holdpoint/versions/1.0.0/chunk-A.cjs'), 0o666),
      ],
    ];
    for (const [code, change] of ways) {
      const desk = makeDesk();
      desk.run(all);
      change(desk);
      const { verdict, findings } = lookAtMachine(desk.machine, 'claude-code');
      if (code === 'machineUnreadable') assert.equal(verdict, 'none', 'nothing in it is ours');
      else assert.deepEqual([verdict, findings[0]?.code], ['broken', code]);
    }
  });

  it('deny whatever the programs do but say yes', function () {
    this.timeout(60_000);
    const { machine, programs, run } = makeDesk();
    const outcome = (source: string, ...args: string[]) => {
      fs.writeFileSync(path.join(programs.bundles, 'hook.cjs'), source);
      run(all);
      const launcher = fs.readFileSync(onDisk(machine, machineLauncherPath(machine)), 'utf8');
      const here = path.join(machine.root, 'launcher.sh');
      fs.writeFileSync(here, launcher.replaceAll('/opt/', `${machine.root}/opt/`), { mode: 0o755 });
      return spawnSync(here, ['hook', ...args], { encoding: 'utf8', input: '{}' });
    };
    assert.equal(outcome('process.exit(0)', 'codex').status, 0);
    const said = outcome('console.log(process.argv.slice(2).join(" "))', 'codex').stdout;
    assert.match(said, /^--watched \d+ \d+ codex --machine\n$/);
    for (const source of ['process.exit(1)', 'process.exit(2)', 'throw new Error("x")', 'process.abort()', 'for (;;);'])
      assert.equal(outcome(source, 'codex').status, 2, source);
    assert.equal(outcome('process.exit(1)', 'claude-code', '--context').status, 0, 'context stops no call');
  });

  it('are started without a shell where the host can, and by cmd on Windows', () => {
    const { machine } = makeDesk('win32');
    assert.deepEqual(machineCommand(machine, 'claude-code', { denying: true }), {
      command: 'C:\\Windows\\System32\\cmd.exe',
      args: ['/d', '/c', 'C:\\Program Files\\Holdpoint\\bin\\holdpoint.cmd', 'hook', 'claude-code'],
    });
    const script = windowsMachineLauncher({ node: 'C:\\node.exe', electron: true, programs: 'C:\\p' });
    assert.match(script, /^set "NODE_OPTIONS="\r$/m);
    assert.match(script, /^set "ERRORLEVEL="\r$/m);
    assert.match(
      script,
      /^set "PATH=C:\\Windows\\System32;C:\\Windows"\r$/m,
      'no variable of the host leads elsewhere',
    );
    assert.match(script, /^"C:\\node\.exe" "C:\\p\\hook\.cjs" %2 %3 --machine\r$/m);
    assert.match(script, /exit \/b 2\r\nrem whole\r\n$/);
  });

  it('are where each system has them', () => {
    const desk = (platform: NodeJS.Platform) => placesOf({ platform, root: '', owner: 0 });
    assert.equal(desk('linux')['claude-code'], '/etc/claude-code/managed-settings.json');
    assert.equal(desk('darwin')['claude-code'], '/Library/Application Support/ClaudeCode/managed-settings.json');
    assert.equal(desk('win32')['claude-code'], 'C:\\Program Files\\ClaudeCode\\managed-settings.json');
    for (const platform of ['darwin', 'win32'] as const) {
      const { machine, run } = makeDesk(platform);
      run(all);
      for (const host of machineHosts)
        assert.equal(lookAtMachine(machine, host).verdict, 'enforced', `${platform} ${host}`);
      run(gone);
      assert.equal(fs.existsSync(onDisk(machine, placesOf(machine)['claude-code'])), false);
    }
  });

  it('are in folders on Windows that only administrators and the system can change', () => {
    assert.deepEqual(closedFolder('C:\\ProgramData\\OpenAI').slice(0, 2), [
      'C:\\ProgramData\\OpenAI',
      '/inheritance:r',
    ]);
    assert.ok(closedFolder('x').includes('*S-1-5-32-545:(OI)(CI)RX'));
  });

  const policy = 'C:\\ProgramData\\OpenAI\\Codex\\requirements.toml';

  it('are in folders on Windows that belong to administrators, also where another user had created them', () => {
    assert.deepEqual(foldersOf([policy, 'C:\\Program Files\\ClaudeCode\\a.json', 'D:\\x\\y.json']), [
      'C:\\ProgramData\\OpenAI',
      'C:\\ProgramData\\OpenAI\\Codex',
      'C:\\Program Files\\ClaudeCode',
      'D:\\x',
    ]);
    const ran: string[] = [];
    closeFolders([policy], (program, [first, second, third]) => {
      ran.push([program.split('\\').at(-1), first, second, third].join(' '));
      return { status: 0, stderr: '' };
    });
    assert.deepEqual(ran, [
      'takeown.exe /F C:\\ProgramData\\OpenAI /A',
      'icacls.exe C:\\ProgramData\\OpenAI /inheritance:r /grant:r',
      'takeown.exe /F C:\\ProgramData\\OpenAI\\Codex /A',
      'icacls.exe C:\\ProgramData\\OpenAI\\Codex /inheritance:r /grant:r',
    ]);
  });

  for (const failing of ['takeown.exe', 'icacls.exe'])
    it(`are not written on Windows where ${failing} fails: the folder stays another user’s`, () => {
      const run = (program: string) => ({ status: program.endsWith(failing) ? 1 : 0, stderr: 'Access is denied.' });
      assert.throws(() => {
        closeFolders([policy], run);
      }, /C:\\ProgramData\\OpenAI cannot be made the administrators’: Access is denied/);
    });

  it('are tried: a file that this user can change is named', () => {
    const { machine } = makeDesk();
    const file = path.join(machine.root, 'file');
    fs.writeFileSync(file, 'x');
    for (const platform of ['linux', 'win32'] as const) assert.equal(triedToChange({ platform }, file), file);
    assert.equal(fs.readFileSync(file, 'utf8'), 'x');
  });

  it('are tried on Windows by adding a file to their folders, whatever the system says of the folder', () => {
    const { machine } = makeDesk();
    const folder = path.join(machine.root, 'programs');
    fs.mkdirSync(folder);
    assert.equal(triedToChange({ platform: 'win32' }, path.join(folder, 'missing')), folder);
    assert.deepEqual(fs.readdirSync(folder), []);
    assert.equal(triedToChange({ platform: 'win32' }, '/proc/missing'), null, 'no file can be added there');
  });

  it('are not safe behind a link in a folder that others can change', () => {
    const { machine } = makeDesk();
    const [shared, safe] = ['shared', 'safe'].map((name) => path.join(machine.root, name)) as [string, string];
    for (const folder of [shared, safe]) fs.mkdirSync(folder, { mode: 0o755 });
    fs.writeFileSync(path.join(safe, 'node'), '', { mode: 0o755 });
    fs.symlinkSync(path.join(safe, 'node'), path.join(shared, 'node'));
    const link = path.join(safe, 'link');
    fs.symlinkSync('../shared/node', link);
    assert.equal(changeableBy(machine, link), null);
    fs.chmodSync(shared, 0o777);
    assert.equal(changeableBy(machine, link), shared);
  });

  it('decide over the files of a folder when they work, and add their trouble when they do not', () => {
    const off = { host: 'codex', verdict: 'off', findings: [] } as const;
    const rules = { host: 'codex', findings: [] } as const;
    assert.deepEqual(withRules(off, { ...rules, verdict: 'none' }), off);
    assert.deepEqual(
      withRules({ ...off, findings: [{ code: 'mcpMissing', about: 'f' }] }, { ...rules, verdict: 'enforced' }),
      {
        host: 'codex',
        verdict: 'enforced',
        by: 'administrator',
        findings: [
          { code: 'denied', about: '' },
          { code: 'mcpMissing', about: 'f' },
        ],
      },
    );
    const broken = { ...rules, verdict: 'broken', findings: [{ code: 'machineLauncher', about: 'l' }] } as const;
    assert.deepEqual(withRules(off, broken), { host: 'codex', verdict: 'broken', findings: broken.findings });
  });
});
