// npm test: installs what is missing and runs every check (scripts/lib/steps.mjs). After a failure it starts nothing more.
// npm test -- --only vscode,e2e    only these        npm test -- --list    their names
// npm test -- --changed            only what the difference to main, or what is not committed, can affect
// npm test -- --full               all runs of properties, themes and payloads, not a quarter of them, with coverage
import path from 'node:path';
import { prepare, root } from './lib/prepare.mjs';
import { oneAtATime, retriedTests, runLanes, whyFailed } from './lib/runSteps.mjs';
import { stages, stepNames } from './lib/steps.mjs';

process.exitCode = await main(process.argv.slice(2));

async function main(argv) {
  if (argv.includes('--list')) {
    console.log(stepNames.join('\n'));
    return 0;
  }
  const only = onlyThese(argv);
  if (!only) return 1;
  await prepare();
  const affected = argv.includes('--changed') ? await whatChanged() : undefined;
  const wanted = ({ name }) => only.includes(name) && (affected?.has(name) ?? true);
  const full = argv.includes('--full');
  const own = (step) => (full && step.full ? { ...step, script: step.full } : step);
  const chosen = stages.map((lanes) => lanes.map((steps) => steps.filter(wanted).map(own)));
  if (chosen.flat(2).some(({ real }) => real) && !(await prepareHost())) return 1;

  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  // What Node compiled for one test file is there for the next. Coverage of code from the cache is less exact.
  const runs = full ? { HOLDPOINT_RUNS: 'all' } : { NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node') };
  const how = {
    screen: oneAtATime((line) => console.log(line)),
    only: (name) => (affected?.get(name) === true ? undefined : affected?.get(name)),
    env: { ...process.env, ...color, ...runs },
  };
  const results = [];
  for (const lanes of chosen) {
    results.push(...(await runLanes(lanes, how)));
    if (results.some(({ failed }) => failed > 0)) break;
  }
  return summary(results);
}

function onlyThese(argv) {
  const at = argv.indexOf('--only');
  if (at < 0) return stepNames;
  const names = (argv[at + 1] ?? '').split(',');
  const unknown = names.filter((name) => !stepNames.includes(name));
  if (unknown.length === 0) return names;
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${stepNames.join(', ')}`);
  return undefined;
}

async function whatChanged() {
  const { selectChanged } = await import('./lib/changed.mjs');
  const { files, selection } = await selectChanged();
  console.log(`${files.length} files changed: ${files.slice(0, 10).join(', ')}${files.length > 10 ? ', …' : ''}`);
  for (const [name, tests] of selection)
    console.log(`  ${name}${tests === true ? '' : `: ${tests.length} test files`}`);
  return selection;
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

/** Ends with what failed and why, whatever ran beside it. */
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
