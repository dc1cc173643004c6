/**
 * Runs each file of this folder in a process of its own: `node test/e2e/run.ts [part of a name …]`.
 *
 * The scenarios of a file build on each other in one editor, so one of them cannot be tried again alone. On a busy
 * machine a whole editor can be too slow for a wait; then its file is run anew, from an empty editor, and said to have
 * been. What fails three times has failed.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const tries = 3;
const folder = import.meta.dirname;
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

process.exitCode = await main(process.argv.slice(2));

async function main(parts: readonly string[]): Promise<number> {
  const files = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts') && (parts.length === 0 || parts.some((part) => name.includes(part))))
    .sort();
  if (files.length === 0) {
    console.error(`No file of ${folder} has ${parts.join(' or ')} in its name`);
    return 1;
  }
  const again: string[] = [];
  const failed: string[] = [];
  for (const file of files) {
    for (let attempt = 1; attempt <= tries; attempt++) {
      const { code, output } = await run(file);
      const last = code === 0 || attempt === tries;
      // What is tried again is no result yet: marked, so that nobody counts it.
      console.log(last ? output : output.replace(/^/gm, '| '));
      if (code === 0) break;
      if (last) failed.push(file);
      else again.push(file);
    }
  }
  if (again.length > 0) console.log(`Run anew after a failure: ${again.join(', ')}`);
  if (failed.length > 0) console.log(`Failed ${String(tries)} times: ${failed.join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

async function run(file: string): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [mocha, '--timeout', '120000', path.join(folder, file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('close', (status) => {
      resolve(status ?? 1);
    });
  });
  const [code, output] = await Promise.all([ended, text(child.stdout)]);
  return { code, output };
}
