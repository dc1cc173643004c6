/** The program of the proxy between a client and agents that end, fail or send what is no message. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../support/host.ts';
import { until } from '../support/until.ts';
import { makeSandbox, removeSandboxes } from '../support/store/sandbox.ts';

const program = path.join(root, 'dist', 'cli.cjs');
const initialize = '{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":1}}\n';
const version = '{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":1}}';

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** @param agent a program for Node; @param input null keeps standard input open */
async function run(agent: string | null, input: string | Buffer, end = true): Promise<Ran> {
  const place = makeSandbox();
  const command = agent === null ? ['/no/such/agent'] : [process.execPath, '-e', agent];
  const child = spawn(process.execPath, [program, 'acp', '--', ...command], {
    cwd: place.folder,
    env: { PATH: process.env['PATH'], HOME: place.home },
  });
  child.stdin.on('error', () => undefined);
  child.stdin.write(input);
  if (end) child.stdin.end();
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  child.stdin.destroy();
  return { code, out, err };
}

/** Runs once it has read a line; ends with its input. */
const afterLine = (body: string) => `process.stdin.once('data', () => { ${body} }).resume()`;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the program of holdpoint acp', () => {
  afterEach(removeSandboxes);

  it('passes messages on, and ends with its client, with the agent’s exit code', async () => {
    const agent = (code: number) =>
      `${afterLine(`console.log(${JSON.stringify(version)})`)}.on('end', () => process.exit(${code}))`;
    assert.deepEqual(await run(agent(0), initialize), { code: 0, out: `${version}\n`, err: '' });
    assert.deepEqual(await run(agent(7), initialize), { code: 7, out: `${version}\n`, err: '' });
  });

  const failures: readonly (readonly [name: string, agent: string | null, said: RegExp])[] = [
    ['dies', afterLine('process.exit(3)'), /the agent ended: exit code 3/],
    ['is killed', afterLine(`process.kill(process.pid, 'SIGKILL')`), /the agent ended: signal SIGKILL/],
    ['dies in a line', afterLine(`process.stdout.write('{"jsonrpc"', () => process.exit(0))`), /no end/],
    ['sends a huge line', afterLine(`process.stdout.write('x'.repeat(40e6))`), /more than 32 MiB/],
    ['sends invalid UTF-8', afterLine(`process.stdout.write(Buffer.from([123, 255, 125, 10]))`), /not JSON in UTF-8/],
    ['sends a batch', afterLine(`console.log('[]')`), /a batch/],
  ];
  for (const [name, agent, said] of failures)
    it(`says so to the client when the agent ${name}, and ends`, async () => {
      const { code, out, err } = await run(agent, initialize, false);
      assert.match(err, said);
      const { id, error } = JSON.parse(out) as { id: string; error: { message: string } };
      assert.equal(id, 'i');
      assert.match(error.message, said);
      assert.ok(code !== null && code !== 0, String(code));
    });

  it('says so when the agent cannot be started, and ends', async () => {
    const { code, err } = await run(null, initialize, false);
    assert.match(err, /the agent cannot be started \(.*ENOENT/);
    assert.equal(code, 1);
  });

  it('ends with a client that sends no message', async () => {
    const { code, err, out } = await run('process.stdin.resume()', Buffer.from([0xff, 10]), false);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /the client sent a line that is not JSON/);
  });

  it('ends with the agent and what that started, when it is told to end', async function () {
    if (process.platform === 'win32') this.skip();
    const idle = 'setInterval(() => {}, 1e3)';
    const agent = `const { pid } = require('child_process').spawn(process.execPath, ['-e', '${idle}'], { stdio: 'ignore' });
      console.error('started ' + pid); ${idle}`;
    const place = makeSandbox();
    const child = spawn(process.execPath, [program, 'acp', '--', process.execPath, '-e', agent], {
      cwd: place.folder,
      env: { PATH: process.env['PATH'], HOME: place.home },
    });
    const exit = new Promise((resolve) => child.once('close', resolve));
    let err = '';
    child.stderr.on('data', (chunk) => (err += String(chunk)));
    await until('the agent has started its own program', () => err.includes('started '));
    const pid = Number(/started (\d+)/.exec(err)?.[1]);
    assert.ok(isAlive(pid));
    child.kill('SIGTERM');
    assert.equal(await exit, 1);
    await until('that program has ended', () => !isAlive(pid));
  });

  it('says how it is called', async () => {
    const child = spawn(process.execPath, [program, 'acp'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const exit = new Promise((resolve) => child.once('close', resolve));
    assert.match(await text(child.stderr), /missing required argument 'agent'/);
    assert.equal(await exit, 1);
  });
});
