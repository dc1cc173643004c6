/** What programs load before they can answer: each edit of an agent starts one of them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../support/host.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';

/** Lists our files that were loaded. */
const noting = `process.on('exit', () => require('node:fs').writeFileSync(process.env.LOADED, Object.keys(require.cache).join('\\n')));`;

/** Records each saved state that is read. */
const reads = `const fs = require('node:fs'), path = require('node:path');
const { openSync } = fs;
fs.openSync = function (file) {
  const name = path.basename(String(file));
  if (/^holdpoint-.*\\.json$/.test(name)) fs.appendFileSync(process.env.READ, name + '\\n');
  return openSync.apply(this, arguments);
};`;

interface Output {
  readonly inputs: Readonly<Record<string, unknown>>;
}

describe('code loaded before the first answer', () => {
  let parent: TemporaryFolder;
  let outputs: Readonly<Record<string, Output>>;
  before(async () => {
    parent = await temporaryFolder();
    await mkdir(path.join(parent.folder, 'ws'));
    await writeFile(path.join(parent.folder, 'noting.cjs'), noting);
    outputs = JSON.parse(await readFile(path.join(root, 'build', 'metafile.json'), 'utf8')) as typeof outputs;
  });
  after(() => parent.remove());

  /** The modules in the files that a program loads: ours by path, others by package. */
  async function loadedBy(
    program: string,
    args: readonly string[],
    input = '',
    { home = parent.folder, ends = 0 } = {},
  ): Promise<string[]> {
    const loaded = path.join(parent.folder, 'loaded.txt');
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--require', path.join(parent.folder, 'noting.cjs'), path.resolve(root, 'dist', program), ...args],
      { input, encoding: 'utf8', cwd: parent.folder, env: { ...process.env, HOME: home, LOADED: loaded } },
    );
    assert.equal(status, ends, stderr);
    const files = (await readFile(loaded, 'utf8')).split('\n').map((file) => `dist/${path.basename(file)}`);
    const modules = files.flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
    return [...new Set(modules.map((name) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? name))].sort();
  }

  const workspace = () => ['--workspace', path.join(parent.folder, 'ws')];
  const call = (tool: string, input: object = { file_path: path.join(parent.folder, 'ws', 'a.ts') }) =>
    JSON.stringify({
      ...{ hook_event_name: 'PreToolUse', session_id: 's-1', cwd: path.join(parent.folder, 'ws'), tool_name: tool },
      tool_input: input,
    });

  it('by commands that need only the state is no database', async () => {
    for (const list of ['--help', 'inbox'])
      assert.ok(!(await loadedBy('cli.cjs', [...workspace(), ...list.split(' ')])).includes('sql.js'), list);
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

  it('by a hook is no package, and nothing that folds a journal', async () => {
    const modules = await loadedBy('hook.cjs', ['claude-code', ...workspace()], call('Read'));
    assert.ok(modules.includes('src/hook/main.ts'));
    assert.deepEqual(
      modules.filter(
        (name) =>
          !/^src\/|^\0rolldown\/runtime/.test(name) || /workspace\/workspace|journal\/ledger|core\/fold/.test(name),
      ),
      [],
    );
  });
});
