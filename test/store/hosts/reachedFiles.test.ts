/** Which calls a hook denies while `src/held.js` and `lib/core` are held, by the files they reach. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import type { HostName } from '../../../src/hosts/host.ts';
import { heldPlace } from '../../support/store/heldPlace.ts';
import { hookAnswer } from '../../support/store/hookAnswer.ts';
import { realFs, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';
import { askGate } from '../../../src/app/hold/gate.ts';

describe('a hook denies a call that may reach a held file', () => {
  const files = ['src/held.js', 'src/free.js', 'lib/core/a.js', 'docs/readme.md'];

  const setting = () => heldPlace(files, ['src/held.js', 'lib/core']);

  interface Use {
    readonly host?: HostName;
    /** The host's name of the event before a tool. */
    readonly event?: string;
    readonly tool: string;
    readonly input: unknown;
    /** Null where the host does not tell. */
    readonly cwd?: string | null;
    readonly platform?: NodeJS.Platform;
  }

  async function denied(
    place: Sandbox,
    { host = 'claude-code', event = 'PreToolUse', tool, input, cwd = place.folder, platform = 'linux' }: Use,
  ): Promise<boolean> {
    const { exit, err } = await hookAnswer(
      place,
      { hook_event_name: event, tool_name: tool, tool_input: input, cwd: cwd ?? undefined },
      { host, platform, env: { HOLDPOINT_STATE_FOLDER: place.userFolder } },
    );
    if (exit === 2) assert.match(err, /(?:is|are) held by Q-1/, err);
    return exit === 2;
  }

  let place: Sandbox;
  before(async () => {
    place = await setting();
  });
  after(removeSandboxes);

  const edit = (file: string): Use => ({ tool: 'Edit', input: { file_path: file } });
  const long = 'x/../'.repeat(250);
  const patch = (file: string) => `*** Begin Patch\n*** Update File: ${file}\n@@\n-one\n+two\n*** End Patch`;

  for (const file of [
    'data:/../src/held.js',
    'https:/../src/held.js',
    'https://example.com/../../src/held.js',
    'git:x/../../src/held.js',
    'mailto:/../src/held.js',
    'file:/../src/held.js',
    'file:src/held.js',
    '~/../ws/src/held.js',
    '$HOME/../ws/src/held.js',
    'untitled:src/held.js',
    `${long}src/held.js`,
    'src/held.js\u0000.txt',
    'src/\u0001/../held.js',
    'src/held.js\u0085',
    '\u009fsrc/held.js',
    'src/held.js\u2028',
    './src//held.js',
    'lib/core',
    'lib',
    '/proc/self/cwd/src/held.js',
    '/dev/fd/3',
  ])
    it(`edits: ${JSON.stringify(file.slice(0, 60))}`, async () => {
      assert.equal(await denied(place, edit(file)), true);
    });

  const gemini = (tool: string, file: string): Use => ({
    ...{ host: 'gemini-cli', event: 'BeforeTool', tool },
    input: { file_path: file, old_string: 'one', new_string: 'two', content: 'two' },
  });
  for (const tool of ['replace', 'write_file'])
    for (const file of [
      'src/held.js',
      'src/%68eld.js',
      'src%2fheld.js',
      'src/%2568eld.js',
      'a%2fb/../src%2Fheld.js',
      'src/x%2f..%2fheld.js',
      '@src/held.js',
      '@/src/held.js',
      '@//src/held.js',
      '@\\src/held.js',
      '@@src/held.js',
      '@src/%68eld.js',
      '@./docs/../src/held.js',
      'lib/%63ore/new.js',
    ])
      it(`Gemini CLI's ${tool}: ${file}`, async () => {
        assert.equal(await denied(place, gemini(tool, file)), true);
        if (!file.startsWith('@'))
          assert.equal(await denied(place, gemini(tool, place.at('ws', file))), true, 'absolute');
      });

  it('Gemini CLI’s replace of a relative path that does not exist, because it looks in all folders', async () => {
    for (const file of ['held.js', 'a.js', 'core/a.js', 'new.js', '@src/free.js', 'docs/../held.js', '~/new.js'])
      assert.equal(await denied(place, gemini('replace', file)), true, file);
    for (const file of ['src/free.js', './docs/readme.md', 'none/../docs/readme.md', place.at('ws', 'new.js')])
      assert.equal(await denied(place, gemini('replace', file)), false, file);
    for (const file of ['held.js', 'new.js', 'docs/100%.md', '@src/free.js', '@scope/a.js', 'src/%66ree.js'])
      assert.equal(await denied(place, gemini('write_file', file)), false, file);
  });

  for (const [name, tool, input] of [
    ['two patch fields', 'apply_patch', { input: patch('docs/readme.md'), patch: patch('src/held.js') }],
    [
      'a patch as words',
      'apply_patch',
      { command: ['apply_patch', patch('src/held.js').split('\n').slice(1).join('\n')] },
    ],
    ['a carriage return in a name', 'apply_patch', { input: patch('src/x\r/../held.js') }],
    ['a name that ends in a control character', 'apply_patch', { input: patch('src/held.js\u0085') }],
    ['a header after a control character', 'apply_patch', { input: `\u0085${patch('src/held.js').slice(16)}` }],
    [
      'a carriage return in a here-document',
      'shell',
      { command: `apply_patch <<'X'\n${patch('src/x\r/../held.js')}\nX` },
    ],
    [
      'a control character in a here-document',
      'shell',
      { command: `apply_patch <<'X'\n${patch('src/held.js\u0085')}\nX` },
    ],
    ['a quoted name', 'apply_patch', { input: '--- "a/src/h\\145ld.js"\n+++ "b/src/h\\145ld.js"\n' }],
    [
      'a patch in a longer list than is looked at',
      'apply_patch',
      { input: patch('docs/a'), patch: Array(3_000).fill(patch('docs/a')) },
    ],
  ] as const)
    it(`patches: ${name}`, async () => {
      assert.equal(await denied(place, { host: 'codex', tool, input }), true);
    });

  for (const input of [
    { command: 'rm src/held.js' },
    { cmd: ['sh', '-c', 'rm src/held.js'] },
    { output: 'src/held.js' },
    { out: 'src/held.js' },
    { diff: '--- a/src/held.js\n+++ b/src/held.js\n' },
    { code: "open('src/held.js', 'w')" },
    { script: 'git reset --hard' },
    { anything: 'src/held.js' },
    { path: '~/../ws/src/held.js' },
    { line: 'git reset --hard' },
    { argv: ['git', 'reset', '--hard'] },
    { program: 'git', args: ['reset', '--hard'] },
    { run: [{ cmd: 'git', arguments: 'checkout .' }] },
    { files: { 'src/held.js': 'x' } },
    { cwd: 'src', file: 'held.js' },
    { path: { value: 'src/held.js' } },
    { uri: 'https://example.com/../../src/held.js' },
    { glob: 'src/*.js' },
    { glob: 's*' },
    { files: ['*'] },
    { files: 'docs/*.md lib/*/a.js' },
    { anything: '**/*.js' },
    { anything: 'src/h?ld.js' },
    { anything: 'src/{held,free}.js' },
    { files: 'src/free.js src/held.js' },
    { files: 'Makefile\nlib' },
    { names: 'src/free.js,src/held.js' },
    { names: 'docs/a.md; src/held.js' },
    { names: '["docs/a.md", "src/held.js"]' },
    { names: 'src/held.js\u0085' },
    { names: 'cat src/held.js' },
    { cmd: 'cat src/held.js', names: 'cat src/held.js' },
    { line: 'rm src/held.js' },
    { line: 'rm -rf some folders and src/h*.js' },
    { line: 'rm held.js', dir: 'src' },
    { line: 'cd src && git reset --hard' },
    { line: 'mv "$(cat list)" docs' },
    { line: 'cat one two three > src/held.js' },
    { task: 'sed -i s/a/b/ src/held.js' },
    { input: 'tee -a x y z src/held.js' },
    {
      content: Array.from({ length: 600 }, (_, at) => `docs/${String(at)}.md`)
        .join(' ')
        .concat(' src/held.js'),
    },
    { paths: Array(3_000).fill('docs/readme.md') },
    { a: { b: { c: { d: { e: { f: { g: { path: 'src/held.js' } } } } } } } },
  ])
    it(`an MCP tool with ${JSON.stringify(input).slice(0, 80)}`, async () => {
      assert.equal(await denied(place, { tool: 'mcp__x__run', input }), true);
    });

  it('a tool of a server that only has a name like ours', async () => {
    for (const tool of ['mcp__holdpoint2__holdpoint_post_note', 'mcp__holdpoint_x__holdpoint_post_note'])
      assert.equal(await denied(place, { tool, input: { path: 'src/held.js' } }), true, tool);
  });

  describe('on Windows', () => {
    const platform = 'win32';
    for (const file of [
      ...['src/held.js.', 'src/held.js . .', 'src./held.js', 'src\\held.js::$DATA', 'src/held.js:note', 'SRC/Held.js'],
      ...['lib/core/new.js', 'lib/core. /new.js', 'src::$INDEX_ALLOCATION/held.js', '.../src/held.js', 'C:held.js'],
      ...['\\\\localhost\\c$\\ws\\src\\held.js', '//host/share/a.js', '\\\\?\\Volume{1}\\ws\\src\\held.js'],
    ])
      it(`edits: ${file}`, async () => {
        assert.equal(await denied(place, { ...edit(file), platform }), true);
      });

    for (const command of [
      ...['rm src/held.js.', 'rm SRC/held.js', "python -c \"open('SRC\\\\Held.js', 'w')\"", 'node x.js src/HELD.js'],
      "rm '//localhost/c$/ws/src/held.js'",
    ])
      it(`runs: ${command}`, async () => {
        assert.equal(await denied(place, { tool: 'Bash', input: { command }, platform }), true);
      });

    it('but not other files', async () => {
      for (const file of ['docs/readme.md', 'src\\free.js', 'new/.env', 'docs/..\\src/free.js'])
        assert.equal(await denied(place, { ...edit(file), platform }), false, file);
      for (const command of [
        'curl https://example.com/a -d x',
        "sed -i 's/a/b/' docs/readme.md",
        'npm test 2>&1 | tail',
      ])
        assert.equal(await denied(place, { tool: 'Bash', input: { command }, platform }), false, command);
    });
  });

  it('a file that a text mentions, in other capitals where case does not matter', async () => {
    const mentions = (name: string, platform: NodeJS.Platform) =>
      denied(place, { tool: 'Bash', input: { command: `tool "v=${name};b"` }, platform });
    for (const name of ['src/held.js', 'src//held.js']) assert.equal(await mentions(name, 'linux'), true, name);
    assert.equal(await mentions('SRC/Held.js', 'linux'), false);
    for (const platform of ['darwin', 'win32'] as const) assert.equal(await mentions('SRC/Held.js', platform), true);
  });

  for (const command of [
    'sed -i s/one/two/ ../*/src/h*.js',
    'tar xf a.tar -C ..',
    'find .. -delete',
    'rm -rf ../..',
    'cp a ..',
  ])
    it(`a command on a folder above: ${command}`, async () => {
      assert.equal(await denied(place, { tool: 'Bash', input: { command } }), true);
    });

  it('a relative path where the folder of the terminal is unknown', async () => {
    assert.equal(await denied(place, { tool: 'Bash', input: { command: 'rm held.js' }, cwd: null }), true);
  });

  it('hard links to a held file, and to a file in a held folder', async function () {
    if (process.platform === 'win32') this.skip();
    fs.linkSync(place.at('ws', 'src', 'held.js'), place.at('ws', 'docs', 'link.js'));
    fs.linkSync(place.at('ws', 'lib', 'core', 'a.js'), place.at('outside.js'));
    assert.equal(await denied(place, edit('docs/link.js')), true);
    assert.equal(await denied(place, edit(place.at('outside.js'))), true);
    assert.equal(await denied(place, { tool: 'Bash', input: { command: 'prettier --write docs/*' } }), true);
    fs.rmSync(place.at('ws', 'docs', 'link.js'));
    fs.rmSync(place.at('outside.js'));
  });

  it('a held file in a folder that is mounted in a second place', async () => {
    const mounted = place.at('mounted');
    const statSync = ((file: string, options?: fs.StatSyncOptions) =>
      fs.statSync(file.replace(mounted, place.folder), options)) as typeof fs.statSync;
    for (const [file, expected] of [
      ['src/held.js', 2],
      ['src/free.js', 0],
    ] as const) {
      const call = { tool_name: 'Edit', tool_input: { file_path: `${mounted}/${file}` } };
      assert.equal((await hookAnswer(place, call, { fs: { ...realFs, statSync } })).exit, expected, file);
    }
  });

  it('but not other files', async () => {
    for (const file of ['docs/readme.md', 'src/free.js', 'new/folder/file.js', place.at('outside.js')])
      assert.equal(await denied(place, edit(file)), false, file);
    for (const input of [
      { path: 'docs/readme.md' },
      { url: 'https://example.com/a/b' },
      { uri: 'https://example.com/' },
      { text: 'x' },
      { name: 'search', arguments: '{"query": "$x (y"}' },
      { program: 'node', args: ['docs/build.js'] },
      { cmd: 'cat src/held.js' },
      { cmd: 'grep -rn token src/*.js' },
      { thought: 'In src/held.js the tokens are read twice, so I will ask before I change it.' },
      { title: 'Tokens', body: 'The file src/held.js reads tokens twice.\n\n- It should read them once.\n' },
      { question: 'how does src/held.js read its tokens?' },
      { text: 'Find out why lib/core fails (and whether it should).' },
      { names: 'docs/readme.md src/free.js' },
      { glob: 'docs/*.md' },
      { files: 'docs/*.md, src/free.js' },
      { url: 'https://example.com/src/held.js', text: 'See https://example.com/src/held.js' },
      { line: 'rm docs/readme.md' },
      { text: 'find out what the files do' },
      { values: Array.from({ length: 2_000 }, (_, at) => `${String(at)}.5`).join(',') },
      { path: 'docs/list.txt', content: "import { a } from './held.js';\nconst b = a(1.5);\n" },
    ])
      assert.equal(await denied(place, { tool: 'mcp__x__run', input }), false, JSON.stringify(input));
    assert.equal(
      await denied(place, { tool: 'mcp__holdpoint__holdpoint_post_note', input: { path: 'src/held.js' } }),
      false,
    );
  });
});

