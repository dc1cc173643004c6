// Runs steps in parallel with readable output: one step at a time on the screen, each complete.
import { spawn } from 'node:child_process';
import os from 'node:os';
import { createInterface } from 'node:readline';
import { npmCommand, root } from './prepare.mjs';

/**
 * What one step came to.
 * @typedef {{ name: string, passed: number, failed: number, seconds: number, lines: readonly string[] }} Result
 */

/**
 * The lanes run side by side, the steps of a lane in order. After a failure no further step starts; running ones
 * finish.
 * @param {readonly (readonly { name: string, script: string }[])[]} lanes
 * @param {{ screen: ReturnType<typeof oneAtATime>, only: (name: string) => readonly string[] | undefined, env: object }} how
 * @returns {Promise<Result[]>}
 */
export async function runLanes(lanes, { screen, only, env }) {
  const results = [];
  const runLane = async (steps) => {
    for (const step of steps) {
      if (results.some(({ failed }) => failed > 0)) return;
      results.push(await runStep(step, { part: screen(step.name), tests: only(step.name), env }));
    }
  };
  await Promise.all(lanes.map(runLane));
  return results;
}

/**
 * The step that runs longest is shown as it goes on; the others are shown when they have ended.
 * @param {(line: string) => void} print
 */
export function oneAtATime(print) {
  const parts = [];
  const show = (part) => {
    print(`\n== ${part.name}`);
    for (const line of part.lines) print(line);
  };
  return (name) => {
    const part = { name, lines: [], ended: false };
    if (parts.push(part) === 1) show(part);
    return {
      lines: part.lines,
      add: (line) => {
        part.lines.push(line);
        if (parts[0] === part) print(line);
      },
      end: () => {
        part.ended = true;
        if (parts[0] !== part) return;
        const [, ...others] = parts.splice(0);
        const [ended, running] = [others.filter((one) => one.ended), others.filter((one) => !one.ended)];
        for (const one of [...ended, ...running.slice(0, 1)]) show(one);
        parts.push(...running);
      },
    };
  };
}

/** A step with more tests than this that passed only on another try fails: a test that often fails is broken. */
const mostRetried = 2;

/** The lines that name tests which passed on another try (test/support/retries.ts, test/e2e/run.ts). */
export function retriedTests(lines) {
  return lines.filter((line) => line.startsWith('Needed another try: '));
}

/** Runs one step, and counts what mocha reports in it. */
async function runStep({ name, script, files, background }, { part, tests, env }) {
  const begun = performance.now();
  const { command, args, options } = tests
    ? { command: process.execPath, args: [...files, ...tests], options: {} }
    : npmCommand(['run', '--silent', script]);
  const child = spawn(command, args, { ...options, cwd: root, env, stdio: ['inherit', 'pipe', 'pipe'] });
  if (background && child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  const counts = { passing: 0, failing: 0 };
  const read = (stream) =>
    new Promise((resolve) => {
      createInterface({ input: stream })
        .on('line', (line) => {
          part.add(line);
          const [, count, what] = /^ {2}(\d+) (passing|failing)\b/.exec(withoutColor(line)) ?? [];
          if (what) counts[what] += Number(count);
        })
        .once('close', resolve);
    });
  const [code] = await Promise.all([
    new Promise((resolve, reject) => child.once('error', reject).once('close', (status) => resolve(status ?? 1))),
    read(child.stdout),
    read(child.stderr),
  ]);
  part.end();
  const retried = retriedTests(part.lines);
  return {
    name,
    passed: counts.passing,
    // A step without tests of its own, such as the linter, fails as one.
    failed: code === 0 && retried.length <= mostRetried ? counts.failing : Math.max(counts.failing, 1),
    seconds: (performance.now() - begun) / 1_000,
    lines: part.lines,
  };
}

/** The relevant output of a failed step: from mocha's list of failures on, else its retried tests, else its last lines. */
export function whyFailed({ lines }) {
  const at = lines.findIndex((line) => /^ {2}\d+ failing\b/.test(withoutColor(line)));
  const retried = retriedTests(lines);
  if (at < 0 && retried.length > mostRetried) return retried;
  return at < 0 ? lines.slice(-40) : lines.slice(at, at + 200);
}

function withoutColor(line) {
  return line.replace(/\x1b\[[0-9;]*m/g, '');
}
