// npm test: installs what is missing and runs every check. After a failure it starts nothing more.
// npm test -- --only unit,e2e      only these steps        npm test -- --list    their names
// npm test -- --full               all runs of properties, themes and payloads, not a quarter of them, with coverage
import path from 'node:path';
import { parseArgs } from 'node:util';
import { prepare, root } from './lib/prepare.mjs';
import { retriedTests, runLanes, whyFailed } from './lib/runSteps.mjs';

/** `script` is one of package.json, and `full` the one that a full run needs instead. `real` needs a VS Code or a browser. */
const step = (name, script, more) => ({ name, script, ...more });
/**
 * Stages follow one another; the lanes of a stage run side by side, the steps of a lane in order. Two lanes with two
 * processes each keep two cores busy: next to a third lane, hooks took longer to answer than the five seconds that they
 * have. Browser pages come last and alone, after other programs of the machine (`background`): next to the editors of the
 * end-to-end tests both were slow enough on two cores to fail by their time limits.
 */
const stages = [
  [
    [
      step('build', 'build'),
      ...['format', 'types', 'code', 'deps', 'unused'].map((name) => step(name, `lint:${name}`)),
      ...['contract', 'mcp', 'package'].map((name) => step(name, `test:${name}`)),
    ],
    [step('unit', 'test:unit', { full: 'test:coverage' }), step('shared', 'test:shared')],
  ],
  [[step('e2e', 'test:e2e', { real: true })]],
  [[step('webview', 'test:webview', { real: true, background: true })]],
];
const stepNames = stages.flat(2).map(({ name }) => name);

const { list, full, only } = parseArgs({
  options: { list: { type: 'boolean' }, full: { type: 'boolean' }, only: { type: 'string' } },
}).values;
process.exitCode = await main(only?.split(',') ?? stepNames);

async function main(names) {
  if (list) return (console.log(stepNames.join('\n')), 0);
  const unknown = names.filter((name) => !stepNames.includes(name));
  if (unknown.length > 0) {
    console.error(`Unknown: ${unknown.join(', ')}. There are: ${stepNames.join(', ')}`);
    return 1;
  }
  await prepare();
  const scriptOf = (step) => (full && step.full ? { ...step, script: step.full } : step);
  const chosen = stages.map((lanes) =>
    lanes.map((steps) => steps.filter(({ name }) => names.includes(name)).map(scriptOf)),
  );
  if (chosen.flat(2).some(({ real }) => real) && !(await prepareHost())) return 1;

  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  // What Node compiled for one test file is there for the next. Coverage of code from the cache is less exact.
  const runs = full ? { HOLDPOINT_RUNS: 'all' } : { NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node') };
  const results = [];
  for (const lanes of chosen) {
    results.push(...(await runLanes(lanes, { env: { ...process.env, ...color, ...runs } })));
    if (results.some(({ failed }) => failed > 0)) break;
  }
  return summary(results);
}

/** Before anything runs, so that a missing Debian package stops the run at its beginning. */
async function prepareHost() {
  const { describeHost, findHost } = await import('../test/support/host.ts');
  const { MachineError } = await import('../test/support/machine.ts');
  try {
    console.log(`Tests run in ${await describeHost(await findHost())}`);
    return true;
  } catch (error) {
    console.error(error instanceof MachineError ? error.message : error);
    return false;
  }
}

/** Ends with the failed steps and their reasons. */
function summary(results) {
  const bad = results.filter(({ failed }) => failed > 0);
  for (const result of bad) {
    console.log(`\n== failed: ${result.name} (npm test -- --only ${result.name})`);
    for (const line of whyFailed(result)) console.log(line);
  }
  console.log(`\n${results.map(({ name, seconds }) => `${name} ${Math.round(seconds)} s`).join(', ')}`);
  for (const { lines } of results) for (const line of retriedTests(lines)) console.log(line);
  if (bad.length > 0) console.log(`Failed: ${bad.map(({ name }) => name).join(', ')}`);
  const sum = (count) => results.reduce((total, result) => total + count(result), 0);
  console.log(`\n${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`);
  return bad.length === 0 ? 0 : 1;
}
