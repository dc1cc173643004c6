/** What a hook and the gate say of folders while globs with wildcards are held: a folder stands for what is in it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { answerHook } from '../../../src/hook/answer.ts';
import { askGate } from '../../../src/app/hold/gate.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { registerWork } from '../../../src/app/work/work.ts';
import { agent } from '../../support/store/people.ts';
import { makeSandbox, realFs, removeSandboxes, wasm, type Sandbox } from '../../support/store/sandbox.ts';

const files = [
  'src/a/held.js',
  'src/a/free.js',
  'src/plain.js',
  'db/migrations/1.sql',
  'db/readme.md',
  'docs/a.md',
  'x/held.js',
];

async function setting(...holds: string[]): Promise<Sandbox> {
  const sandbox = makeSandbox();
  for (const file of files) {
    fs.mkdirSync(path.dirname(path.join(sandbox.folder, file)), { recursive: true });
    fs.writeFileSync(path.join(sandbox.folder, file), 'one\n');
  }
  const workspace = sandbox.open();
  const store = await workspace.store();
  const other = agent('other-001');
  await registerWork(store, other, { id: 'T1', workKind: 'task', title: 'Tokens' });
  await raiseQuestion(store, other, {
    ...{ type: 'clarification', urgency: 'medium', mode: 'sync' },
    ...{ text: 'JWT or sessions?', work: 'T1', holds },
  });
  return sandbox;
}

async function denied(place: Sandbox, tool: string, input: object): Promise<boolean> {
  const payload = {
    ...{ hook_event_name: 'PreToolUse', session_id: 's-1', cwd: place.folder, tool_name: tool, tool_input: input },
  };
  const { exit, err } = await answerHook(
    { host: 'claude-code', folder: place.folder, bytes: Buffer.from(JSON.stringify(payload)) },
    {
      ...{ fs: realFs, env: {}, platform: 'linux' as const, home: place.home },
      ...{ clock: () => place.clock.now, newId: randomUUID, wasm },
    },
  );
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
    'unzip a.zip -d fresh',
    'rsync -a host:dumps fresh',
    'git clone https://example.com/dumps fresh',
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
    'cp -r x src/b',
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
  ]);
});
