/** Hooks of an administrator's rules name no folder: where the session works and what the call names decides. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { takeBaselines } from '../../../src/app/hold/takeBaselines.ts';
import { raiseQuestion } from '../../../src/app/question/questions.ts';
import { withoutLeading } from '../../../src/app/workspace/thisMachine.ts';
import { storesFolder, userFolder } from '../../../src/store/journal/stateFile.ts';
import { agent } from '../../support/store/people.ts';
import { hookAnswer } from '../../support/store/hookAnswer.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../../support/store/sandbox.ts';

async function holding(file: string): Promise<Sandbox> {
  const sandbox = makeSandbox();
  fs.mkdirSync(path.join(sandbox.folder, 'src'));
  for (const name of ['src/held.js', 'src/free.js']) fs.writeFileSync(path.join(sandbox.folder, name), 'one\n');
  execFileSync('git', ['init', '-q', sandbox.folder]);
  const workspace = sandbox.open();
  await raiseQuestion(await workspace.store(), agent('other-001', { session: 's-2' }), {
    ...{ type: 'clarification', urgency: 'medium', mode: 'sync', work: null },
    ...{ text: 'JWT or sessions?', holds: [file] },
  });
  await takeBaselines(workspace);
  workspace.close();
  return sandbox;
}

interface Call {
  readonly cwd: string;
  readonly tool: string;
  readonly input: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly event?: string;
}

function ask(
  { home, clock }: Pick<Sandbox, 'home' | 'clock'>,
  { cwd, tool, input, env = {}, event = 'PreToolUse' }: Call,
) {
  return hookAnswer(
    { folder: cwd, home, clock },
    { hook_event_name: event, tool_name: tool, tool_input: input },
    { folder: null, env: withoutLeading({ PATH: process.env['PATH'], ...env }, home) },
  );
}

const edit = (place: Sandbox, cwd: string, file: string, env?: Call['env']) =>
  ask(place, {
    cwd,
    tool: 'Edit',
    input: { file_path: path.join(place.folder, file), old_string: 'a', new_string: 'b' },
    ...(env ? { env } : {}),
  });

describe('a hook of the administrator', () => {
  let place: Sandbox;
  let elsewhere: string;
  before(async () => {
    place = await holding('src/held.js');
    elsewhere = place.at('elsewhere');
    fs.mkdirSync(elsewhere);
  });
  after(removeSandboxes);

  it('stops an edit where the session works, and lets others go on', async () => {
    const { exit, err } = await edit(place, place.folder, 'src/held.js');
    assert.equal(exit, 2);
    assert.match(err, /Q-1 "JWT or sessions\?"/);
    assert.equal((await edit(place, path.join(place.folder, 'src'), 'src/free.js')).exit, 0);
  });

  it('stops a session that was started in another folder from what it names in this one', async () => {
    assert.equal((await edit(place, elsewhere, 'src/held.js')).exit, 2);
    assert.equal((await edit(place, elsewhere, 'src/free.js')).exit, 0);
    const command = (text: string) => ask(place, { cwd: elsewhere, tool: 'Bash', input: { command: text } });
    assert.equal((await command(`sed -i s/one/two/ ${place.folder}/src/held.js`)).exit, 2);
    assert.equal((await command(`cd ${place.folder} && rm -r src`)).exit, 2);
    assert.equal((await command('make all')).exit, 0, 'what a program may do unseen is judged where it works');
  });

  it('stops what a session elsewhere names in an uncertain way, or as a whole', async () => {
    const command = (text: string) => ask(place, { cwd: elsewhere, tool: 'Bash', input: { command: text } });
    const perProcess = path.join('/proc/self/root', place.folder, 'src/held.js');
    const edited = await ask(place, { cwd: elsewhere, tool: 'Write', input: { file_path: perProcess, content: 'b' } });
    assert.equal(edited.exit, 2);
    assert.equal((await command(`rm -r ${path.dirname(place.folder)}`)).exit, 2);
    assert.equal((await command(`git -C ${place.folder} reset --hard`)).exit, 2);
    assert.equal((await command(`cd ${place.folder} && git reset --hard`)).exit, 2);
    assert.equal((await command('git reset --hard')).exit, 0, 'this changes no file of the other store');
  });

  it('is led to no other records by variables that an agent can set', async () => {
    const misleading = { HOME: elsewhere, XDG_STATE_HOME: elsewhere, HOLDPOINT_STATE_FOLDER: elsewhere };
    assert.equal((await edit(place, elsewhere, 'src/held.js', misleading)).exit, 2);
  });

  it('knows the project that the host names, also after the agent left it', async () => {
    const run = (env: Record<string, string>) =>
      ask(place, { cwd: elsewhere, tool: 'Bash', input: { command: 'python3 -c "$CODE"' }, env });
    assert.equal((await run({ CLAUDE_PROJECT_DIR: place.folder })).exit, 2);
    assert.equal((await run({})).exit, 0);
  });

  it('denies what it cannot read, and adds context where the session works', async () => {
    const broken = await hookAnswer(place, {}, { folder: null, bytes: Buffer.from('{') });
    assert.equal(broken.exit, 2);
    const started = await ask(place, { cwd: place.folder, tool: '', input: {}, event: 'SessionStart' });
    assert.match(started.out, /agents stop for humans/);
  });

  it('finds the store of a named file whose record was removed, and denies what may be in one that it cannot read', async () => {
    const other = await holding('src/held.js');
    const folder = storesFolder(userFolder({ platform: 'linux', env: {}, home: other.home }));
    const [record = ''] = fs.readdirSync(folder).filter((name) => /^[0-9a-f]{32}\.json$/.test(name));
    const apart = other.at('apart');
    fs.mkdirSync(apart);
    const before = fs.readFileSync(path.join(folder, record));
    fs.rmSync(path.join(folder, record));
    assert.equal((await edit(other, apart, 'src/held.js')).exit, 2);
    assert.equal((await edit(other, apart, 'src/free.js')).exit, 0);

    fs.writeFileSync(path.join(folder, record), '{');
    assert.match((await edit(other, apart, 'src/free.js')).err, /UNKNOWN/);
    const command = (text: string) => ask(other, { cwd: apart, tool: 'Bash', input: { command: text } });
    assert.match((await command(`rm -r ${path.dirname(other.folder)}`)).err, /cannot be read|belongs to Holdpoint/);
    assert.equal((await command('touch new.js')).exit, 0);
    fs.writeFileSync(path.join(folder, record), before);
    assert.equal((await edit(other, apart, 'src/free.js')).exit, 0);
  });

  it('says after a call which held file it changed, once, wherever the session works', async () => {
    const other = await holding('src/held.js');
    other.clock.now = Date.now();
    const command = { cwd: path.join(other.folder, 'src'), tool: 'Bash', input: { command: './tidy.sh' } };
    assert.equal((await ask(other, command)).exit, 0);
    fs.writeFileSync(path.join(other.folder, 'src/held.js'), 'two\n');
    const after = { ...command, event: 'PostToolUse' };
    assert.match((await ask(other, after)).out, /src\/held\.js is held by Q-1 and was changed by `\.\/tidy\.sh`/);
    assert.equal((await ask(other, after)).out, '');
    assert.equal((await ask(other, { ...after, cwd: elsewhere })).out, '');
    assert.equal((await ask(other, { ...after, cwd: elsewhere, event: 'Stop' })).exit, 0);
    assert.match((await ask(other, { ...after, event: 'Stop' })).err, /src\/held\.js is held by Q-1/);
  });

  it('notes a command that was taken for one that reads, too', async () => {
    const other = await holding('src/held.js');
    other.clock.now = Date.now();
    const command = { cwd: other.folder, tool: 'Bash', input: { command: 'git log -1' } };
    await ask(other, command);
    fs.writeFileSync(path.join(other.folder, 'src/held.js'), 'two\n');
    assert.match((await ask(other, { ...command, event: 'PostToolUse' })).out, /was changed by `git log -1`/);
  });

  it('leaves no record of a store that its user has not used', async () => {
    const other = await holding('src/held.js');
    const stranger = { ...other, home: place.home };
    const hooks = path.join(userFolder({ platform: 'linux', env: {}, home: place.home }), 'hooks');
    fs.rmSync(hooks, { recursive: true, force: true });
    assert.equal((await edit(stranger, other.folder, 'src/held.js')).exit, 2);
    const command = { cwd: other.folder, tool: 'Bash', input: { command: './tidy.sh' } };
    await ask(stranger, command);
    fs.writeFileSync(path.join(other.folder, 'src/held.js'), 'two\n');
    assert.match((await ask(stranger, { ...command, event: 'PostToolUse' })).out, /held\.js is held by Q-1/);
    assert.equal(fs.existsSync(hooks), false);
    const stores = storesFolder(userFolder({ platform: 'linux', env: {}, home: place.home }));
    assert.equal(fs.readdirSync(stores).filter((name) => /^[0-9a-f]{32}\.json$/.test(name)).length, 1);
  });
});
