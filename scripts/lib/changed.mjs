// npm test -- --changed: what a change can affect; everything, if that is unknown.
import { execFileSync } from 'node:child_process';
import { importGraph } from './importGraph.mjs';
import { root } from './prepare.mjs';
import { stages, stepNames } from './steps.mjs';

/** Whole steps by name (`true`), or the test files of them to run. A step that is not in it has nothing to run. */
/** @typedef {ReadonlyMap<string, true | readonly string[]>} Selection */

/**
 * Differences to main, uncommitted changes, and untracked files. On main itself: uncommitted changes.
 * @returns {string[]}
 */
export function changedFiles() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const names = (text) => text.split('\0').filter(Boolean);
  const base = git('merge-base', 'main', 'HEAD').trim();
  return [
    ...new Set([
      ...names(git('diff', '--name-only', '--no-renames', '-z', base)),
      ...names(git('ls-files', '--others', '--exclude-standard', '-z')),
    ]),
  ].sort();
}

/** Read by people, and by the contract tests. */
const isDocument = (file) => /^(docs\/.*|bench\/results\/.*|[A-Z]+\.md|LICENSE)$/.test(file);
const isSource = (file) => /^(src|webview|test|bench|scripts)\/.*\.ts$/.test(file);
const isStyle = (file) => /^webview\/.*\.css$/.test(file);

/** What a browser shows around a surface; it shares little with surfaces. */
const aroundSurfaces = 'webview/serve/main.ts';

/**
 * @param {readonly string[]} files - by path from the root
 * @param {import('./importGraph.mjs').Graph} graph
 * @returns {Selection}
 */
export function affectedBy(files, graph) {
  if (files.length === 0) return new Map();
  // Any step may read tool settings, packages, fixtures and shipped data files.
  if (!files.every((file) => isDocument(file) || isSource(file) || isStyle(file)))
    return new Map(stepNames.map((name) => [name, true]));

  const selected = new Map([
    ['format', true],
    ['contract', true],
    ['package', true],
    ['build', true],
  ]);
  const sources = files.filter(isSource);
  if (sources.length > 0) for (const lint of ['types', 'code', 'deps', 'unused']) selected.set(lint, true);

  const affected = graph.importersOf(sources);
  const programs = graph.programs.some((program) => affected.has(program));
  const pages = files.some(isStyle) ? graph.pages : graph.pages.filter((page) => affected.has(page));
  // Modules that find files by path may read one of these.
  const readers = graph.importersOf(sources.length > 0 || pages.length > 0 ? graph.readers : []);
  const shown = graph.importersOf(pages.flatMap((page) => graph.below(`test/${page.replace(/[^/]*$/, '')}`)));
  const whole = {
    mcp: programs,
    e2e: programs || pages.length > 0,
    vscode: programs || pages.length > 0,
    webview: pages.length > 0 && graph.pages.every((page) => pages.includes(page) || page === aroundSurfaces),
  };
  for (const { name, folders = [] } of stages.flat(2)) {
    const needed = (test) =>
      affected.has(test) ||
      (name === 'unit' && readers.has(test)) ||
      (test.startsWith('test/serve/') && (programs || pages.length > 0)) ||
      (name === 'webview' && (shown.has(test) || (pages.length > 0 && graph.readers.includes(test))));
    const tests = graph.tests.filter((test) => folders.some((folder) => test.startsWith(folder)) && needed(test));
    if (whole[name]) selected.set(name, true);
    else if (tests.length > 0) selected.set(name, tests);
  }
  return selected;
}

export async function selectChanged() {
  const files = changedFiles();
  return { files, selection: affectedBy(files, await importGraph()) };
}
