/** The hook program as setup's launcher starts it: beside a shell that ends it when it hangs. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { posixCommand } from '../../src/hosts/setup/place.ts';
import { launcherPath, writeLauncher } from '../../src/hosts/setup/launcher.ts';
import { raiseQuestion } from '../../src/tools/question/asking.ts';
import { runOperation } from '../../src/tools/kit/operation.ts';
import { root } from '../support/host.ts';
import { agent } from '../support/store/people.ts';
import { makeSandbox, removeSandboxes, type Sandbox } from '../support/store/sandbox.ts';
import { until } from '../support/until.ts';

const dist = path.join(root, 'dist');

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A store in which another agent's question holds `held.js`, and the launcher of its user. */
async function held(programs = dist): Promise<Sandbox> {
  const place = makeSandbox();
  place.clock.now = Date.now();
  const workspace = place.open();
  const context = { workspace, session: agent('other-001'), signal: new AbortController().signal, waitMs: 0 };
  const asked = { text: 'JWT or sessions?', type: 'decision', holds: ['held.js'] };
  assert.equal((await runOperation(raiseQuestion, context, asked)).status, 'ok');
  workspace.close();
  writeLauncher(place.userFolder, { command: process.execPath, env: {}, programs }, process.platform);
  return place;
}

function call(place: Sandbox, tool: string, file: string): string {
  const names = { hook_event_name: 'PreToolUse', session_id: 's-1', cwd: place.folder, tool_name: tool };
  return JSON.stringify({ ...names, tool_input: { file_path: path.join(place.folder, file) } });
}

/** Runs the command that setup writes into the files of Claude Code. */
function start(place: Sandbox, around: (command: string) => string = (command) => command) {
  const hook = { host: 'claude-code', launcher: launcherPath(place.userFolder), workspace: place.folder } as const;
  const env = { PATH: process.env['PATH'], HOME: place.home };
  const child = spawn('/bin/sh', ['-c', around(posixCommand({ ...hook, denying: true }))], { env, cwd: place.base });
  child.stdin.on('error', () => undefined);
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ran = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(([code, out, err]): Ran => ({
    code,
    out,
    err,
  }));
  return { child, ran };
}

function run(place: Sandbox, input: string | null, around?: (command: string) => string): Promise<Ran> {
  const { child, ran } = start(place, around);
  if (input !== null) child.stdin.end(input);
  return ran.finally(() => child.stdin.destroy());
}

/** A program in place of the hook. */
function programs(place: Sandbox, hook: string): string {
  const folder = place.at('programs');
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, 'hook.cjs'), hook);
  return folder;
}

