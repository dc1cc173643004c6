/**
 * Mutation tests of the code that decides: `npm run mutation [-- part of a file's name …]`. Stryker makes small changes
 * to the code, one at a time, and the unit tests named here must detect them; an undetected change is an untested rule.
 * One slice is one file with its tests, and can be run alone. Prints a table and the survivors; exits with 1 below
 * `least` percent.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installPackages } from '../install.ts';
import { slices } from './slices.ts';
import type { Slice } from './slices.ts';

/** Percentage of changes that tests must detect. */
const least = 90;

/** Stryker's report on one change (mutation-testing-report-schema). */
interface Mutant {
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

interface Result {
  readonly file: string;
  readonly mutants: readonly Mutant[];
}

const root = path.resolve(import.meta.dirname, '..', '..');
const stryker = path.join(import.meta.dirname, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');

process.exitCode = main(process.argv.slice(2));

function main(parts: readonly string[]): number {
  const chosen = slices.filter(({ file }) => parts.length === 0 || parts.some((part) => file.includes(part)));
  if (chosen.length === 0) {
    console.error(`None of ${slices.map(({ file }) => file).join(', ')} has ${parts.join(' or ')} in its name`);
    return 1;
  }
  if (!installPackages(import.meta.dirname)) {
    console.error('Stryker is not installed: npm ci --prefix bench/mutation');
    return 1;
  }
  const results = chosen.map((slice) => reported(tried(slice)));
  const all = results.flatMap(({ mutants }) => mutants);
  if (results.length > 1) console.log(row('all', all));
  return score(all) >= least ? 0 : 1;
}

/** Prints the survivors and their number. */
function reported(result: Result): Result {
  for (const { status, mutatorName, replacement, location } of result.mutants)
    if (status === 'Survived' || status === 'NoCoverage')
      console.log(
        `${result.file}:${String(location.start.line)}:${String(location.start.column)} ${mutatorName} ${status}: ${replacement ?? ''}`,
      );
  console.log(row(result.file, result.mutants));
  return result;
}

function tried({ file, tests, leftOut = [] }: Slice): Result {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdpoint-mutation-'));
  try {
    const report = path.join(folder, 'report.json');
    const config = path.join(folder, 'stryker.config.json');
    fs.writeFileSync(
      config,
      JSON.stringify({
        plugins: [path.join(import.meta.dirname, 'runner.mjs')],
        testRunner: 'unit-tests',
        unitTests: { files: tests.map((name) => `test/${name}.test.ts`), leftOut },
        mutate: [file],
        coverageAnalysis: 'perTest',
        concurrency: 2,
        checkers: [],
        reporters: ['json', 'progress-append-only'],
        jsonReporter: { fileName: report },
        // Node runs the files directly and needs only these.
        ignorePatterns: ['*', '!src/**', '!test/**', '!media/**', '!package.json'],
        tsconfigFile: 'none.json',
        tempDirName: 'build/mutation',
        warnings: { unknownOptions: false },
      }),
    );
    const { status } = spawnSync(process.execPath, [stryker, 'run', config], { cwd: root, stdio: 'inherit' });
    if (status !== 0) throw new Error(`Stryker ended with ${String(status)} on ${file}`);
    const { files } = JSON.parse(fs.readFileSync(report, 'utf8')) as { files: Record<string, { mutants: Mutant[] }> };
    return { file, mutants: Object.values(files).flatMap(({ mutants }) => mutants) };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Changes that do not run, or are excluded, say nothing about the tests. */
function counts(status: string): boolean {
  return ['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status);
}

function noticed({ status }: Mutant): boolean {
  return status === 'Killed' || status === 'Timeout';
}

function score(mutants: readonly Mutant[]): number {
  const counted = mutants.filter(({ status }) => counts(status));
  return counted.length === 0 ? 100 : (100 * counted.filter(noticed).length) / counted.length;
}

function row(name: string, mutants: readonly Mutant[]): string {
  const counted = mutants.filter(({ status }) => counts(status));
  const killed = counted.filter(noticed).length;
  return `| ${name} | ${String(counted.length)} | ${String(killed)} | ${score(mutants).toFixed(1)} % |`;
}
