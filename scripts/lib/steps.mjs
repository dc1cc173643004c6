/**
 * The steps of `npm test`. Stages follow one another; the lanes of a stage run side by side, the steps of a lane in
 * order. Two lanes with two processes each keep two cores busy: beside a third one, hooks took longer to answer than the
 * five seconds that they have. Browser pages come last and alone: beside the editors of the end-to-end tests both were
 * slow enough on two cores to fail by their time limits.
 *
 * `script` names a script of package.json, and `full` the one that a full run takes instead. `real` steps need a VS Code
 * or a browser. Where a step has test files, they are in `folders`, and `files` runs those of them whose names follow.
 * What runs beside it goes before a `background` step. A failed test is run again once; the summary names it.
 */
const retries = ['--retries', '1', '--require', './test/support/retries.ts'];
const mocha = (...options) => ['node_modules/mocha/bin/mocha.js', ...retries, ...options];

export const stages = [
  [
    [
      { name: 'build', script: 'build' },
      { name: 'format', script: 'lint:format' },
      { name: 'types', script: 'lint:types' },
      { name: 'code', script: 'lint:code' },
      { name: 'deps', script: 'lint:deps' },
      { name: 'unused', script: 'lint:unused' },
      { name: 'contract', script: 'test:contract' },
      { name: 'mcp', script: 'test:mcp', folders: ['test/mcp/'], files: mocha() },
      { name: 'package', script: 'test:package' },
    ],
    [
      {
        name: 'unit',
        script: 'test:unit',
        full: 'test:coverage',
        folders: ['test/unit/', 'test/store/'],
        files: mocha('--require', './test/support/seed.ts', '--parallel', '--jobs', '2'),
      },
      { name: 'shared', script: 'test:shared' },
    ],
  ],
  [
    [
      {
        name: 'e2e',
        script: 'test:e2e',
        folders: ['test/e2e/'],
        files: ['test/e2e/run.ts'],
        real: true,
      },
    ],
    [{ name: 'vscode', script: 'test:vscode', real: true }],
  ],
  [
    [
      {
        name: 'webview',
        background: true,
        script: 'test:webview',
        folders: ['test/webview/', 'test/serve/'],
        files: mocha('--parallel', '--jobs', '3', '--timeout', '120000'),
        real: true,
      },
    ],
  ],
];

export const stepNames = stages.flat(2).map(({ name }) => name);
