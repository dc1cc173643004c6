/** Tests setup in files that already have content, and its removal, on the real file system. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import {
  cmdCommand,
  posixCommand,
  powershellCommand,
  setupNames,
  mcpCommand,
  type SetupName,
  type Place,
} from '../../../src/hosts/setup/place.ts';
import {
  lastLine,
  launcherPath,
  windowsLauncher,
  writeLauncher,
  forgetCompiled,
  launcherTrouble,
  launcherWorks,
} from '../../../src/hosts/setup/launcher.ts';
import { applySetup, planSetup, type SetupChange } from '../../../src/hosts/setup/plan.ts';
import { askGit, askGitNow, gitPlaces } from '../../../src/hosts/setup/git.ts';
import { partsOf } from '../../../src/hosts/setup/hostFiles.ts';
import { opencodePlugin } from '../../../src/hosts/setup/opencodePlugin.ts';
import { uncoveredWorktrees } from '../../../src/hosts/setup/check.ts';
import { setupRows, writeSetup } from '../../../src/ui/setup/model.ts';
import { userFolder } from '../../../src/store/journal/stateFile.ts';
import { runs } from '../../support/runs.ts';
import { treeOf } from '../../support/tree.ts';

interface Desk extends Place {
  readonly base: string;
  write(file: string, content: string | Buffer, mode?: number): void;
  read(file: string): string;
}

const bases: string[] = [];

function makeDesk({ git = true } = {}): Desk {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "holdpoint-it's setup-")));
  bases.push(base);
  const workspace = path.join(base, 'work space');
  const home = path.join(base, 'home');
  for (const folder of [workspace, home]) fs.mkdirSync(folder);
  const env = {
    ...process.env,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: path.join(home, '.gitconfig'),
  };
  if (git) execFileSync('git', ['init', '-q', '--template=', workspace], { env });
  const userFolder = path.join(home, 'state');
  return {
    base,
    workspace,
    home,
    userFolder,
    launcher: launcherPath(userFolder),
    platform: 'linux',
    env,
    write(file, content, mode = 0o644) {
      const absolute = path.join(workspace, file);
      fs.mkdirSync(path.dirname(absolute), { recursive: true });
      fs.writeFileSync(absolute, content, { mode });
    },
    read: (file) => fs.readFileSync(path.join(workspace, file), 'utf8'),
  };
}

function run(desk: Desk, change: SetupChange): number {
  const changes = planSetup({ ...desk, git: askGitNow(desk) }, change);
  applySetup(desk, changes);
  return changes.length;
}

const states = (desk: Desk, name: SetupName) =>
  partsOf(desk, name).map((part) =>
    part.state(fs.existsSync(part.file) ? fs.readFileSync(part.file, 'utf8').replace(/^\uFEFF/, '') : null),
  );

const all = [...setupNames];

afterEach(() => {
  for (const base of bases.splice(0)) fs.rmSync(base, { recursive: true, force: true });
});

it('the other worktrees of a repository are not covered until they are set up too', () => {
  const desk = makeDesk();
  const git = (...args: string[]) => execFileSync('git', ['-C', desk.workspace, ...args], { env: desk.env });
  git('-c', 'user.name=Dev', '-c', 'user.email=dev@example.invalid', 'commit', '-q', '--allow-empty', '-m', 'Start');
  const other = path.join(desk.base, 'other one');
  git('worktree', 'add', '-q', '-b', 'other', other);
  run(desk, { add: ['claude-code', 'codex', 'git'] });
  const checks = (['claude-code', 'codex', 'git'] as const).map((host) => ({
    ...{ host, verdict: 'enforced' as const, findings: [] },
    ...(host === 'codex' ? { by: 'administrator' as const } : {}),
  }));
  const off = { host: 'kiro', verdict: 'off', findings: [] } as const;
  assert.deepEqual(uncoveredWorktrees(desk, [...checks, off]), [{ folder: other, hosts: ['claude-code'] }]);
  run({ ...desk, workspace: other }, { add: ['claude-code'] });
  assert.deepEqual(uncoveredWorktrees(desk, checks), []);
});

describe('setup', function () {
  this.timeout(240_000);

  it('writes what each host needs, reports it, and changes nothing when it runs again', () => {
    const desk = makeDesk();
    assert.ok(run(desk, { add: all }) > 8);
    for (const name of all) assert.deepEqual([...new Set(states(desk, name))], ['ours'], name);
    const before = treeOf(desk.base);
    assert.equal(run(desk, { add: all }), 0);
    assert.deepEqual(treeOf(desk.base), before);
    const seen = execFileSync('git', ['-C', desk.workspace, 'status', '--porcelain', '-uall'], {
      env: desk.env,
      encoding: 'utf8',
    });
    // Every file contains paths of this machine, so git must ignore it.
    assert.equal(seen, '');
  });

  it('restores every file byte for byte when it is removed, whatever the file contained', () => {
    // JSON as people and tools format it.
    const eol = fc.constantFrom('\n', '\r\n');
    const indent = fc.constantFrom('  ', '\t', '    ', '');
    const json = (inner: fc.Arbitrary<unknown>, isStrict = false) =>
      fc
        .tuple(
          inner,
          indent,
          eol,
          fc.boolean(),
          fc.constantFrom('', '\uFEFF'),
          isStrict ? fc.constant('') : fc.constantFrom('', '// mine\n', '/* a */ '),
          isStrict ? fc.constant(false) : fc.boolean(),
        )
        .map(([value, by, end, last, bom, comment, tail]) => {
          const text = JSON.stringify(value, null, by);
          const commented = comment + (tail && by !== '' ? text.replace(/\n/, ' // why\n') : text) + (last ? '\n' : '');
          return bom + commented.replaceAll('\n', end);
        });
    const plain = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    const hook = fc.record({
      matcher: fc.constantFrom('Bash', '*', ''),
      hooks: fc.constant([{ type: 'command', command: 'lint' }]),
    });
    const settings = fc.oneof(
      plain.map((value) => ({ ...value, hooks: undefined })),
      fc.record({
        model: fc.constant('x'),
        hooks: fc.dictionary(fc.constantFrom('PreToolUse', 'Stop', 'PostToolUse'), fc.array(hook, { maxLength: 3 })),
      }),
    );
    const servers = (key: string) =>
      fc.oneof(
        plain.map((value) => ({ ...value, [key]: undefined })),
        fc.record({ [key]: fc.dictionary(fc.constantFrom('a', 'b'), fc.constant({ command: 'x' })), z: fc.integer() }),
      );
    const orNone = (content: fc.Arbitrary<string>) =>
      fc.option(fc.oneof({ weight: 6, arbitrary: content }, fc.constantFrom('', '\n', '  ')), { nil: null });
    const lines = fc.tuple(
      fc
        .array(fc.constantFrom('x = 1', '# a comment', '', '"y" = "z"'), { maxLength: 4 })
        .map((some) => [...new Set(some)]),
      eol,
      fc.boolean(),
    );
    const text = lines.map(([some, end, last]) => some.join(end) + (last ? end : ''));
    const script = fc
      .tuple(
        fc.constantFrom('#!/bin/sh\n', '#!/usr/bin/env bash\n', ''),
        fc.constantFrom('npx lint-staged\n', 'exit 0', ''),
      )
      .map((two) => two.join(''));
    const files = fc.record({
      '.claude/settings.local.json': orNone(json(settings, true)),
      '.mcp.json': orNone(json(servers('mcpServers'))),
      '.github/mcp.json': orNone(json(servers('mcpServers'))),
      '.codex/hooks.json': orNone(json(settings, true)),
      '.codex/config.toml': orNone(text),
      'opencode.json': orNone(json(servers('mcp'))),
      '.gemini/settings.json': orNone(json(settings)),
      '.cursor/hooks.json': orNone(json(settings)),
      '.cursor/mcp.json': orNone(json(servers('mcpServers'))),
      '.windsurf/hooks.json': orNone(json(settings)),
      '.kiro/settings/mcp.json': orNone(json(servers('mcpServers'))),
      '.agents/hooks.json': orNone(json(plain)),
      '.github/hooks/holdpoint.json': orNone(fc.constant('{"hooks":{}}')),
      '.git/info/exclude': orNone(text),
      '.git/hooks/pre-commit': orNone(script),
      '.git/hooks/commit-msg': orNone(script),
    });
    const some = fc.uniqueArray(fc.constantFrom(...all), { minLength: 1 });
    fc.assert(
      fc.property(files, some, some, (contents, first, second) => {
        const made = makeDesk();
        const desk = { ...made, git: askGitNow(made) };
        for (const [file, content] of Object.entries(contents))
          if (content !== null) desk.write(file, content, file.includes('git/hooks') ? 0o755 : 0o644);
        const before = treeOf(desk.workspace);
        run(desk, { add: first });
        run(desk, { add: second });
        for (const name of [...first, ...second]) assert.deepEqual([...new Set(states(desk, name))], ['ours'], name);
        // The previous content is still there.
        for (const [file, content] of Object.entries(contents)) {
          if (
            content === null ||
            !file.endsWith('.json') ||
            file.includes('hooks/') ||
            !fs.existsSync(path.join(desk.workspace, file))
          )
            continue;
          contains(parse(desk.read(file).replace(/^\uFEFF/, '')), parse(content.replace(/^\uFEFF/, '')) ?? {}, file);
        }
        assert.equal(run(desk, { add: [...first, ...second] }), 0);
        run(desk, { remove: second });
        run(desk, { remove: first });
        assert.deepEqual(treeOf(desk.workspace), before);
        assert.equal(fs.readdirSync(path.join(desk.userFolder, 'setup')).length, 0, 'no file remembers the setup');
        fs.rmSync(desk.base, { recursive: true });
      }),
      { numRuns: runs(60) },
    );
  });

  it('removes only its own parts from files that were edited after it', () => {
    const desk = makeDesk();
    desk.write('.claude/settings.local.json', '{\n  "model": "x"\n}\n');
    run(desk, { add: ['claude-code', 'git'] });
    desk.write('.claude/settings.local.json', desk.read('.claude/settings.local.json').replace('"x"', '"y"'));
    desk.write('.git/hooks/pre-commit', `${desk.read('.git/hooks/pre-commit')}echo mine\n`, 0o755);
    run(desk, { remove: ['claude-code', 'git'] });
    assert.equal(desk.read('.claude/settings.local.json'), '{\n  "model": "y"\n}\n');
    assert.equal(desk.read('.git/hooks/pre-commit'), '#!/bin/sh\necho mine\n');
    assert.ok(!fs.existsSync(path.join(desk.workspace, '.mcp.json')));
  });

  it('keeps the user’s hooks in the same list and the same group', () => {
    const desk = makeDesk();
    const mine = { matcher: 'Bash', hooks: [{ type: 'command', command: 'lint' }] };
    desk.write('.claude/settings.local.json', JSON.stringify({ hooks: { PreToolUse: [mine] } }));
    run(desk, { add: ['claude-code'] });
    const { hooks } = JSON.parse(desk.read('.claude/settings.local.json')) as {
      hooks: { PreToolUse: (typeof mine)[] };
    };
    assert.deepEqual(hooks.PreToolUse[0], mine);
    hooks.PreToolUse[1]!.hooks.push({ type: 'command', command: 'mine too' });
    desk.write('.claude/settings.local.json', JSON.stringify({ hooks }));
    assert.ok(states(desk, 'claude-code').includes('edited'));
    run(desk, { remove: ['claude-code'] });
    assert.deepEqual(JSON.parse(desk.read('.claude/settings.local.json')), {
      hooks: { PreToolUse: [mine, { matcher: '*', hooks: [{ type: 'command', command: 'mine too' }] }] },
    });
  });

  it('writes Copilot CLI’s events and commands in the only spelling that works, with no field that takes precedence', () => {
    const desk = makeDesk();
    run(desk, { add: ['copilot-cli'] });
    const { hooks } = JSON.parse(desk.read('.github/hooks/holdpoint-copilot-cli.json')) as {
      hooks: Record<string, object[]>;
    };
    assert.deepEqual(Object.keys(hooks), [
      'preToolUse',
      'sessionStart',
      'userPromptSubmitted',
      'agentStop',
      'postToolUse',
    ]);
    for (const entries of Object.values(hooks))
      assert.deepEqual(entries.map(Object.keys), [['type', 'bash', 'powershell', 'timeoutSec']]);
  });

  it('recognizes an edited hook, and repairs it when it runs again', () => {
    for (const name of setupNames) {
      const desk = makeDesk();
      run(desk, { add: [name] });
      const hook = partsOf(desk, name).find(({ kind }) => kind === 'hook')!;
      const text = fs.readFileSync(hook.file, 'utf8');
      fs.writeFileSync(
        hook.file,
        name === 'git' ? text.replace('exit 1', 'exit 0') : text.replace('--workspace', '--workspac'),
      );
      assert.ok(states(desk, name).includes('edited'), name);
      run(desk, { add: [name] });
      assert.equal(fs.readFileSync(hook.file, 'utf8'), text, name);
    }
  });

  it('reports where a file is malformed, and writes nothing', () => {
    for (const [name, file, content, says] of [
      ['claude-code', '.claude/settings.local.json', '{\n  "hooks": {,}\n}', /not valid JSON at line 2, column 13\./],
      ['claude-code', '.mcp.json', '[]', /should hold a JSON object/],
      ['claude-code', '.claude/settings.local.json', '{"hooks": []}', /"hooks" should be an object/],
      ['claude-code', '.claude/settings.local.json', '{"hooks": {"Stop": 1}}', /"hooks\.Stop" should be a list/],
      ['claude-code', '.mcp.json', '{"mcpServers": "no"}', /"mcpServers" should be an object/],
      ['claude-code', '.mcp.json', '{"mcpServers": {}, "mcpServers": {}}', /a duplicate key/],
      ['codex', '.codex/config.toml', 'a = \n', /not valid TOML/],
      ['codex', '.codex/config.toml', '[mcp_servers.holdpoint]\ncommand = "x"\n', /already has another/],
      ['codex', '.codex/config.toml', 'mcp_servers = {}\n', /the result would be invalid/],
      ['codex', '.codex/config.toml', 'mcp_servers = { a = { command = "x" } }\n', /the result would be invalid/],
      ['codex', '.codex/config.toml', '[[mcp_servers]]\n', /"mcp_servers" should be a table/],
      ['claude-code', '.claude/settings.local.json', '{ /* mine */ }', /comments or trailing commas/],
      ['opencode', 'opencode.json', Buffer.from([0xff, 0xfe, 0x7b, 0]), /not UTF-8 text/],
      ['git', '.git/hooks/pre-commit', '#!/usr/bin/python3\nprint()\n', /not a shell script/],
    ] as const) {
      const desk = makeDesk();
      desk.write(file, content, file.includes('hooks/') ? 0o755 : 0o644);
      const before = treeOf(desk.base);
      assert.throws(() => run(desk, { add: [name] }), says);
      assert.deepEqual(treeOf(desk.base), before);
    }
    const desk = makeDesk();
    desk.write('.git/hooks/pre-commit', 'echo off\n', 0o644);
    assert.throws(() => run(desk, { add: ['git'] }), /not executable/);
    const bare = makeDesk({ git: false });
    assert.throws(() => run(bare, { add: ['git'] }), /not in a git repository/);
    fs.mkdirSync(path.join(bare.workspace, '.mcp.json'));
    assert.throws(() => run(bare, { add: ['claude-code'] }), /is not a file/);
  });

  it('is refused where a line that is not its own would get another meaning', () => {
    const desk = makeDesk();
    desk.write('.codex/config.toml', '[mcp_servers.mine]\ncommand = "x"\n');
    run(desk, { add: ['codex'] });
    desk.write('.codex/config.toml', `${desk.read('.codex/config.toml')}startup_timeout_sec = 3\n`);
    const before = treeOf(desk.base);
    assert.throws(() => run(desk, { remove: ['codex'] }), /would get another place or value/);
    assert.deepEqual(treeOf(desk.base), before);
  });

  it('follows and keeps links inside the folder, and refuses others', () => {
    const desk = makeDesk();
    desk.write('shared/claude.json', '{ "mine": 1 }');
    fs.symlinkSync('shared/claude.json', path.join(desk.workspace, '.mcp.json'));
    const before = treeOf(desk.workspace);
    run(desk, { add: ['claude-code'] });
    assert.equal(fs.readlinkSync(path.join(desk.workspace, '.mcp.json')), 'shared/claude.json');
    assert.ok(desk.read('shared/claude.json').includes('"holdpoint"'));
    run(desk, { remove: ['claude-code'] });
    assert.deepEqual(treeOf(desk.workspace), before);
    fs.unlinkSync(path.join(desk.workspace, '.mcp.json'));
    fs.writeFileSync(path.join(desk.home, 'secret.json'), '{}');
    for (const [to, says] of [
      [path.join(desk.home, 'secret.json'), /outside/],
      ['nowhere.json', /leads nowhere/],
    ] as const) {
      fs.symlinkSync(to, path.join(desk.workspace, '.mcp.json'));
      assert.throws(() => run(desk, { add: ['claude-code'] }), says);
      fs.unlinkSync(path.join(desk.workspace, '.mcp.json'));
    }
    fs.symlinkSync(desk.home, path.join(desk.workspace, '.codex'));
    assert.throws(() => run(desk, { add: ['codex'] }), /outside/);
  });

  it('leaves a file alone that changed after it was read, and undoes everything on a failure', () => {
    const desk = makeDesk();
    desk.write('.mcp.json', '{}');
    const changes = planSetup(desk, { add: ['claude-code'] });
    desk.write('.mcp.json', '{"new": 1}');
    assert.throws(() => {
      applySetup(desk, changes);
    }, /changed in the meantime/);
    assert.equal(desk.read('.mcp.json'), '{"new": 1}');
    const before = treeOf(desk.workspace);
    const again = planSetup(desk, { add: ['claude-code'] });
    const last = again.at(-1)!;
    assert.throws(() => {
      applySetup(desk, [
        ...again.slice(0, -1),
        { ...last, real: path.join(desk.workspace, '.mcp.json', 'below a file'), before: null },
      ]);
    }, /All files were restored/);
    assert.deepEqual(treeOf(desk.workspace), before);
  });

  it('connects several hosts as shown: a host that fails stops no other, and is named', () => {
    const made = makeDesk();
    const desk = { ...made, git: askGitNow(made) };
    desk.write('.claude/keep.json', '{}');
    desk.write('opencode.json', '{');
    const { found } = setupRows(desk, null, { host: 'copilot-cli', words: 'this editor' });
    const { hosts, add } = found;
    assert.deepEqual(hosts, ['claude-code', 'copilot-cli', 'git'], 'found here, and can be changed');
    const shown = add.type === 'changes' ? add.shown : '';
    assert.throws(() => writeSetup(desk, { hosts: ['git'], act: 'add', shown }), /Nothing was written/);
    const { kind, text } = writeSetup(desk, { hosts, act: 'add', shown }, (place, changes) => {
      if (changes.some(({ file }) => file.includes('.github'))) throw new Error('The disk is full.');
      applySetup(place, changes);
    });
    assert.deepEqual([kind, text], ['error', 'Copilot CLI failed: The disk is full. Connected: Claude Code, git.']);
    assert.deepEqual(planSetup(desk, { add: ['claude-code', 'git'] }), []);
    assert.notDeepEqual(planSetup(desk, { add: ['copilot-cli'] }), []);
  });

  it('asks git in the background as it does at once, and believes the answer for this folder only', async () => {
    const desk = makeDesk();
    execFileSync('git', ['-C', desk.workspace, 'config', 'core.hooksPath', '.husky/_'], { env: desk.env });
    const git = await askGit(desk);
    assert.deepEqual(git.places, gitPlaces(desk));
    assert.equal(git.places?.hooks, path.join(desk.workspace, '.husky'));
    const places = { ...git.places, hooks: 'elsewhere' };
    assert.equal(gitPlaces({ ...desk, git: { ...git, places } })?.hooks, 'elsewhere');
    const outside = { ...desk, workspace: path.dirname(desk.workspace) };
    assert.equal(gitPlaces({ ...outside, git: { ...git, places } }), null);
    assert.equal((await askGit(outside)).places, null);
  });

  it('installs git hooks where core.hooksPath or husky expects them, and existing hooks still run', () => {
    const desk = makeDesk();
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', desk.workspace, ...args], { env: desk.env, encoding: 'utf8' });
    git('config', 'core.hooksPath', 'tools/hooks');
    assert.equal(partsOf(desk, 'git')[0]!.file, path.join(desk.workspace, 'tools', 'hooks', 'pre-commit'));
    git('config', 'core.hooksPath', '.husky/_');
    desk.write('.husky/pre-commit', 'echo husky > ran\n', 0o755);
    run(desk, { add: ['git'] });
    const hook = desk.read('.husky/pre-commit');
    assert.match(hook, /not on this machine[\s\S]*\necho husky > ran\n$/);
    git('config', '--unset', 'core.hooksPath');
    desk.write('.git/hooks/pre-commit', '#!/bin/sh\necho mine > ran\n', 0o755);
    run(desk, { add: ['git'] });
    fs.mkdirSync(path.dirname(desk.launcher), { recursive: true });
    const commit = () =>
      spawnSync(
        'git',
        ['-C', desk.workspace, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x'],
        { env: desk.env, encoding: 'utf8' },
      );
    const missing = commit();
    assert.notEqual(missing.status, 0);
    assert.match(missing.stderr, /cannot be checked\. Open the folder in VS Code once/);
    assert.doesNotMatch(missing.stderr, /no-verify/, 'what an agent must not be given');
    fs.writeFileSync(desk.launcher, '#!/bin/sh\necho "$@" >> "$0.called"\n', { mode: 0o755 });
    assert.equal(commit().status, 0);
    assert.equal(desk.read('ran'), 'mine\n');
    const called = fs.readFileSync(`${desk.launcher}.called`, 'utf8');
    assert.match(
      called,
      /^--workspace .*work space gate --staged\n--workspace .*work space gate --message-file \.git\/COMMIT_EDITMSG\n$/,
    );
    fs.writeFileSync(desk.launcher, '#!/bin/sh\nexit 2\n', { mode: 0o755 });
    assert.notEqual(commit().status, 0);
  });
});