/** The hook that a launcher of this place runs, and its watcher. */
function running(place: Sandbox): { readonly hook: number; readonly watcher: number } | null {
  const all = execFileSync('ps', ['-e', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  const found = all.find((line) => line.includes(' --watched ') && line.includes(place.folder));
  const [, hook, watcher] = / --watched (\d+) (\d+) /.exec(found ?? '') ?? [];
  return hook === undefined ? null : { hook: Number(hook), watcher: Number(watcher) };
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

describe('a watched hook', function () {
  this.timeout(120_000);
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  afterEach(removeSandboxes);

  it('answers as one that watches itself, and its watcher ends with it', async () => {
    const place = await held();
    const open = start(place);
    await until('the hook runs', () => running(place) !== null);
    const { watcher } = running(place)!;
    assert.ok(isAlive(watcher));
    open.child.stdin.end(call(place, 'Edit', 'held.js'));
    const denied = await open.ran;
    assert.equal(denied.code, 2, denied.err);
    assert.match(denied.err, /Q-1 .*JWT or sessions\?/);
    await until('the watcher ends', () => !isAlive(watcher));
    assert.deepEqual(await run(place, call(place, 'Edit', 'free.js')), { code: 0, out: '', err: '' });
    assert.deepEqual(await run(place, call(place, 'Read', 'held.js')), { code: 0, out: '', err: '' });
  });

  it('denies when it is killed, stopped, spins or waits forever, and leaves no process behind', async () => {
    const killed = await held();
    const stopped = await held();
    const spinning = await held();
    const launch = { command: process.execPath, env: {} };
    writeLauncher(spinning.userFolder, { ...launch, programs: programs(spinning, 'for (;;);') }, process.platform);
    const blocked = await held();
    execFileSync('mkfifo', [blocked.at('pipe')]);
    const blocks = `import fs from 'node:fs'; fs.readFileSync(${JSON.stringify(blocked.at('pipe'))})`;
    writeLauncher(blocked.userFolder, { ...launch, programs: programs(blocked, blocks) }, process.platform);
    const waiting = await held();

    const ended = async (place: Sandbox, act: (hook: number) => void = () => undefined) => {
      const { child, ran } = start(place);
      let found = running(place);
      await until('the hook runs', () => (found ??= running(place)) !== null);
      const ids = found!;
      act(ids.hook);
      const { code, err } = await ran;
      child.stdin.destroy();
      assert.equal(code, 2, err);
      assert.match(err, /denied|denies/);
      await until('all processes end', () => !isAlive(ids.hook) && !isAlive(ids.watcher));
    };
    await Promise.all([
      ended(killed, (hook) => process.kill(hook, 'SIGKILL')),
      ended(stopped, (hook) => process.kill(hook, 'SIGSTOP')),
      ended(spinning),
      ended(blocked),
      ended(waiting),
    ]);
  });

  it('answers without its watcher, and ends itself when it hangs', async () => {
    const place = await held();
    const hookAfter = (options: readonly string[], ...watched: string[]) => {
      const args = [...options, path.join(dist, 'hook.cjs'), ...watched, 'claude-code', '--workspace', place.folder];
      const child = spawn(process.execPath, args, { env: { PATH: process.env['PATH'], HOME: place.home } });
      const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
      return { child, closed, ran: Promise.all([closed, text(child.stderr)]) };
    };
    const hook = (...watched: string[]) => hookAfter([], ...watched);
    const gone = execFileSync('/bin/sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim();
    for (const watched of [['1', String(process.pid)], [String(process.pid), gone], ['x', 'y'], []]) {
      const { child, ran } = hook('--watched', ...watched);
      child.stdin.end(call(place, 'Edit', 'held.js'));
      const [code, err] = await ran;
      assert.equal(code, 2, err);
      if (watched.length > 0) assert.match(err, /Q-1/);
    }
    const open = start(place);
    await until('the hook runs', () => running(place) !== null);
    process.kill(running(place)!.watcher, 'SIGKILL');
    open.child.stdin.end(call(place, 'Edit', 'held.js'));
    const { code, err } = await open.ran;
    assert.equal(code, 2, err);
    assert.match(err, /Q-1/);
    const spins = 'data:text/javascript,JSON.parse=()=>{for(;;);}';
    const hanging = hookAfter(['--import', spins]);
    hanging.child.stdin.end(call(place, 'Edit', 'held.js'));
    const [ended, said] = await hanging.ran;
    assert.notEqual(ended, 0, 'the commands that setup writes deny');
    assert.match(said, /denies this .*no answer within 5 seconds/);
  });

  it('denies with closed input, output or error output', async () => {
    const place = await held();
    const input = call(place, 'Edit', 'held.js');
    assert.equal((await run(place, input, (command) => `(${command}) <&-`)).code, 2);
    assert.equal((await run(place, input, (command) => `(${command}) >&-`)).code, 2);
    assert.equal((await run(place, input, (command) => `(${command}) 2>&-`)).code, 2);
    assert.equal((await run(place, input, (command) => `(${command}) >&- 2>&-`)).code, 2);
    if (fs.existsSync('/dev/full'))
      assert.equal((await run(place, input, (command) => `(${command}) >/dev/full 2>/dev/full`)).code, 2);
    const file = place.at('input.json');
    fs.writeFileSync(file, input);
    const read = await run(place, null, (command) => `(${command}) <'${file}'`);
    assert.equal(read.code, 2);
    assert.match(read.err, /Q-1/);
  });

  it('denies with a launcher that was torn at any byte', async () => {
    const place = await held();
    const file = launcherPath(place.userFolder);
    const whole = fs.readFileSync(file);
    for (let size = 0; size < whole.length - 1; size += 11) {
      fs.writeFileSync(file, whole.subarray(0, size));
      assert.equal((await run(place, call(place, 'Edit', 'free.js'))).code, 2, `${String(size)} bytes`);
    }
  });
});
