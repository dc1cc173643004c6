/** How `npm test` runs steps, shows their output, retries failures, and ends what it has started. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../support/host.ts';
import { runShards } from '../support/shards.ts';
import { until } from '../support/until.ts';

interface Scripts {
  readonly whyFailed: (result: { lines: readonly string[] }) => readonly string[];
  readonly retriedTests: (lines: readonly string[]) => readonly string[];
  readonly runLanes: (lanes: readonly object[][], how: object) => Promise<readonly Result[]>;
}
interface Result {
  readonly name: string;
  readonly failed: number;
}

const { retriedTests, runLanes, whyFailed } = (await import(
  path.join(root, 'scripts', 'lib', 'runSteps.mjs')
)) as Scripts;

/** Runs each step as a program whose script is JavaScript. */
async function run(lanes: readonly (readonly [name: string, script: string][])[]) {
  const printed: string[] = [];
  const steps = lanes.map((lane) => lane.map(([name, script]) => ({ name, script })));
  const results = await runLanes(steps, {
    print: (line: string) => printed.push(line),
    env: process.env,
    command: ([, , script]: string[]) => ({ command: process.execPath, args: ['-e', script], options: {} }),
  });
  return { printed, results };
}

describe('parallel steps', () => {
  it('print their lines with their names, and no step starts after one has failed', async () => {
    const { printed, results } = await run([
      [
        ['first', 'console.log("a"); process.exit(3)'],
        ['next', 'console.log("never")'],
      ],
    ]);
    assert.deepEqual(printed, ['first    a']);
    assert.deepEqual(
      results.map(({ name, failed }) => [name, failed]),
      [['first', 1]],
    );
  });

  it('repeat mocha’s failures, or the last lines, of a failed step', () => {
    const many = Array.from({ length: 100 }, (_, index) => `line ${String(index)}`);
    assert.deepEqual(whyFailed({ lines: many }), many.slice(60));
    const failures = ['  3 passing (1s)', '  \u001b[31m1 failing\u001b[0m', '', '  1) it'];
    assert.deepEqual(whyFailed({ lines: [...many, ...failures] }), many.slice(100).concat(failures.slice(1)));
  });
});

describe('tests that passed on another try', () => {
  const line = (title: string) => `Needed another try: ${title}`;

  const failures = async (titles: readonly string[]) =>
    (await run([[['unit', `console.log(${JSON.stringify(titles.map(line).join('\n'))})`]]])).results[0]!.failed;

  it('fail their step if there are more than two', async () => {
    assert.equal(await failures(['a', 'b']), 0);
    assert.equal(await failures(['a', 'b', 'c']), 1);
  });

  it('are the reason shown then', () => {
    const lines = ['x', line('a'), line('b'), 'y', line('c')];
    assert.deepEqual(retriedTests(lines), [line('a'), line('b'), line('c')]);
    assert.deepEqual(whyFailed({ lines }), [line('a'), line('b'), line('c')]);
  });
});

describe('files in shards', () => {
  /** @param failures - how often each file fails before it passes */
  async function outcome(failures: Record<string, number>) {
    const left = new Map(Object.entries(failures));
    const files = ['a', 'b', 'c', 'd', 'e'];
    const ran: string[] = [];
    const run = async (file: string) => {
      ran.push(file);
      await Promise.resolve();
      const remaining = left.get(file) ?? 0;
      left.set(file, remaining - 1);
      return { file, passed: remaining <= 0, output: '' };
    };
    const { failed, further } = await runShards(files, run, { shards: 2, tries: 3, furtherTries: 2 });
    return { ran: ran.join(''), failed: failed.map(({ file }) => file), further };
  }

  it('run each once', async () => {
    assert.deepEqual(await outcome({}), { ran: 'abcde', failed: [], further: [] });
  });

  it('are retried after all others if they fail, and named', async () => {
    assert.deepEqual(await outcome({ b: 1, d: 1 }), { ran: 'abcdebd', failed: [], further: ['b (2)', 'd (2)'] });
    assert.deepEqual(await outcome({ b: 2 }), { ran: 'abcdebb', failed: [], further: ['b (2)', 'b (3)'] });
  });

  it('fail after more than two retries', async () => {
    assert.deepEqual(await outcome({ b: 1, c: 1, d: 1 }), {
      ran: 'abcdebc',
      failed: ['d'],
      further: ['b (2)', 'c (2)'],
    });
    assert.deepEqual(await outcome({ b: 9 }), { ran: 'abcdebb', failed: ['b'], further: ['b (2)', 'b (3)'] });
  });
});

describe('an interrupted test', () => {
  it('leaves no database server and no folder of one', async () => {
    const begin = `const { startPostgres } = await import(${JSON.stringify(path.join(root, 'test/support/postgres.ts'))});
      const { host } = await startPostgres();
      process.stdout.write(host, () => process.kill(process.pid, 'SIGKILL'));`;
    const program = spawnSync(process.execPath, ['--input-type=module', '-e', begin], { encoding: 'utf8' });
    assert.equal(program.signal, 'SIGKILL', program.stderr);
    await until('the folder is gone', () => !fs.existsSync(program.stdout));
    const programs = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout;
    assert.ok(!programs.includes(program.stdout), programs);
  });
});