/** Whether `there` contains everything in `wanted`; lists may be longer. */
function contains(there: unknown, wanted: unknown, where: string): void {
  if (typeof wanted !== 'object' || wanted === null) {
    assert.deepEqual(there, wanted, where);
    return;
  }
  for (const [key, value] of Object.entries(wanted))
    contains((there as Record<string, unknown>)[key], value, `${where} ${key}`);
}

describe('the hook command', () => {
  const of = (platform: 'posix' | 'win', denying = true) => ({
    host: 'claude-code' as const,
    launcher: platform === 'win' ? "C:\\Users\\O'Neil\\holdpoint\\bin\\holdpoint" : "/home/o'neil/bin/holdpoint",
    workspace: platform === 'win' ? 'D:\\my work' : '/srv/my work',
    denying,
  });

  it('denies on any failure on Windows, in each shell', () => {
    const cmd = cmdCommand(of('win'));
    assert.match(
      cmd,
      /^C:\\Windows\\System32\\findstr\.exe \/x \/c:"rem whole" "C:\\Users\\O'Neil\\holdpoint\\bin\\holdpoint\.cmd" >nul 2>nul && call "C:\\Users\\O'Neil\\holdpoint\\bin\\holdpoint\.cmd" hook claude-code --workspace "D:\\my work" \|\| \(/,
    );
    assert.match(cmd, / & exit 2\)$/);
    const shell = powershellCommand(of('win'));
    assert.match(
      shell,
      / -Tail 1 -ErrorAction SilentlyContinue\)" -cne 'rem whole'\) \{ .*; exit 2 \}; & 'C:\\Users\\O''Neil\\holdpoint\\bin\\holdpoint\.cmd' hook claude-code --workspace 'D:\\my work'; /,
    );
    assert.match(shell, /if \(\$LASTEXITCODE -ne 0\) \{.* exit 2 \}$/);
    // Git Bash, which Claude Code uses on Windows.
    assert.match(
      posixCommand(of('win')),
      /^\[ "\$\(tail -n 1 .*\)" = '.*' \] && 'C:\/Users\/O'\\''Neil\/holdpoint\/bin\/holdpoint' hook claude-code --workspace 'D:\/my work' \|\| /,
    );
  });

  it('blocks nothing in report-only mode', () => {
    for (const text of [
      cmdCommand(of('win', false)),
      powershellCommand(of('win', false)),
      posixCommand(of('posix', false)),
    ])
      assert.doesNotMatch(text, /exit 2/);
  });

  it('allows on exit code 0 and denies with a reason on every other, in a real shell', () => {
    const base = fs.mkdtempSync(path.join(os.tmpdir(), "holdpoint-it's a hook-"));
    bases.push(base);
    const launcher = path.join(base, 'holdpoint');
    const call = (denying = true) =>
      spawnSync('/bin/sh', ['-c', posixCommand({ host: 'vscode', launcher, workspace: base, denying })], {
        input: '{}',
        encoding: 'utf8',
      });
    const write = (body: string, mode = 0o755) => {
      fs.rmSync(launcher, { force: true });
      fs.writeFileSync(launcher, `#!/bin/sh\nstart() {\n${body}\n}\n${lastLine}\n`, { mode });
    };
    const missing = call();
    assert.equal(missing.status, 2);
    assert.match(missing.stderr, /denied/);
    assert.equal(call(false).status, 127);
    write('cat; echo "$@"');
    const fine = call();
    assert.deepEqual([fine.status, fine.stdout], [0, `{}hook vscode --workspace ${base}\n`]);
    write('echo "held by Q-1" >&2; exit 2');
    assert.deepEqual([call().status, call().stderr], [2, 'held by Q-1\n']);
    for (const body of ['exit 1', 'exit 3', 'kill -9 $$', 'exec /gone/node x']) {
      write(body);
      const denied = call();
      assert.equal(denied.status, 2, body);
      assert.match(denied.stderr, /denied/, body);
    }
    write('exit 0', 0o644);
    assert.equal(call().status, 2);
    // Torn at each byte, as by a power loss.
    write('exit 0');
    const whole = fs.readFileSync(launcher);
    assert.equal(call().status, 0);
    for (let size = 0; size < whole.length - 1; size++) {
      fs.writeFileSync(launcher, whole.subarray(0, size));
      assert.equal(call().status, 2, `${String(size)} bytes`);
    }
  });
});

