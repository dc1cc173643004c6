/** How `npm test` selects steps for a change, shows their output, and retries failures. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { root } from '../support/host.ts';
import { runShards } from '../support/shards.ts';

interface Graph {
  readonly tests: readonly string[];
}
interface Scripts {
  readonly importGraph: () => Promise<Graph>;
  readonly affectedBy: (files: readonly string[], graph: Graph) => ReadonlyMap<string, true | readonly string[]>;
  readonly stepNames: readonly string[];
  readonly oneAtATime: (print: (line: string) => void) => (name: string) => Part;
  readonly whyFailed: (result: { lines: readonly string[] }) => readonly string[];
  readonly retriedTests: (lines: readonly string[]) => readonly string[];
  readonly runLanes: (lanes: readonly object[][], how: object) => Promise<readonly { failed: number }[]>;
}
interface Part {
  add(line: string): void;
  end(): void;
}

const script = async (name: string) => (await import(path.join(root, 'scripts', 'lib', `${name}.mjs`))) as Scripts;

describe('npm test -- --changed', () => {
  let graph: Graph;
  let affected: (...files: string[]) => Record<string, true | readonly string[]>;
  let all: readonly string[];
  before(async function () {
    this.timeout(240_000);
    const { importGraph } = await script('importGraph');
    const { affectedBy } = await script('changed');
    all = (await script('steps')).stepNames;
    graph = await importGraph();
    affected = (...files) => Object.fromEntries(affectedBy(files, graph));
  });

  it('runs nothing for no change', () => {
    assert.deepEqual(affected(), {});
  });

  it('runs the format check and the contracts about documents for a document', () => {
    assert.deepEqual(affected('docs/tools.md'), { format: true, contract: true, package: true, build: true });
  });

  it('runs everything for a tool’s settings, a fixture or an unknown file', () => {
    const everything = Object.fromEntries(all.map((name) => [name, true]));
    for (const file of ['package.json', 'tsconfig.base.json', 'test/fixtures/rfcs/a.md', 'media/icon.svg', 'what'])
      assert.deepEqual(affected(file, 'docs/tools.md'), everything, file);
  });

  it('runs the importing tests and everything that starts the programs for a core module', () => {
    const { unit, ...steps } = affected('src/core/hold/holds.ts');
    assert.ok(Array.isArray(unit) && unit.includes('test/unit/hold/holds.test.ts'));
    assert.ok(!unit.includes('test/unit/kit/glob.test.ts'));
    for (const step of ['types', 'code', 'mcp', 'vscode', 'e2e']) assert.equal(steps[step], true, step);
  });

  it('runs its own tests, the tests of all webviews and whole editors for one webview', () => {
    const { webview, e2e, mcp } = affected('webview/audit/main.ts');
    assert.ok(Array.isArray(webview));
    assert.ok(webview.includes('test/webview/audit/audit.test.ts'));
    assert.ok(webview.includes('test/webview/untrusted/untrusted.test.ts'));
    assert.ok(!webview.includes('test/webview/question/answering.test.ts'));
    assert.deepEqual([e2e, mcp], [true, undefined]);
  });

  it('runs all webview tests for a shared webview file', () => {
    assert.equal(affected('webview/shared/surface.ts')['webview'], true);
    assert.equal(affected('webview/shared/base.css')['webview'], true);
  });

  it('runs only that test, and no editor, for a test', () => {
    const { e2e, webview, unit } = affected('test/unit/kit/glob.test.ts');
    assert.ok(Array.isArray(unit) && unit.includes('test/unit/kit/glob.test.ts'));
    assert.deepEqual([e2e, webview], [undefined, undefined]);
  });

  it('runs the tests that use it for a test support file', () => {
    const { e2e, mcp } = affected('test/support/rfcForm.ts');
    assert.ok(Array.isArray(e2e) && e2e.includes('test/e2e/rfc.test.ts') && !e2e.includes('test/e2e/keys.test.ts'));
    assert.equal(mcp, undefined);
  });
});

describe('parallel steps', () => {
  it('show one step while it runs, and each other one when it has ended', async () => {
    const { oneAtATime } = await script('runSteps');
    const seen: string[] = [];
    const screen = oneAtATime((line) => seen.push(line));
    const [first, second] = [screen('first'), screen('second')];
    first.add('a');
    second.add('x');
    second.end();
    const third = screen('third');
    third.add('1');
    first.add('b');
    assert.deepEqual(seen, ['\n== first', 'a', 'b']);
    first.end();
    third.add('2');
    third.end();
    assert.deepEqual(seen, ['\n== first', 'a', 'b', '\n== second', 'x', '\n== third', '1', '2']);
  });

  it('repeat mocha’s failures, or the last lines, of a failed step', async () => {
    const { whyFailed } = await script('runSteps');
    const many = Array.from({ length: 100 }, (_, index) => `line ${String(index)}`);
    assert.deepEqual(whyFailed({ lines: many }), many.slice(60));
    const failures = ['  3 passing (1s)', '  \u001b[31m1 failing\u001b[0m', '', '  1) it'];
    assert.deepEqual(whyFailed({ lines: [...many, ...failures] }), many.slice(100).concat(failures.slice(1)));
  });
});

describe('tests that passed on another try', () => {
  const line = (title: string) => `Needed another try: ${title}`;

  /** Runs a step of a program that prints these lines and exits with 0. */
  async function stepThatPrints(lines: readonly string[]) {
    const { oneAtATime, runLanes } = await script('runSteps');
    const files = ['-e', 'for (const line of process.argv.slice(1)) console.log(line)'];
    const how = {
      screen: oneAtATime(() => undefined),
      only: () => lines,
      env: process.env,
    };
    const [result] = await runLanes([[{ name: 'own', script: 'none', files }]], how);
    return result!;
  }

  it('fail their step if there are more than two', async () => {
    assert.equal((await stepThatPrints([line('a'), line('b')])).failed, 0);
    assert.equal((await stepThatPrints([line('a'), line('b'), line('c')])).failed, 1);
  });

  it('are the reason shown then', async () => {
    const { retriedTests, whyFailed } = await script('runSteps');
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
