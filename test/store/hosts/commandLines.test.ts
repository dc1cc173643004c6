/**
 * Command lines of an agent's day while files are held, run through the hook on a real store: ordinary ones go on.
 * Of those that may change a held file, none does but a few (`reported.txt`), which are reported after the call. In the files, `\n` is a line break and `$WS` the workspace.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { restoreHeld } from '../../../src/app/hold/restore.ts';
import { takeBaselines } from '../../../src/app/hold/takeBaselines.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { HostName } from '../../../src/hosts/host.ts';
import { classify } from '../../../src/hosts/shell/classify.ts';
import { root } from '../../support/host.ts';
import { runs } from '../../support/runs.ts';
import { agent } from '../../support/store/people.ts';
import { heldPlace } from '../../support/store/heldPlace.ts';
import { hookAnswer } from '../../support/store/hookAnswer.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

function linesOf(name: string): string[] {
  return fs
    .readFileSync(path.join(root, 'test', 'fixtures', 'commands', `${name}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

const [ordinary, reading, attacks] = [linesOf('ordinary'), linesOf('reading'), linesOf('attacks')];
/** They change a held file and are not denied before. */
const reported = linesOf('reported');
/** A file that is held, and a command that changes it by its kind. */
const kinds = linesOf('kinds').map((line) => line.split('\t') as [file: string, command: string]);

function commandOf(place: Pick<Sandbox, 'folder'>, line: string): string {
  return line.replaceAll('\\n', '\n').replaceAll('$WS', place.folder);
}

async function setting(holds: string[], asker: string, session: string): Promise<Sandbox> {
  const files = ['src/held.js', 'src/free.js', 'lib/core/a.js', 'docs/readme.md', 'Makefile', 'package.json'];
  const sandbox = await heldPlace(files, holds, agent(asker, { session }));
  execFileSync('git', ['init', '-q', sandbox.folder]);
  return sandbox;
}

async function run(place: Sandbox, command: string, host: HostName = 'claude-code') {
  return call(place, host === 'vscode' ? 'run_in_terminal' : 'Bash', { command }, host);
}

async function call(place: Sandbox, tool: string, input: object, host: HostName = 'claude-code') {
  const env = { PATH: process.env['PATH'] };
  const { exit, err } = await hookAnswer(place, { tool_name: tool, tool_input: input }, { host, env });
  return { isDenied: exit === 2, err };
}

/** The share of ordinary lines that may be denied. */
const wronglyAtMost = 0.01;
/** The share of lines that change a held file and may be noticed only afterwards. */
const afterwardsAtMost = 0.02;