/** What a hook and the gate say of folders while globs with wildcards are held: a folder stands for what is in it. */
{
  const files = [
    'src/a/held.js',
    'src/a/free.js',
    'src/plain.js',
    'db/migrations/1.sql',
    'db/readme.md',
    'docs/a.md',
    'x/held.js',
  ];

  const setting = (...holds: string[]) => heldPlace(files, holds);

  async function denied(place: Sandbox, tool: string, input: object): Promise<boolean> {
    const { exit, err } = await hookAnswer(place, { tool_name: tool, tool_input: input });
    if (exit === 2) assert.match(err, /(?:is|are) held by Q-1/, err);
    return exit === 2;
  }

  function check(place: () => Sandbox, expected: boolean, commands: readonly string[]): void {
    for (const command of commands)
      it(`${expected ? 'denied' : 'allowed'}: ${command}`, async () => {
        assert.equal(await denied(place(), 'Bash', { command }), expected);
      });
  }

  describe('while **/*.sql is held', () => {
    let place: Sandbox;
    before(async () => {
      place = await setting('**/*.sql');
      fs.symlinkSync(place.at('ws', 'db'), place.at('ws', 'link'), 'junction');
    });
    after(removeSandboxes);

    check(() => place, true, [
      'rm -rf db',
      'mv db old',
      'mv ./db/ old',
      'rm db/migrations/*.sql',
      'rm db/migrations/*',
      'rm missing/*.sql',
      'cd db && rm -r migrations',
      'git checkout -- db',
      'git restore db/migrations',
      'git rm -r db',
      'find db -delete',
      'ln -sfn x db',
      'rm link',
      'chmod -R 000 db',
      'tar xf a.tar -C db',
      'touch fresh.sql',
      'cp /tmp/1.sql fresh',
    ]);

    check(() => place, false, [
      'rm docs/a.md',
      'touch fresh.txt',
      'echo two > src/plain.js',
      'echo two > LICENSE',
      'cp src/plain.js src/other.js',
      'mv src/plain.js docs/b.md',
      'mkdir -p fresh/deep',
      'npm test',
      // Which files they make is known afterwards.
      'unzip a.zip -d fresh',
      'rsync -a host:dumps fresh',
      'git clone https://example.com/dumps fresh',
    ]);

    it('tools of MCP servers may not name a folder, and may name a file', async () => {
      assert.equal(await denied(place, 'mcp__files__move', { source: 'db', destination: 'old' }), true);
      assert.equal(await denied(place, 'mcp__files__move', { source: place.at('ws', 'db') }), true);
      assert.equal(await denied(place, 'mcp__files__move', { source: 'src/plain.js', destination: 'src/b.js' }), false);
    });

    it('edits of files that exist, or are new, are as before', async () => {
      for (const [file, expected] of [
        ['db/migrations/1.sql', true],
        ['new/1.sql', true],
        ['db/readme.md', false],
        ['new/readme.md', false],
      ] as const)
        assert.equal(await denied(place, 'Write', { file_path: file }), expected, file);
    });

    it('the gate denies folders, and allows other files', () => {
      const workspace = place.open();
      const verdict = (file: string) => askGate(workspace, { files: [file] }).verdict;
      for (const folder of ['db', 'db/migrations', 'db/', './db/migrations', 'link', 'new/', place.at('ws', 'db')])
        assert.equal(verdict(folder), 'deny', folder);
      for (const file of ['db/readme.md', 'new', 'new/readme.md']) assert.equal(verdict(file), 'allow', file);
      workspace.close();
    });
  });

  describe('while src/*/held.js is held', () => {
    let place: Sandbox;
    before(async () => {
      place = await setting('src/*/held.js');
    });
    after(removeSandboxes);

    check(() => place, true, [
      'rm -rf src/a',
      'mv src/a old',
      'rm -rf src',
      'sed -i s/one/two/ src/a/*.js',
      'rm src/a/h*.js',
      'npx prettier --write "src/a/**"',
      'git checkout -- src/a',
      'mv x src/b',
      'ln -s ../x src/b',
      'cp x/held.js src/b',
    ]);

    check(() => place, false, [
      'rm src/a/free.js',
      'rm -rf db',
      'rm db/migrations/*',
      'touch src/new.js',
      'mkdir src/b',
      'cp docs/a.md src/b.md',
      'mv src/plain.js src/b.js',
      'mv db docs/b',
      'cp -r docs db/docs',
      // The new file in it is known afterwards.
      'cp -r x src/b',
    ]);
  });
}
