/** `holdpoint setup` and `holdpoint gate --commit` in a real git repository, whose hooks run the built program. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { removal } from '../support/temporary.ts';
import { root } from '../support/host.ts';
import { holdpointHere } from '../support/store/runCli.ts';
import { treeOf } from '../support/tree.ts';

const hook = path.join(root, 'dist', 'hook.cjs');

describe('setup and commits on the command line', function () {
  this.timeout(240_000);
  let base = '';
  let folder = '';
  let env: Record<string, string | undefined> = {};

  beforeEach(() => {
    base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "holdpoint-it's setup-")));
    folder = path.join(base, 'my work');
    const home = path.join(base, 'home');
    for (const made of [folder, home]) fs.mkdirSync(made);
    env = { PATH: process.env['PATH'], HOME: home, USERPROFILE: home, LOCALAPPDATA: home, GIT_CONFIG_NOSYSTEM: '1' };
    git('init', '-q', '--template=');
    git('config', 'user.name', 'Dev');
    git('config', 'user.email', 'dev@example.invalid');
  });
  afterEach(() => {
    fs.rmSync(base, removal);
  });

  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const run = (...args: string[]) => holdpointHere({ folder, home: path.join(base, 'home') }, env, ...args);
  const write = (file: string, content: string) => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), content);
  };
  const ask = async (text: string, ...more: string[]) => {
    const asked = await run('--json', 'question', 'create', '--text', text, ...more);
    assert.equal(asked.code, 0, asked.err);
  };

  it('previews its changes, writes them, verifies them, and removes them byte for byte', async () => {
    write('.claude/settings.local.json', '{\r\n\t"model": "x"\r\n}');
    const before = treeOf(folder);
    const dry = await run('setup', '--host', 'claude-code', '--host', 'vscode', '--dry-run');
    assert.equal(dry.code, 0, dry.err);
    assert.match(
      dry.out,
      /^Set up Claude Code, VS Code: would write this\.[\s\S]*settings\.local\.json \(changed\)[\s\S]*\+ \t"hooks"/,
    );
    assert.deepEqual(treeOf(folder), before);
    const done = await run('--json', 'setup', '--host', 'claude-code', '--host', 'vscode');
    assert.equal(done.code, 0, done.err);
    const { files } = JSON.parse(done.out) as { files: { file: string }[] };
    assert.deepEqual(files.map(({ file }) => path.relative(folder, file)).sort(), [
      '.claude/settings.local.json',
      '.git/info/exclude',
      '.github/hooks/holdpoint-agent-host.json',
      '.github/hooks/holdpoint.json',
      '.mcp.json',
    ]);
    assert.match((await run('setup', '--host', 'vscode')).out, /nothing to change/);
    assert.equal((await run('setup', '--remove')).code, 0);
    assert.deepEqual(treeOf(folder), before);
  });

  it('asks git once, for all hosts', async () => {
    for (const act of [['--check'], [], ['--remove']]) {
      const trace = path.join(base, `git${act.join('')}`);
      env['GIT_TRACE'] = trace;
      assert.equal((await run('setup', ...act, '--host', 'claude-code', '--host', 'git', '--host', 'codex')).err, '');
      const started = fs.readFileSync(trace, 'utf8').match(/built-in: git .*/g) ?? [];
      assert.equal(started.length, 1, started.join('\n'));
    }
  });

  it('removes folders that it created, also where its files are gone, and keeps others', async () => {
    write('.codex/mine.txt', 'a');
    const before = treeOf(folder);
    await run('setup', '--host', 'claude-code', '--host', 'codex');
    for (const file of ['.claude/settings.local.json', '.codex/hooks.json', '.codex/config.toml', '.mcp.json'])
      fs.rmSync(path.join(folder, file));
    fs.rmSync(path.join(folder, '.git', 'info', 'exclude'));
    fs.mkdirSync(path.join(folder, '.github'));
    assert.equal((await run('setup', '--remove')).code, 0);
    assert.equal((await run('setup', '--remove')).code, 0);
    fs.rmdirSync(path.join(folder, '.github'));
    assert.deepEqual(treeOf(folder), before);
  });

  it('finds the hosts in use, and says so if there are none', async () => {
    fs.mkdirSync(path.join(folder, '.codex'));
    const all = await run('setup', '--dry-run');
    assert.match(all.out, /^Set up .*Codex, .*git: would write this/);
    assert.equal((await run('setup', '--host', 'emacs')).code, 1);
    fs.writeFileSync(path.join(folder, '.mcp.json'), '{');
    const broken = await run('setup', '--host', 'claude-code');
    assert.equal(broken.code, 1);
    assert.match(broken.err, /not valid JSON .*nothing was written/);
  });

  it('reports Copilot CLI as advisory until its user trusts the folder or a parent', async () => {
    await run('setup', '--host', 'copilot-cli');
    const config = path.join(base, 'home', '.copilot', 'config.json');
    fs.mkdirSync(path.dirname(config));
    const verdict = async (content: string) => {
      fs.writeFileSync(config, content);
      return /^Copilot CLI: (\w+)/.exec((await run('setup', '--check', '--host', 'copilot-cli')).out)?.[1];
    };
    const trusting = (...folders: string[]) => JSON.stringify({ trustedFolders: folders });
    assert.equal(await verdict('{}'), 'advisory');
    assert.equal(
      await verdict(trusting(path.join(folder, 'src'), `${folder}-2`)),
      'advisory',
      'a trusted folder below it or with a similar name',
    );
    assert.equal(await verdict('{ "trustedFolders": '), 'advisory', 'an unreadable configuration');
    assert.equal(await verdict(trusting(folder)), 'enforced');
    assert.equal(await verdict(trusting(path.dirname(folder))), 'enforced');
  });

  it('reports a hook that its host ignores, that other code can precede, or whose launcher was edited', async () => {
    await run('setup', '--host', 'claude-code');
    const settings = '.claude/settings.local.json';
    const written = fs.readFileSync(path.join(folder, settings), 'utf8');
    const stateFolder = path.join(base, 'home', '.local', 'state', 'holdpoint');
    const known = treeOf(stateFolder);
    const check = () => run('setup', '--check', '--host', 'claude-code');
    assert.match((await check()).out, /^Claude Code: enforced/);
    assert.deepEqual(treeOf(stateFolder), known, 'the canary leaves nothing');

    write(settings, `// mine\n${written}`);
    assert.match((await check()).out, /^Claude Code: broken\n.*settings\.local\.json has comments or trailing commas/);
    write(settings, written);
    write('.claude/settings.json', '{ "env": { "LD_PRELOAD": "x.so" } }');
    assert.match((await check()).out, /^Claude Code: advisory\n.*LD_PRELOAD in .*settings\.json/);
    write('.claude/settings.json', '{ "env": { "XDG_STATE_HOME": "/x", "NODE_OPTIONS": "-r ./x.js" } }');
    assert.match((await check()).out, /^Claude Code: enforced/);

    const launcher = path.join(stateFolder, 'bin', 'holdpoint');
    fs.writeFileSync(launcher, fs.readFileSync(launcher, 'utf8').replace('start() {', 'start() {\n:'));
    const edited = await check();
    assert.match(edited.out, /^Claude Code: broken\n.*bin\/holdpoint is not as Holdpoint wrote it/);
    assert.equal(edited.code, 1);
    await run('setup', '--host', 'vscode');
    assert.match((await check()).out, /^Claude Code: enforced/, 'the command line writes it again');
  });

  it('sees where Codex’s own files turn its hooks off, or cannot be read', async () => {
    const [project, user] = [
      path.join(folder, '.codex', 'config.toml'),
      path.join(base, 'home', '.codex', 'config.toml'),
    ];
    assert.equal((await run('setup', '--host', 'codex')).code, 0);
    const check = () => run('setup', '--check', '--host', 'codex');
    assert.match((await check()).out, /^Codex: advisory/);
    const written = fs.readFileSync(project, 'utf8');
    fs.mkdirSync(path.dirname(user));
    for (const [file, before] of [
      [project, written],
      [user, ''],
    ] as const)
      for (const off of ['[features]\nhooks = false\n', '[features]\ncodex_hooks = false\n']) {
        fs.writeFileSync(file, before + off);
        const { code, out } = await check();
        assert.equal(code, 1, out);
        assert.match(out, /^Codex: broken\n/);
        assert.ok(out.includes(`${file} turns hooks off.`), out);
        fs.writeFileSync(file, before);
      }
    fs.writeFileSync(project, `mcp_servers = {}\n${written}`);
    assert.match((await check()).out, /^Codex: broken\n.*config\.toml is not valid TOML/);
  });

  const form = {
    tool: 'call.name',
    input: 'call.args',
    session: 'chat',
    cwd: ['folders.0'],
    reads: ['look'],
    edits: { put: ['to'] },
    shells: { run: 'line' },
  };

  it('prints a tested hook command for a host that it does not know, and denies whatever is not described', async () => {
    for (const deny of [undefined, { json: { verdict: 'no', why: '$reason' }, exit: 0 }]) {
      write('form.json', JSON.stringify({ ...form, ...(deny ? { deny } : {}) }));
      const printed = await run('setup', '--command', 'form.json');
      assert.equal(printed.code, 0, printed.err);
      const [tested, command = ''] = printed.out.split('\n');
      assert.match(tested ?? '', /^Tested just now/);
      const call = (name: string, args: object, more: object = {}) => {
        const input = JSON.stringify({ call: { name, args }, chat: 'c', folders: [folder], ...more });
        const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
          cwd: folder,
          env,
          input,
          encoding: 'utf8',
        });
        const isDenied = deny ? status === 0 && stdout.startsWith('{"verdict":"no","why":"') : status === 2;
        return { isDenied, said: stdout + stderr };
      };
      await ask('May I change it?', '--holds', 'held.js');
      assert.match(call('put', { to: 'held.js' }).said, /Q-\d "May I change it\?"/);
      for (const [name, args] of [
        ['put', { to: 'held.js' }],
        ['put', { at: 'held.js' }],
        ['run', { line: 'rm held.js' }],
        ['run', {}],
        ['remove', { to: 'other.js' }],
      ] as const)
        assert.ok(call(name, args).isDenied, name);
      for (const [name, args] of [
        ['look', { to: 'held.js' }],
        ['run', { line: 'cat held.js' }],
        ['holdpoint_check_gate', {}],
      ] as const)
        assert.deepEqual(call(name, args), { isDenied: false, said: '' }, name);
      assert.ok(call('look', {}, { call: undefined }).isDenied);
    }
  });

  it('refuses a description that is not exactly as documented, and so does the hook', async () => {
    for (const bad of [
      'no JSON',
      '[]',
      '{"tool": "a"}',
      JSON.stringify({ ...form, read: ['x'] }),
      JSON.stringify({ ...form, reads: 'look' }),
      JSON.stringify({ ...form, edits: { put: 'to' } }),
      JSON.stringify({ ...form, deny: { json: { decision: 'deny' }, exit: 0 } }),
      JSON.stringify({ ...form, deny: { json: { why: '$reason' }, exit: 1 } }),
      JSON.stringify({ ...form, event: { field: 'event' } }),
    ]) {
      write('form.json', bad);
      const refused = await run('setup', '--command', 'form.json');
      assert.deepEqual([refused.code, refused.out], [1, ''], bad);
      const args = [hook, 'generic', '--workspace', folder, '--form', bad];
      const input = JSON.stringify({ call: { name: 'look', args: {} } });
      assert.equal(spawnSync(process.execPath, args, { env, input }).status, 2, bad);
    }
    assert.equal(spawnSync(process.execPath, [hook, 'generic', '--workspace', folder], { env, input: '{}' }).status, 2);
  });

  it('does not remove hooks while something is held', async () => {
    await run('setup', '--host', 'claude-code');
    await ask('May I?');
    const refused = await run('setup', '--remove', '--host', 'claude-code');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /Q-1 waits for a human/);
    assert.ok(fs.existsSync(path.join(folder, '.mcp.json')));
    fs.writeFileSync(path.join(folder, '.holdpoint', 'journal', '00000001.jsonl'), 'x');
    assert.match((await run('setup', '--remove')).err, /UNKNOWN/);
  });

  it('denies commits of held files and messages that name unknown or open items', async () => {
    write('README.md', 'a\n');
    write('src/auth/login.ts', 'a\n');
    git('add', '.');
    git('commit', '-qm', 'Start');
    write('README.md', 'b\n');
    git('commit', '-qam', 'See RFC 2119');
    assert.equal((await run('gate', '--commit', 'HEAD')).code, 0);
    assert.equal((await run('gate', '--commit', 'HEAD~1..HEAD')).code, 0);
    await ask('JWT or sessions?', '--holds', 'src/auth/**');
    for (const [message, code, says] of [
      ['Go on, as in Q-7', 2, /names Q-7, which does not exist/],
      ['Go on, as in RFC-2', 2, /names RFC-2, which does not exist/],
      ['Go on\n\nSee Q-1.', 2, /names Q-1 "JWT or sessions\?", which still waits/],
      ['Not an id: XQ-1, Q-1a, q-1, docs/Q-1', 0, /^$/],
    ] as const) {
      git('commit', '-q', '--allow-empty', '-m', message);
      const { code: exit, err } = await run('gate', '--commit', 'HEAD');
      assert.deepEqual([exit, message], [code, message]);
      assert.match(err, says);
    }
    write('src/auth/login.ts', 'b\n');
    git('add', '.');
    const staged = await run('--json', 'gate', '--staged');
    assert.equal(staged.code, 2);
    const { verdict, reasons } = JSON.parse(staged.out) as {
      verdict: string;
      reasons: { question: string; subject: string }[];
    };
    assert.deepEqual([verdict, reasons[0]?.question], ['deny', 'Q-1']);
    git('mv', 'src/auth/login.ts', 'login.ts');
    assert.equal((await run('gate', '--staged')).code, 2, 'moving a file is a change too');
    git('commit', '-qm', 'Move it');
    write('README.md', 'c\n');
    git('commit', '-qam', 'After it');
    assert.equal((await run('gate', '--commit', 'HEAD')).code, 0);
    assert.match((await run('gate', '--commit', 'HEAD~2..HEAD')).err, /held by Q-1/);
    assert.equal((await run('gate', '--commit', 'nowhere')).code, 2);
    assert.equal((await run('gate', '--commit', '--all')).code, 2);
    assert.equal((await run('gate', '--staged', '--work', 't-1')).code, 2);
    write(
      'message',
      'Go on\n# Q-9 in a comment\n# ------------------------ >8 ------------------------\nQ-9 in the diff\n',
    );
    assert.equal((await run('gate', '--message-file', 'message')).code, 0);
    write('message', 'Go on as in Q-9\n');
    assert.match((await run('gate', '--message-file', 'message')).err, /the message names Q-9/);
  });

  it('installs git hooks at core.hooksPath that deny and keep existing ones; machines without Holdpoint only print a notice', async () => {
    git('config', 'core.hooksPath', 'tools/hooks');
    write('tools/hooks/pre-commit', '#!/bin/sh\necho mine >> ran\n');
    fs.chmodSync(path.join(folder, 'tools/hooks/pre-commit'), 0o755);
    write('src/a.ts', 'a\n');
    git('add', '.');
    const before = treeOf(path.join(folder, 'tools'));
    assert.equal((await run('setup', '--host', 'git')).code, 0);
    await ask('Which?', '--holds', 'src/**');
    const commit = (more: Record<string, string> = {}) =>
      spawnSync('git', ['-C', folder, 'commit', '-qm', 'Go on'], { env: { ...env, ...more }, encoding: 'utf8' });
    const denied = commit();
    assert.notEqual(denied.status, 0);
    assert.match(denied.stderr, /src\/a\.ts is held by Q-1/);
    assert.ok(!fs.existsSync(path.join(folder, 'ran')), 'later hooks do not run');
    const launcher = path.join(base, 'home', '.local', 'state', 'holdpoint', 'bin', 'holdpoint');
    fs.renameSync(launcher, `${launcher}.gone`);
    const elsewhere = commit();
    assert.equal(elsewhere.status, 0, elsewhere.stderr);
    assert.match(elsewhere.stderr, /this commit was not checked/);
    assert.equal(fs.readFileSync(path.join(folder, 'ran'), 'utf8'), 'mine\n');
    fs.renameSync(`${launcher}.gone`, launcher);
    fs.rmSync(path.join(folder, '.holdpoint'), { recursive: true });
    fs.rmSync(path.join(base, 'home', '.local', 'state', 'holdpoint', 'stores'), { recursive: true, force: true });
    await run('setup', '--host', 'git', '--remove');
    assert.deepEqual(treeOf(path.join(folder, 'tools')), before);
  });

  it('denies merges, picks, rebases and patches that change a held file, after hooks of the user', async () => {
    const attempt = (...args: string[]) => spawnSync('git', ['-C', folder, ...args], { env, encoding: 'utf8' });
    const commitOn = (branch: string, file: string, content: string) => {
      git('checkout', '-q', branch);
      write(file, content);
      git('add', '.');
      git('commit', '-qm', `${file} on ${branch}`);
    };
    git('checkout', '-qb', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'Start');
    commitOn('main', 'src/held.js', 'one\n');
    git('branch', 'side');
    commitOn('main', 'other.js', 'one\n');
    commitOn('side', 'src/held.js', 'two\n');
    const patch = path.join(base, 'patch');
    fs.writeFileSync(patch, git('format-patch', '-1', '--stdout'));
    const hooks = path.join(folder, '.git', 'hooks');
    fs.mkdirSync(hooks, { recursive: true });
    for (const name of ['pre-merge-commit', 'pre-applypatch', 'prepare-commit-msg'])
      fs.writeFileSync(path.join(hooks, name), '#!/bin/sh\necho mine >> "$HOME/mine.log"\n', {
        mode: 0o755,
      });
    assert.equal((await run('setup', '--host', 'git')).code, 0);
    await ask('May I?', '--holds', 'src/held.js');
    git('checkout', '-q', 'main');
    const head = git('rev-parse', 'HEAD');
    for (const [command, abort] of [
      [['merge', '--no-ff', '--no-edit', 'side'], 'merge'],
      [['cherry-pick', 'side'], 'cherry-pick'],
      [['am', patch], 'am'],
    ] as const) {
      const denied = attempt(...command);
      assert.notEqual(denied.status, 0, command.join(' '));
      assert.match(denied.stderr, /src\/held\.js is held by Q-1/, command.join(' '));
      git(abort, '--abort');
      assert.equal(git('rev-parse', 'HEAD'), head, command.join(' '));
    }
    git('checkout', '-q', 'side');
    const denied = attempt('rebase', 'main');
    assert.notEqual(denied.status, 0);
    assert.match(denied.stderr, /src\/held\.js is held by Q-1/);
    git('rebase', '--abort');

    git('checkout', '-qb', 'free', 'main~1');
    commitOn('free', 'free.js', 'one\n');
    assert.equal(attempt('rebase', 'main').status, 0);
    assert.equal(attempt('commit', '-q', '--allow-empty', '--no-verify', '-m', 'Nothing').status, 0);
    assert.ok(fs.existsSync(path.join(base, 'home', 'mine.log')));
  });

  it('leaves a further hook of the user in another language alone', async () => {
    const hooks = path.join(folder, '.git', 'hooks');
    fs.mkdirSync(hooks, { recursive: true });
    fs.writeFileSync(path.join(hooks, 'prepare-commit-msg'), '#!/usr/bin/env python3\n', { mode: 0o755 });
    const before = treeOf(hooks);
    assert.equal((await run('setup', '--host', 'git')).code, 0);
    assert.ok(fs.existsSync(path.join(hooks, 'pre-applypatch')));
    assert.equal((await run('setup', '--remove', '--host', 'git')).code, 0);
    assert.deepEqual(treeOf(hooks), before);
  });

  it('denies the commit of a held file or with a message that names an open item', async () => {
    const hook = '#!/bin/sh\necho mine >> ran\n';
    write('.git/hooks/pre-commit', hook);
    fs.chmodSync(path.join(folder, '.git/hooks/pre-commit'), 0o755);
    const before = treeOf(path.join(folder, '.git', 'hooks'));
    assert.equal((await run('setup', '--host', 'git')).code, 0);
    const commit = (message: string) =>
      spawnSync('git', ['-C', folder, 'commit', '-qm', message], { env, encoding: 'utf8' });
    write('src/a.ts', 'a\n');
    write('b.ts', 'b\n');
    git('add', '.');
    await ask('Which?', '--holds', 'src/**');
    const denied = commit('Go on');
    assert.notEqual(denied.status, 0);
    assert.match(denied.stderr, /src\/a\.ts is held by Q-1/);
    git('rm', '-q', '--cached', 'src/a.ts');
    assert.match(commit('As in Q-1').stderr, /names Q-1 "Which\?", which still waits/);
    assert.equal(commit('Go on').status, 0);
    assert.match(fs.readFileSync(path.join(folder, 'ran'), 'utf8'), /^mine\n/);
    assert.match(
      (await run('setup', '--check', '--host', 'git')).out,
      /^git: advisory\n.*--no-verify\n.*Tested just now: an edit to a held file was denied/,
    );
    fs.appendFileSync(path.join(folder, '.git/hooks/pre-commit'), '');
    fs.rmSync(path.join(folder, '.git/hooks/commit-msg'));
    const broken = await run('setup', '--check', '--host', 'git');
    assert.equal(broken.code, 1);
    assert.match(broken.out, /^git: broken\n {2}.*commit-msg has no hook/);
    assert.equal((await run('setup', '--check', '--host', 'opencode')).code, 1, 'not set up');
    assert.equal((await run('setup', '--host', 'git')).code, 0);
    fs.rmSync(path.join(folder, '.holdpoint'), { recursive: true });
    fs.rmSync(path.join(base, 'home', '.local', 'state', 'holdpoint'), { recursive: true });
    // The memory of setup was deleted too: only Holdpoint’s own entries are removed.
    assert.equal((await run('setup', '--host', 'git', '--remove')).code, 0);
    assert.equal(fs.readFileSync(path.join(folder, '.git/hooks/pre-commit'), 'utf8'), hook);
    assert.deepEqual(treeOf(path.join(folder, '.git', 'hooks')), before);
  });
});
