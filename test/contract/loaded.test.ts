/** What programs load before they can answer: each edit of an agent starts one of them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { raiseQuestion } from '../../src/tools/question/raiseQuestion.ts';
import { runOperation } from '../../src/tools/kit/operation.ts';
import { root } from '../support/host.ts';
import { agent } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';
import type { Sandbox } from '../support/store/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';
import type { TemporaryFolder } from '../support/temporary.ts';

/** Records each of our files that is required, or read by what loads it with its compiled code, in every thread. */
const noting = `const fs = require('node:fs'), path = require('node:path'), Module = require('node:module');
const note = (file) => {
  const isBundle = String(file).endsWith('.cjs') && path.basename(path.dirname(path.dirname(file))) !== 'compiled';
  if (isBundle) fs.appendFileSync(process.env.LOADED, path.basename(file) + '\\n');
};
for (const [owner, name] of [[Module, '_load'], [fs, 'readFileSync']]) {
  const load = owner[name];
  owner[name] = function (file) {
    note(file);
    return load.apply(this, arguments);
  };
}`;

/** Starts a program as the launcher starts a hook: beside one that would end it. */
const watched = `node=$1 noting=$2 program=$3
shift 3
/bin/sleep 60 </dev/null >/dev/null 2>&1 &
exec "$node" --require "$noting" "$program" --watched "$$" "$!" "$@"`;

/** Records each saved state that is read. */
const reads = `const fs = require('node:fs'), path = require('node:path');
const { openSync } = fs;
fs.openSync = function (file) {
  const name = path.basename(String(file));
  if (/^holdpoint-.*\\.json$/.test(name)) fs.appendFileSync(process.env.READ, name + '\\n');
  return openSync.apply(this, arguments);
};`;

/** A store with a question that holds `held.ts`, all of it in its saved state. */
async function saved(): Promise<Sandbox> {
  const place = makeSandbox();
  place.clock.now = Date.now();
  const workspace = place.open();
  const context = { workspace, session: agent('other-001'), signal: new AbortController().signal, waitMs: 0 };
  for (let number = 1; number <= 6; number++) {
    const asked = { text: `May I go on (${String(number)})?`, type: 'decision', holds: ['held.ts'] };
    const { status, text } = await runOperation(raiseQuestion, context, { ...asked, background: 'Long. '.repeat(600) });
    assert.equal(status, 'ok', text);
  }
  workspace.close();
  return place;
}

/** Starts the extension in a stub editor that accepts every call, and exits before the next turn. */
const starting = `const Module = require('node:module');
const answers = (own) => (target, name) =>
  name === Symbol.iterator ? [][name] : name === Symbol.toPrimitive ? () => '' : name === 'then' ? undefined : own(target, name);
const all = new Proxy(function () {}, { get: answers((target, name) => (name === 'prototype' ? target[name] : all)), apply: () => all, construct: () => all });
const load = Module._load;
Module._load = function (request) {
  return request === 'vscode' ? all : load.apply(this, arguments);
};
const own = { subscriptions: [], extensionPath: __dirname, globalStorageUri: { fsPath: __dirname }, workspaceState: { get: (name, value) => value } };
require(process.argv[2]).activate(new Proxy(own, { get: answers((target, name) => target[name] ?? all) }));
process.exit(own.subscriptions.length === 1 ? 0 : 1);`;

