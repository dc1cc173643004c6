/**
 * Command lines of an agent's day while files are held, run through the hook on a real store: ordinary ones go on, and
 * none of those that may change a held file does. In the files, `\n` is a line break and `$WS` the workspace.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { answerHook } from '../../../src/hook/answer.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import type { HostName } from '../../../src/hosts/names.ts';
import { classify } from '../../../src/hosts/shell/classify.ts';
import { root } from '../../support/host.ts';
import { runs } from '../../support/runs.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, wasm } from '../../support/store/sandbox.ts';
import type { Sandbox } from '../../support/store/sandbox.ts';

function linesOf(name: string): string[] {
  return fs
    .readFileSync(path.join(root, 'test', 'fixtures', 'commands', `${name}.txt`), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

const [ordinary, reading, attacks] = [linesOf('ordinary'), linesOf('reading'), linesOf('attacks')];

function commandOf(place: Pick<Sandbox, 'folder'>, line: string): string {
  return line.replaceAll('\\n', '\n').replaceAll('$WS', place.folder);
}

async function setting(holds: string[], asker: string, session: string): Promise<Sandbox> {
  const sandbox = makeSandbox();
  for (const file of ['src/held.js', 'src/free.js', 'lib/core/a.js', 'docs/readme.md', 'Makefile', 'package.json']) {
    fs.mkdirSync(path.dirname(path.join(sandbox.folder, file)), { recursive: true });
    fs.writeFileSync(path.join(sandbox.folder, file), 'one\n');
  }
  execFileSync('git', ['init', '-q', sandbox.folder]);
  const workspace = sandbox.open();
  const store = await workspace.store();
  const who = agent(asker, { session });
  await registerWork(store, who, { id: 'T1', workKind: 'task', title: 'Tokens' });
  await raiseQuestion(store, who, {
    ...{ type: 'clarification', urgency: 'medium', mode: 'sync' },
    ...{ text: 'JWT or sessions?', work: 'T1', holds },
  });
  return sandbox;
}

async function run(place: Sandbox, command: string, host: HostName = 'claude-code') {
  const tool = host === 'vscode' ? 'run_in_terminal' : 'Bash';
  const payload = { hook_event_name: 'PreToolUse', session_id: 's-1', cwd: place.folder, tool_name: tool };
  const { exit, err } = await answerHook(
    { host, folder: place.folder, bytes: Buffer.from(JSON.stringify({ ...payload, tool_input: { command } })) },
    {
      ...{ fs: realFs, env: { PATH: process.env['PATH'] }, platform: 'linux' as const, home: place.home },
      ...{ clock: () => place.clock.now, newId: randomUUID, wasm },
    },
  );
  return { isDenied: exit === 2, err };
}

/** The share of ordinary lines that may be denied. */
const wronglyAtMost = 0.03;

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
      assert.match(err, /Git would|Split it into|name only files|The command names|held_session|Only a human/, line);
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
    const moved = ordinary.map((line) => (line.startsWith('cd $WS') ? line : `cd $WS && ${line}`));
    const denied = await deniedOf(files, moved, 'vscode');
    assert.ok(denied.length <= moved.length * wronglyAtMost, `${String(denied.length)} denied:\n${denied.join('\n')}`);
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
    const free = attacks.filter((line) => classify(commandOf(place, line), 'posix').readOnly);
    assert.deepEqual(free, []);
  });

  for (const host of ['claude-code', 'vscode'] as const)
    it(`that may change a held file never goes on: ${host}`, async () => {
      const free: string[] = [];
      for (const line of attacks) if (!(await run(files, commandOf(files, line), host)).isDenied) free.push(line);
      assert.deepEqual(free, []);
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