describe('a command line', function () {
  this.timeout(120_000);
  let files: Sandbox;
  before(async () => {
    files = await setting(['src/held.js', 'lib/core', 'Makefile'], 'other-001', 's-2');
  });
  after(removeSandboxes);

  async function deniedOf(place: Sandbox, lines: readonly string[], host?: HostName) {
    const denied: string[] = [];
    for (const line of lines) {
      const { isDenied, err } = await run(place, commandOf(place, line), host);
      if (!isDenied) continue;
      denied.push(line);
      assert.match(err, /Split it into|The command names|held_session|Only a human/, line);
      assert.doesNotMatch(err, /…|Denied: \.+ is held|, \. (?:is|are) held|\u0000/, line);
    }
    return denied;
  }

  it('of an ordinary day goes on while files are held', async () => {
    assert.ok(ordinary.length >= 150);
    const denied = await deniedOf(files, ordinary);
    assert.ok(
      denied.length <= ordinary.length * wronglyAtMost,
      `${String(denied.length)} denied:\n${denied.join('\n')}`,
    );
  });

  it('of an ordinary day goes on in a terminal of unknown folder that it moves first', async () => {
    const half = ordinary.filter((_, at) => at % 2 === 0);
    const moved = half.map((line) => (line.startsWith('cd $WS') ? line : `cd $WS && ${line}`));
    const denied = await deniedOf(files, moved, 'vscode');
    assert.ok(
      denied.length <= moved.length * 2 * wronglyAtMost,
      `${String(denied.length)} denied:\n${denied.join('\n')}`,
    );
  });

  it('that only reads goes on in a held session', async () => {
    const place = await setting([], 'claude-code-001', 's-1');
    const { isDenied } = await run(place, 'touch new.ts');
    assert.ok(isDenied, 'the session is held');
    const denied = await deniedOf(place, reading);
    assert.ok(
      denied.length <= reading.length * wronglyAtMost,
      `${String(denied.length)} denied:\n${denied.join('\n')}`,
    );
    const free = [...attacks, ...reported].filter((line) => classify(commandOf(place, line), 'posix').readOnly);
    assert.deepEqual(free, []);
  });

  for (const host of ['claude-code', 'vscode'] as const)
    it(`that may change a held file never goes on: ${host}`, async () => {
      const free: string[] = [];
      for (const line of attacks) if (!(await run(files, commandOf(files, line), host)).isDenied) free.push(line);
      assert.deepEqual(free, []);
    });

  it('that changes a held file by its kind never goes on', async () => {
    const place = await setting([...new Set(kinds.map(([file]) => file))], 'other-001', 's-2');
    const free: string[] = [];
    for (const [, line] of kinds) if (!(await run(place, line)).isDenied) free.push(line);
    assert.deepEqual(free, []);
  });

  it('that is denied is quoted where it was not understood, and may go on once the advice is followed', async () => {
    const cases: readonly (readonly [line: string, quoted: string, advised: string])[] = [
      ['ls && rm "$F"; ls', '"$F"', 'ls && rm src/free.js; ls'],
      ['echo "$(ls; rm $(cat list))"', '$(cat list)', 'rm src/free.js'],
      ['npm test && node -e "eval(x)"', 'node -e "eval(x)"', 'node run.js'],
      ['git ls-files | xargs rm', 'xargs rm', 'rm src/free.js'],
      ['ls | sh', 'sh', 'ls'],
      ["declare -a 'x=($(cat y))'", "declare -a 'x=($(cat y))'", 'cat y'],
    ];
    for (const [line, quoted, advised] of cases) {
      const { err } = await run(files, line);
      assert.ok(err.includes(`: \`${quoted}\``), `${line}: ${err}`);
      assert.equal((await run(files, advised)).isDenied, false, advised);
    }
    const wide: readonly (readonly [line: string, held: RegExp, advised: string])[] = [
      ['git stash push', /src\/held\.js.*held by/, 'git stash push -- src/free.js'],
      ['git clean -fd', /src\/held\.js.*held by/, 'git clean -fd -- build'],
      ['git checkout main', /src\/held\.js.*held by/, 'git checkout main -- src/free.js'],
      ['npx prettier --write src', /Denied: src\/held\.js is held by/, 'npx prettier --write src/free.js'],
      ['rm -r lib', /Denied: lib\/core is held by/, 'rm -r lib/other'],
    ];
    for (const [line, held, advised] of wide) {
      const { err } = await run(files, line);
      assert.match(err, held, line);
      assert.doesNotMatch(err, /Denied: (?:\.|src|lib) is/, line);
      assert.equal((await run(files, advised)).isDenied, false, advised);
    }
  });

  it('that sets, exports or declares variables is not reading', () => {
    for (const line of [
      ...[
        "declare -a 'x=($(rm a))'",
        "readonly -a 'x=($(rm a))'",
        "typeset -a 'x=($(rm a))'",
        'declare x=1',
        'local x',
      ],
      ...['read -r path <<< $PWD/docs; ls', 'read x', 'path=docs; ls', 'for path in docs; do ls; done', 'unset x'],
      ...[
        'export PATH=$PWD/docs:$PATH',
        'export A=1',
        'PATH=docs ls',
        'fpath=docs',
        'set -a',
        'set -- a',
        'shopt -s globstar',
      ],
      ...[
        'mapfile -t x < a',
        'let x=1',
        '((x++))',
        'echo $((x = 1))',
        'alias ls=rm',
        'hash -p docs/ls ls',
        'FOO=bar; ls',
      ],
    ])
      assert.equal(classify(line, 'posix').readOnly, false, line);
  });

  it('writes nothing of the store, whatever is held, nor does any other tool', async () => {
    const free = makeSandbox();
    const workspace = free.open();
    await registerWork(await workspace.store(), agent('other-001'), { id: 'T1', workKind: 'task', title: 'Tokens' });
    workspace.close();
    const [lines, others] = [
      attacks.filter((line) => /\.hold?/.test(line)),
      [
        ...['rm -rf $WS', 'rm -r $PWD', 'mv $WS /tmp/x', 'shopt -s dotglob; rm -rf *', "bash -O dotglob -c 'rm -rf *'"],
        ...['git clean -fdx .', 'git clean -fdX -- .', "git clean -fdx '*'", "git clean -fd -e '!*'"],
        ...["find . -name '*' -delete", "find . -name '*.json' -delete", "find . -delete -name '*.log'"],
        ...["find . ! -name '*.log' -delete", "find . -type f -o -name '*.log' -delete"],
      ],
    ];
    assert.ok(lines.length > 10);
    const reached: string[] = [];
    for (const line of [...lines, ...others, `rm -rf ${free.userFolder}`, `echo x > ${free.userFolder}/bin/holdpoint`])
      if (!(await run(free, commandOf(free, line))).isDenied) reached.push(line);
    assert.deepEqual(reached, []);
    for (const [tool, input] of [
      ['Write', { file_path: path.join(free.folder, '.holdpoint/baselines/Q-1.json'), content: '' }],
      ['Edit', { file_path: path.join(free.userFolder, 'bin/holdpoint'), old_string: 'a', new_string: 'b' }],
      ['mcp__files__write', { path: path.join(free.folder, '.HOLDPOINT/journal/00000001.jsonl') }],
    ] as const)
      assert.match((await call(free, tool, input)).err, /belongs to Holdpoint/, tool);
    for (const line of [
      'ls .holdpoint',
      'git add -f .holdpoint/attestations',
      'rm -rf build',
      "find . -name '*.log' -delete",
      'find . -name node_modules -exec rm -rf {} +',
      'git clean -fdx build',
      'git commit -m .holdpoint',
      'rm *',
    ])
      assert.equal((await run(free, line)).isDenied, false, line);
  });

  async function heldOnDisk(): Promise<Sandbox> {
    const place = await setting(['src/held.js'], 'other-001', 's-2');
    place.clock.now = Date.now();
    const workspace = place.open();
    assert.ok(await takeBaselines(workspace));
    workspace.close();
    return place;
  }

  /** The agent is told which file the call changed; then the human restores it. */
  async function assertReported(place: Sandbox, command: string): Promise<void> {
    const held = path.join(place.folder, 'src/held.js');
    const { out } = await hookAnswer(
      { ...place, clock: { now: Date.now() } },
      { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command }, tool_response: {} },
    );
    assert.match(
      out,
      /src\/held\.js is held by Q-1 and was (?:changed|deleted).*holdpoint restore src\/held\.js/,
      command,
    );
    const workspace = place.open();
    const restored = await restoreHeld(workspace, 'src/held.js', () => null);
    workspace.close();
    assert.equal(restored.how, 'restored', command);
    assert.equal(fs.readFileSync(held, 'utf8'), 'one\n', command);
  }

  it('that is not denied before is reported after, and what it changed is restored', async () => {
    assert.ok(reported.length <= (attacks.length + reported.length + kinds.length) * afterwardsAtMost);
    const place = await heldOnDisk();
    const held = path.join(place.folder, 'src/held.js');
    fs.mkdirSync(path.join(place.folder, 'evil'));
    fs.writeFileSync(path.join(place.folder, 'evil/cat'), '#!/bin/sh\necho $$ > src/held.js\n', { mode: 0o755 });
    fs.writeFileSync(path.join(place.folder, 'docs/readme.md'), 'a[$(echo $BASHPID >src/held.js)]\n');
    fs.writeFileSync(path.join(place.folder, 'big'), 'two\n'.repeat(4_000));
    const ran: string[] = [];
    for (const line of reported) {
      assert.equal((await run(place, line)).isDenied, false, line);
      spawnSync('bash', ['-c', line], { cwd: place.folder, stdio: 'ignore' });
      if (fs.existsSync(held) && fs.readFileSync(held, 'utf8') === 'one\n') fs.writeFileSync(held, line);
      else ran.push(line);
      await assertReported(place, line);
    }
    // The others need zsh, a terminal, a compiler, a server or a program that may be missing here.
    assert.ok(ran.length >= 6, ran.join('\n'));
  });

  it('that pushes to a named remote on this machine is reported after it changed a held file', async () => {
    const place = await heldOnDisk();
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', place.folder, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    const held = path.join(place.folder, 'src/held.js');
    git('checkout', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'one');
    git('config', 'receive.denyCurrentBranch', 'updateInstead');
    git('remote', 'add', 'here', place.folder);
    fs.writeFileSync(path.join(place.folder, 'two.js'), 'two\n');
    const blob = git('hash-object', '-w', 'two.js');
    fs.rmSync(path.join(place.folder, 'two.js'));
    git('update-index', '--cacheinfo', `100644,${blob},src/held.js`);
    const commit = git('commit-tree', git('write-tree'), '-p', 'HEAD', '-m', 'two');
    git('reset', '-q');
    git('branch', 'side', commit);
    const command = 'git push here side:main';
    assert.equal((await run(place, command)).isDenied, false);
    git('push', '-q', 'here', 'side:main');
    assert.equal(fs.readFileSync(held, 'utf8'), 'two\n');
    await assertReported(place, command);
  });

  it('that goes on unseen is reported after the call', async () => {
    const place = await heldOnDisk();
    const command = "echo 'echo two > src/held.js' > free.sh; bash free.sh";
    assert.equal((await run(place, command)).isDenied, false);
    execFileSync('bash', ['-c', command], { cwd: place.folder });
    const after = (isLate: () => boolean) =>
      hookAnswer(
        { ...place, clock: { now: Date.now() } },
        { hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_input: { command }, tool_response: {} },
        { isLate },
      );
    const late = await after(() => true);
    assert.match(late.out, /After this call there was no time to compare the files held by Q-1 .*: src\/held\.js\./);
    assert.doesNotMatch(late.out, /denie/i);
    const soon = await after(() => false);
    assert.match(soon.out, /src\/held\.js is held by Q-1 and was changed .*holdpoint restore src\/held\.js/);
  });

  it('with history expansion goes on only where the shell has no history', async () => {
    for (const line of ['echo !rm', 'ls; echo "!rm"', '^ls^rm', 'ls\n ^a^b', 'echo a!$', "echo 'a' !-1 'b'", 'ls !']) {
      const command = commandOf(files, line);
      const isPlain = line === 'ls !';
      assert.equal((await run(files, command, 'vscode')).isDenied, !isPlain, line);
    }
    for (const line of ["grep '!important' a.css", 'echo "Done!"', '[ ! -f x ]', 'find . ! -name x', 'echo \\!x'])
      assert.equal((await run(files, line, 'vscode')).isDenied, false, line);
  });

  it('that may change a held file never goes on in another form', async () => {
    const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
    const forms: readonly ((line: string) => string)[] = [
      (line) => `( ${line}\n)`,
      (line) => `{ ${line}\n}`,
      (line) => `true && ${line}`,
      (line) => `ls; ${line}`,
      (line) => `ls | cat; ${line}`,
      (line) => `if true; then\n${line}\nfi`,
      (line) => `for i in 1; do\n${line}\ndone`,
      (line) => `while true; do\n${line}\nbreak; done`,
      (line) => `case x in x)\n${line}\n;; esac`,
      (line) => `f() {\n${line}\n}; f`,
      (line) => `bash -c ${quoted(line)}`,
      (line) => `eval ${quoted(line)}`,
      (line) => `sh <<'END'\n${line}\nEND`,
      (line) => `cat package.json\n${line}`,
      (line) => `echo "$(\n${line}\n)"`,
      (line) => `cd docs; cd ..; ${line}`,
      (line) => `cd docs && cd .. && ${line}`,
      (line) => `cd docs && cat readme.md; cd ..; ${line}`,
      (line) => `A=1; ${line}`,
      (line) => `watch ${quoted(line)}`.replace(/^watch/, 'bash -lc'),
      (line) => `${line}\ncat package.json`,
      (line) => `set -e\n${line}`,
      (line) => (/['"`]/.test(line) ? line : line.replaceAll('held', "he''ld")),
      (line) => line.replaceAll(/ src\//g, ' ./src/./'),
    ];
    // Whose effect on a file depends on what is around them.
    const lines = attacks.filter((line) => !/<<|^-/.test(line));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...lines),
        fc.array(fc.constantFrom(...forms), { minLength: 1, maxLength: 3 }),
        async (line, chosen) => {
          const command = chosen.reduce((text, form) => form(text), commandOf(files, line));
          const { isDenied } = await run(files, command);
          assert.ok(isDenied, command);
        },
      ),
      { numRuns: runs(400) },
    );
  });
});