describe('code loaded before the first answer', () => {
  let parent: TemporaryFolder;
  before(async () => {
    parent = await temporaryFolder();
    await mkdir(path.join(parent.folder, 'ws'));
    await writeFile(path.join(parent.folder, 'noting.cjs'), noting);
    await writeFile(path.join(parent.folder, 'starting.cjs'), starting);
  });
  after(() => parent.remove());
  afterEach(removeSandboxes);

  async function loadedBy(
    program: string,
    args: readonly string[],
    input = '',
    { isWatched = false, home = parent.folder, ends = 0 } = {},
  ): Promise<string[]> {
    const loaded = path.join(parent.folder, 'loaded.txt');
    await writeFile(loaded, '');
    const [noting, file] = [path.join(parent.folder, 'noting.cjs'), path.resolve(root, 'dist', program)];
    const [command, all] = isWatched
      ? ['/bin/sh', ['-c', watched, 'sh', process.execPath, noting, file, ...args]]
      : [process.execPath, ['--require', noting, file, ...args]];
    const env = { ...process.env, HOME: home, LOADED: loaded };
    const { status, stderr } = spawnSync(command, all, { input, encoding: 'utf8', cwd: parent.folder, env });
    assert.equal(status, ends, stderr);
    const names = (await readFile(loaded, 'utf8')).split('\n').filter(Boolean);
    // What it starts with is no news.
    const { base, name } = path.parse(program);
    return [...new Set(names)].filter((one) => ![base, `${name}Main.cjs`, 'noting.cjs'].includes(one)).sort();
  }

  const workspace = () => ['--workspace', path.join(parent.folder, 'ws')];
  const call = (tool: string, input: object = { file_path: path.join(parent.folder, 'ws', 'a.ts') }) =>
    JSON.stringify({
      ...{ hook_event_name: 'PreToolUse', session_id: 's-1', cwd: path.join(parent.folder, 'ws'), tool_name: tool },
      tool_input: input,
    });

  it('by a gate is the base that programs share', async () => {
    assert.deepEqual(await loadedBy('cli.cjs', [...workspace(), 'gate', '--file', 'a.ts']), ['base.cjs']);
  });

  it('by a gate and a hook that answer from a saved state is the same', async () => {
    const place = await saved();
    const gate = (...asked: string[]) => ['--workspace', place.folder, 'gate', ...asked];
    const { home } = place;
    assert.deepEqual(await loadedBy('cli.cjs', gate('--file', 'free.ts'), '', { home }), ['base.cjs']);
    assert.deepEqual(await loadedBy('cli.cjs', gate('--file', 'held.ts'), '', { home, ends: 2 }), ['base.cjs']);
    for (const [file, ends] of [
      ['free.ts', 0],
      ['held.ts', 2],
    ] as const) {
      const edit = { hook_event_name: 'PreToolUse', session_id: 's-1', cwd: place.folder, tool_name: 'Edit' };
      const input = JSON.stringify({ ...edit, tool_input: { file_path: path.join(place.folder, file) } });
      const args = ['claude-code', '--workspace', place.folder];
      const loaded = await loadedBy('hook.cjs', args, input, { home, ends });
      assert.deepEqual(loaded, ['base.cjs', 'calls.cjs', 'hookThread.cjs', 'hookWork.cjs']);
    }
  });

  it('by the help of all commands is what describes them, and no library', async () => {
    assert.deepEqual(await loadedBy('cli.cjs', ['--help']), ['verbs.cjs']);
  });

  it('by commands that list from the state is no database', async () => {
    for (const list of ['question list', 'work list', 'inbox']) {
      const loaded = await loadedBy('cli.cjs', [...workspace(), ...list.split(' ')]);
      assert.ok(loaded.includes('base.cjs') && !loaded.includes('sqljs.cjs'), list);
    }
  });

  it('by a command that lists questions includes the saved state once', async () => {
    const folder = path.join(parent.folder, 'saved');
    await mkdir(folder);
    const read = path.join(parent.folder, 'read.txt');
    await writeFile(path.join(parent.folder, 'reads.cjs'), reads);
    const holdpoint = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [
          ...['--require', path.join(parent.folder, 'reads.cjs'), path.resolve(root, 'dist/cli.cjs')],
          ...['--workspace', folder, ...args],
        ],
        { encoding: 'utf8', cwd: parent.folder, env: { ...process.env, HOME: parent.folder, READ: read } },
      );
      assert.equal(status, 0, stderr);
      return stdout;
    };
    const background = 'Long. '.repeat(600);
    for (let number = 1; number <= 6; number++)
      holdpoint('question', 'create', '--text', `May I go on (${String(number)})?`, '--background', background);
    await writeFile(read, '');
    assert.match(holdpoint('question', 'list', '--all'), /^6 questions/);
    assert.match(await readFile(read, 'utf8'), /^holdpoint-\d+-\w+\.json\n$/);
  });

  it('by a command that lists questions compiles SQLite once, without V8’s optimizing compiler', () => {
    const compiled = spawnSync(
      process.execPath,
      [
        '--trace-wasm-compilation-times',
        path.resolve(root, 'dist/cli.cjs'),
        ...workspace(),
        'question',
        'list',
        '--all',
      ],
      { encoding: 'utf8', cwd: parent.folder, env: { ...process.env, HOME: parent.folder } },
    ).stdout;
    assert.deepEqual([...new Set(compiled.match(/(?<=using )\w+/g))], ['Liftoff']);
  });

  it('by a hook before an edit is the same, plus its own thread where nothing watches it', async function () {
    const loaded = await loadedBy('hook.cjs', ['claude-code', ...workspace()], call('Edit'));
    assert.deepEqual(loaded, ['base.cjs', 'calls.cjs', 'hookThread.cjs', 'hookWork.cjs']);
    if (process.platform === 'win32') this.skip();
    const inOneThread = await loadedBy('hook.cjs', ['claude-code', ...workspace()], call('Edit'), { isWatched: true });
    assert.deepEqual(inOneThread, ['base.cjs', 'calls.cjs', 'hookWork.cjs']);
  });

  it('by a hook before a command also includes the parser of shell scripts', async () => {
    const loaded = await loadedBy('hook.cjs', ['claude-code', ...workspace()], call('Bash', { command: 'touch a' }));
    assert.deepEqual(loaded, ['base.cjs', 'calls.cjs', 'hookThread.cjs', 'hookWork.cjs', 'shell.cjs']);
  });

  it('by a hook before a file is read is what reads calls, and no thread', async () => {
    assert.deepEqual(await loadedBy('hook.cjs', ['claude-code', ...workspace()], call('Read')), ['calls.cjs']);
  });

  it('by an administrator’s hook after a call, where nothing is held, is what reads calls, and no thread', async () => {
    const after = JSON.stringify({
      ...JSON.parse(call('Bash', { command: 'touch a' })),
      hook_event_name: 'PostToolUse',
    });
    assert.deepEqual(await loadedBy('hook.cjs', ['claude-code', '--context', '--machine'], after), ['calls.cjs']);
  });

  it('by a hook that notes a question of the host is also what commits, and no database', async () => {
    const open = ['question', 'create', '--text', 'May I?', '--type', 'clarification'];
    const env = { ...process.env, HOME: parent.folder };
    spawnSync(process.execPath, [path.resolve(root, 'dist', 'cli.cjs'), ...workspace(), ...open], { env });
    const asking = call('AskUserQuestion', { questions: [{ question: 'Which way?' }] });
    const loaded = await loadedBy('hook.cjs', ['claude-code', ...workspace()], asking);
    const committing = ['reading.cjs', 'seldom.cjs', 'shared.cjs', 'zod.cjs'];
    assert.deepEqual(loaded, ['base.cjs', 'calls.cjs', 'folding.cjs', 'hookThread.cjs', 'hookWork.cjs', ...committing]);
    const { stdout } = spawnSync(
      process.execPath,
      [path.resolve(root, 'dist', 'cli.cjs'), ...workspace(), 'question', 'list'],
      {
        env,
        encoding: 'utf8',
      },
    );
    assert.match(stdout, /Which way\?/);
  });

  it('by the extension before VS Code starts it is nothing else but what translates', async () => {
    const extension = path.join(root, 'dist', 'extension.cjs');
    const loaded = await loadedBy(path.join(parent.folder, 'starting.cjs'), [extension]);
    assert.deepEqual(loaded, ['extension.cjs', 'l10n.cjs']);
  });
});
