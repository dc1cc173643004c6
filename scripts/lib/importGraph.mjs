// The import graph of src, webview and test, from esbuild's metafile.
import { build } from 'esbuild';
import { existsSync, globSync, readFileSync } from 'node:fs';

const programs = ['src/extension.ts', 'src/{cli,mcp,serve,hook}/main.ts', 'src/vscode/**/*Thread.ts'];

/**
 * @typedef {object} Graph
 * @property {readonly string[]} programs - the files that the programs in dist/ start with
 * @property {readonly string[]} pages - those of the webviews
 * @property {readonly string[]} tests
 * @property {readonly string[]} readers - modules of tests that find files by path: no import says which
 * @property {(folder: string) => readonly string[]} below - the modules in a folder
 * @property {(files: Iterable<string>) => Set<string>} importersOf - these files and all that need them, over any number of imports
 */

/** @returns {Promise<Graph>} */
export async function importGraph() {
  const posix = (files) => files.map((file) => file.replaceAll('\\', '/')).sort();
  const found = {
    programs: posix(globSync(programs)),
    pages: posix(globSync('webview/*/main.ts')),
    tests: posix(globSync('test/**/*.test.ts')),
  };
  const { metafile } = await build({
    entryPoints: [...found.programs, ...found.pages, ...found.tests, 'test/e2e/run.ts', 'test/vscode/run.ts'],
    outdir: 'build/imports',
    write: false,
    bundle: true,
    splitting: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    external: ['vscode'],
    loader: { '.ttf': 'empty', '.css': 'css' },
    logLevel: 'silent',
  });
  const importers = new Map();
  for (const [file, { imports }] of Object.entries(metafile.inputs))
    for (const { path, external } of imports)
      if (!external) importers.set(path, [...(importers.get(path) ?? []), file]);
  return {
    ...found,
    readers: Object.keys(metafile.inputs).filter(
      (file) =>
        file.startsWith('test/') && existsSync(file) && readFileSync(file, 'utf8').includes('import.meta.dirname'),
    ),
    below: (folder) => Object.keys(metafile.inputs).filter((file) => file.startsWith(folder)),
    importersOf: (files) => {
      const reached = new Set(files);
      // Iterating over a set includes members added meanwhile.
      for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
      return reached;
    },
  };
}
