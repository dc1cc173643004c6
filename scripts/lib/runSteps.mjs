// Runs steps in parallel: each line of output begins with the name of its step, and failures are kept for the summary.
import { spawn } from 'node:child_process';
import os from 'node:os';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { npmCommand, root } from './prepare.mjs';

/**
 * The lanes run side by side, the steps of a lane in order. After a failure no further step starts; running steps
 * finish.
 * @param {readonly (readonly { name: string, script: string, background?: boolean }[])[]} lanes
 * @param {{ print?: (line: string) => void, env: object, command?: typeof npmCommand }} how
 * @returns {Promise<{ name: string, passed: number, failed: number, seconds: number, lines: readonly string[] }[]>}
 */
export async function runLanes(lanes, how) {
  const results = [];
  const runLane = async (steps) => {
    for (const step of steps) {
      if (results.some(({ failed }) => failed > 0)) return;
      results.push(await runStep(step, how));
    }
  };
  await Promise.all(lanes.map(runLane));
  return results;
}

/** Leaders of process groups. What an interrupted run has started is told to end with it. */
const running = new Set();
process.on('exit', () => {
  for (const { pid } of running) if (process.platform !== 'win32') process.kill(-pid, 'SIGTERM');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

/** A step with more tests than this that passed only on another try fails: a test that often fails is broken. */
const mostRetried = 2;

/** The lines that name tests which passed on another try (test/support/retries.ts, test/e2e/run.ts). */
export function retriedTests(lines) {
  return lines.filter((line) => line.startsWith('Needed another try: '));
}

/** Runs one step, and adds up the counts that mocha prints in it. */
async function runStep({ name, script, background }, { print = console.log, env, command = npmCommand }) {
  const begun = performance.now();
  const { command: program, args, options } = command(['run', '--silent', script]);
  const child = spawn(program, args, {
    ...{ ...options, cwd: root, env, stdio: ['inherit', 'pipe', 'pipe'] },
    detached: process.platform !== 'win32',
  });
  running.add(child);
  if (background && child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  const counts = { passing: 0, failing: 0 };
  const lines = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      print(`${name.padEnd(8)} ${line}`);
      const [, count, what] = /^ {2}(\d+) (passing|failing)\b/.exec(stripVTControlCharacters(line)) ?? [];
      if (what) counts[what] += Number(count);
    });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  running.delete(child);
  return {
    name,
    passed: counts.passing,
    // A step without tests, such as the linter, fails as a whole.
    failed: code === 0 && retriedTests(lines).length <= mostRetried ? counts.failing : Math.max(counts.failing, 1),
    seconds: (performance.now() - begun) / 1_000,
    lines,
  };
}

/** The relevant output of a failed step: from mocha's list of failures on, else its retried tests, else its last lines. */
export function whyFailed({ lines }) {
  const at = lines.findIndex((line) => /^ {2}\d+ failing\b/.test(stripVTControlCharacters(line)));
  const retried = retriedTests(lines);
  if (at < 0 && retried.length > mostRetried) return retried;
  return at < 0 ? lines.slice(-40) : lines.slice(at, at + 200);
}
