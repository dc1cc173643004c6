/** The commands that `holdpoint setup` writes for Cursor, run as Cursor's documentation says, on payloads of its form. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { holdpoint } from '../support/holdpoint.ts';
import { root } from '../support/host.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary.ts';

type Event = 'preToolUse' | 'postToolUse' | 'postToolUseFailure' | 'stop';

describe('The hooks of Cursor', function () {
  this.timeout(120_000);
  let place: TemporaryFolder;
  let workspace = '';
  let env: Record<string, string>;

  before(async function () {
    if (process.platform === 'win32') this.skip();
    place = await temporaryFolder();
    workspace = path.join(place.folder, 'shop');
    const home = path.join(place.folder, 'home');
    for (const folder of [path.join(workspace, 'src'), home]) await mkdir(folder, { recursive: true });
    await writeFile(path.join(workspace, 'src', 'a.js'), 'one\n');
    env = { PATH: [path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter), HOME: home };
    const asked = await holdpoint(
      { workspace, env: { ...env, HOLDPOINT_AGENT_ID: 'other-001' } },
      ...['question', 'create', '--text', 'May I change src?', '--type', 'decision', '--holds', 'src/**'],
    );
    assert.equal(asked.code, 0, asked.err);
    const setup = await holdpoint({ workspace, env }, 'setup', '--host', 'cursor', '--host', 'claude-code');
    assert.equal(setup.code, 0, setup.err);
  });
  after(async () => {
    await (place as TemporaryFolder | undefined)?.remove();
  });

  /** A fixture with the folder of this test. */
  async function payload(name: string): Promise<string> {
    const file = path.join(root, 'test', 'fixtures', 'hooks', 'cursor', `${name}.json`);
    const { payload: sent } = JSON.parse(await readFile(file, 'utf8')) as { payload: object };
    return JSON.stringify(sent).replaceAll('/home/dev/shop', () => workspace);
  }

  async function run(event: Event, name: string, file = path.join('.cursor', 'hooks.json')) {
    const { hooks } = JSON.parse(await readFile(path.join(workspace, file), 'utf8')) as {
      hooks: Record<string, { command?: string; hooks?: { command: string }[] }[]>;
    };
    const entry = hooks[event === 'preToolUse' && file.includes('.claude') ? 'PreToolUse' : event]?.[0];
    const command = entry?.command ?? entry?.hooks?.[0]?.command ?? '';
    const options = { cwd: workspace, env, input: await payload(name), encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync('sh', ['-c', command], options);
    return { status, said: JSON.parse(stdout) as Record<string, string> };
  }

  it('deny a change of a held file, and answer a call that reads with an object, because no output would deny it', async () => {
    for (const file of [undefined, path.join('.claude', 'settings.local.json')]) {
      const { status, said } = await run('preToolUse', 'preToolUse-Write', file);
      assert.deepEqual([status, said['permission']], [2, 'deny']);
      assert.match(said['agent_message'] ?? '', /Q-1 .*May I change src\?/);
      assert.deepEqual(await run('preToolUse', 'preToolUse-Read', file), { status: 0, said: {} });
      assert.deepEqual(await run('preToolUse', 'preToolUse-Shell-read', file), { status: 0, said: {} });
    }
  });

  it('say after a call which held file it changed, and once more before the agent stops', async () => {
    assert.deepEqual(await run('postToolUse', 'postToolUse-Shell'), { status: 0, said: {} });
    await writeFile(path.join(workspace, 'src', 'a.js'), 'two\n');
    const changed = /src\/a\.js is held by Q-1 and was changed .*Restore it: holdpoint restore src\/a\.js/;
    const first = await run('postToolUseFailure', 'postToolUseFailure-Shell');
    assert.equal(first.status, 0);
    assert.match(first.said['additional_context'] ?? '', changed);
    assert.deepEqual(await run('postToolUse', 'postToolUse-Shell'), { status: 0, said: {} });
    assert.deepEqual(await run('stop', 'stop-aborted'), { status: 0, said: {} });
    const stop = await run('stop', 'stop');
    assert.equal(stop.status, 0);
    assert.match(stop.said['followup_message'] ?? '', changed);
    assert.deepEqual(await run('stop', 'stop-again'), { status: 0, said: {} });
  });
});
