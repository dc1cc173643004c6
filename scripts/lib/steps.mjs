/**
 * The steps of `npm test`. Stages follow one another; the lanes of a stage run side by side, the steps of a lane in
 * order. Two lanes with two processes each keep two cores busy: next to a third lane, hooks took longer to answer than the
 * five seconds that they have. Browser pages come last and alone: next to the editors of the end-to-end tests both were
 * slow enough on two cores to fail by their time limits.
 *
 * `script` is a script of package.json, and `full` the one that a full run needs instead. `real` steps need a VS Code or
 * a browser. Other programs of the machine go before a `background` step.
 */
const step = (name, script, more) => ({ name, script, ...more });

export const stages = [
  [
    [
      step('build', 'build'),
      step('format', 'lint:format'),
      step('types', 'lint:types'),
      step('code', 'lint:code'),
      step('deps', 'lint:deps'),
      step('unused', 'lint:unused'),
      step('contract', 'test:contract'),
      step('mcp', 'test:mcp'),
      step('package', 'test:package'),
    ],
    [step('unit', 'test:unit', { full: 'test:coverage' }), step('shared', 'test:shared')],
  ],
  [[step('e2e', 'test:e2e', { real: true })], [step('vscode', 'test:vscode', { real: true })]],
  [[step('webview', 'test:webview', { real: true, background: true })]],
];

export const stepNames = stages.flat(2).map(({ name }) => name);
