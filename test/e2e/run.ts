/**
 * Runs each file of this folder in a process of its own, two at a time, since an editor keeps a core busy:
 * `node test/e2e/run.ts [part of a name …]`. Each has its own editor, home, profile and ports.
 *
 * The scenarios of a file build on each other in one editor, so one of them cannot be tried again alone. On a busy
 * machine a whole editor can be too slow for a wait; then its file is run again by itself, when all others are done. The
 * run lists what needed that. There are two further tries for all files together: what often passes late does not work.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import '../support/interrupted.ts';
import { start } from '../support/processes.ts';
import { runShards, type Tried } from '../support/shards.ts';

const folder = import.meta.dirname;
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const require = path.join(folder, '..', 'support', 'interrupted.ts');

/** They take longest, so they begin first: none of them is still at work when all others are done. */
const longest = ['commands', 'briefing', 'tree', 'twoWindows', 'damage', 'requests', 'setup', 'opening'];

process.exitCode = await main(process.argv.slice(2).map((part) => path.basename(part)));

async function main(parts: readonly string[]): Promise<number> {
  const files = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && (parts.length === 0 || parts.some((part) => name.includes(part))))
    .sort((a, b) => turn(a) - turn(b) || a.localeCompare(b));
  if (files.length === 0) {
    console.error(`No file of ${folder} has ${parts.join(' or ')} in its name`);
    return 1;
  }
  const { failed, further } = await runShards(files, tried, { shards: 2, tries: 3, furtherTries: 2 });
  for (const { output } of failed) console.log(output);
  if (further.length > 0) console.log(`Needed another try: ${further.join(', ')}`);
  if (failed.length > 0) console.log(`Failed: ${failed.map(({ file }) => file).join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

function turn(file: string): number {
  const at = longest.indexOf(path.basename(file, '.test.ts'));
  return at < 0 ? longest.length : at;
}

/** The output comes whole when the process has ended: that of several shards does not mix. */
async function tried(file: string): Promise<Tried> {
  const program = start(process.execPath, [mocha, '--require', require, path.join(folder, file)], {
    endWith: 'SIGTERM',
  });
  const passed = (await program.exited) === 0;
  const output = program.output();
  // A failure is shown as it happens, but marked: another try may follow, and only the last one counts.
  console.log(passed ? output : output.replace(/^/gm, '| '));
  return { file, passed, output };
}