/** A state folder, and programs with this text. */
function launched(program: string): { readonly base: string; readonly programs: string } {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), "holdpoint-it's launched-"));
  bases.push(base);
  const programs = path.join(base, 'dist');
  fs.mkdirSync(programs);
  for (const name of ['cli', 'mcp', 'hook'])
    fs.writeFileSync(path.join(programs, `${name}.cjs`), program.replaceAll('NAME', name));
  return { base, programs };
}

describe('the launcher', () => {
  it('starts the right program, and reports missing programs', () => {
    const { base, programs } = launched("console.log('NAME', process.env.A, ...process.argv.slice(2))");
    const target = { command: process.execPath, env: {}, programs };
    const trouble = () => launcherTrouble(base, target, 'linux')?.about ?? '';
    assert.match(trouble(), /is missing/);
    writeLauncher(base, target, 'linux');
    assert.equal(trouble(), '');
    assert.ok(launcherWorks(base));
    const env = { NODE_OPTIONS: '--title=x', NODE_PATH: '/x', A: "it's", XDG_STATE_HOME: '/elsewhere' };
    const call = (...args: string[]) => execFileSync(launcherPath(base), args, { encoding: 'utf8', env });
    assert.match(
      call('hook', 'codex', '--workspace', '/a b'),
      /^hook it's --watched \d+ \d+ codex --workspace \/a b\n$/,
    );
    assert.equal(call('mcp', '--workspace', '/a b'), "mcp it's --workspace /a b\n");
    assert.equal(call('--workspace', 'x', 'gate'), "cli it's --workspace x gate\n");
    writeLauncher(base, { command: '/other/node', env: {}, programs: '/other/dist' }, 'linux');
    assert.match(trouble(), /no longer exist/);
    assert.ok(!launcherWorks(base));
  });

  it('is checked without the compiled code of earlier programs', () => {
    const { base, programs } = launched('1');
    writeLauncher(base, { command: process.execPath, env: {}, programs }, 'linux');
    fs.mkdirSync(path.join(programs, 'compiled', 'v24'), { recursive: true });
    forgetCompiled(base);
    assert.deepEqual(fs.readdirSync(programs), ['cli.cjs', 'hook.cjs', 'mcp.cjs']);
  });

  it('clears what makes Node run other code, and keeps its own state folder', () => {
    const { base, programs } = launched('console.log(JSON.stringify(process.env))');
    const more = {
      ...{ NODE_OPTIONS: '--title=x', NODE_PATH: '/x', NODE_COMPILE_CACHE: '/x' },
      ...{ LD_PRELOAD: '/x.so', OPENSSL_CONF: '/x', KEPT: 'yes' },
    };
    const moved = { HOME: '/x', XDG_STATE_HOME: '/x', LOCALAPPDATA: '/x', HOLDPOINT_STATE_FOLDER: '/x' };
    writeLauncher(base, { command: process.execPath, env: {}, programs }, 'linux');
    const args = ['hook', 'codex'];
    const out = execFileSync(launcherPath(base), args, { encoding: 'utf8', env: { ...more, ...moved }, stdio: 'pipe' });
    const env = JSON.parse(out) as Record<string, string>;
    assert.deepEqual(
      Object.keys(more).filter((name) => name in env),
      ['KEPT'],
    );
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      assert.equal(userFolder({ platform, env, home: '/x' }), base);
  });

  it('is refused byte for byte, unless another installation of the same programs wrote it', () => {
    const { base, programs } = launched('1');
    const target = { command: process.execPath, env: {}, programs };
    const check = () => launcherTrouble(base, target, 'linux');
    writeLauncher(base, target, 'linux');
    const file = launcherPath(base);
    const whole = fs.readFileSync(file, 'utf8');
    for (const edited of [
      whole.replace('start() {', 'start() {\n[ -e canary ] || exit 0'),
      whole.replace('unset ', 'unset X '),
      whole.replace("FOLDER='", "FOLDER='/elsewhere"),
      whole.replace('programs=', 'export NODE_OPTIONS=x\nprograms='),
      `${whole}#`,
      whole.slice(0, -1),
    ]) {
      fs.writeFileSync(file, edited);
      assert.match(check()?.about ?? '', /not as Holdpoint wrote it/, edited);
      assert.ok(!launcherWorks(base));
    }
    const copy = path.join(base, 'copy');
    fs.cpSync(programs, copy, { recursive: true });
    writeLauncher(base, { ...target, programs: copy }, 'linux');
    assert.equal(check(), null);
    fs.appendFileSync(path.join(copy, 'hook.cjs'), ' ');
    assert.match(check()?.about ?? '', /programs that are not those of this Holdpoint/);
    writeLauncher(base, { ...target, command: '/bin/sh' }, 'linux');
    assert.deepEqual(check(), { code: 'otherProgram', about: '/bin/sh' });
  });

  it('has a Windows batch file with quoted paths', () => {
    const text = windowsLauncher('C:\\state', {
      command: 'C:\\Program Files\\Code\\Code.exe',
      env: { ELECTRON_RUN_AS_NODE: '1' },
      programs: 'C:\\100%\\dist',
    });
    assert.match(text, /set "NODE_OPTIONS="\r\n/);
    assert.match(text, /set "HOLDPOINT_STATE_FOLDER=C:\\state"\r\n/);
    assert.match(text, /set "ELECTRON_RUN_AS_NODE=1"\r\n/);
    assert.match(text, /"C:\\Program Files\\Code\\Code\.exe" "C:\\100%%\\dist\\hook\.cjs"/);
    assert.match(text, /exit \/b %ERRORLEVEL%\r\nrem whole\r\n$/);
    assert.match(text, /set "ERRORLEVEL="\r\n/, 'a variable of the host would take its place');
    assert.match(text, /set "NoDefaultCurrentDirectoryInExePath=1"\r\n/);
  });

  it('has a Windows batch file that any code page reads alike', () => {
    const home = 'C:\\Users\\Jörg 100%';
    const text = windowsLauncher(`${home}\\AppData\\Local\\holdpoint`, {
      command: `${home}\\AppData\\Local\\Programs\\Microsoft VS Code\\Code.exe`,
      env: { ELECTRON_RUN_AS_NODE: '1' },
      programs: `${home}\\.vscode\\extensions\\holdpoint\\dist`,
    });
    assert.match(text, /^[\x20-\x7e\r\n]*$/);
    assert.ok(text.includes('set "HOLDPOINT_STATE_FOLDER=%~dp0.."\r\n'));
    const node = '"%~dp0..\\..\\Programs\\Microsoft VS Code\\Code.exe"';
    assert.ok(text.includes(`${node} "%~dp0..\\..\\..\\..\\.vscode\\extensions\\holdpoint\\dist\\hook.cjs" %2`));
    const env = { HOLDPOINT_STATE_FOLDER: `${home}\\holdpoint\\bin\\..` };
    assert.equal(userFolder({ platform: 'win32', env, home }), `${home}\\holdpoint`);
  });

  it('is started on Windows by cmd itself, whatever is in the current folder and in its own path', () => {
    const place = {
      workspace: 'D:\\my work',
      launcher: 'C:\\Users\\A B\\bin\\holdpoint',
      platform: 'win32',
    } as unknown as Place;
    const command = 'C:\\Windows\\System32\\cmd.exe';
    const before = ['/d', '/c', 'call', `${place.launcher}.cmd`];
    const served = [...before, 'mcp', '--workspace', place.workspace, '--agent-type', 'codex'];
    assert.deepEqual(mcpCommand(place, 'codex'), { command, args: served });
    const plugin = opencodePlugin(place);
    assert.ok(plugin.includes(`const command = ${JSON.stringify(command)};`));
    const args = [...before, 'hook', 'opencode', '--workspace', place.workspace];
    assert.ok(plugin.includes(`const args = ${JSON.stringify(args)};`));
  });
});
