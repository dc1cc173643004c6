import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { openEditor, type EditorOptions } from '../support/editor.ts';
import { root } from '../support/host.ts';
import type { runFiles, SuiteResult } from './mochaInHost.ts';

export interface SuiteOptions extends EditorOptions {
  /** The folder with the test files. */
  readonly suite: string;
  /** Runs only tests whose title contains this. */
  readonly grep?: string;
}

/**
 * Runs the test files of a folder with mocha inside the extension host of a real VS Code. They are bundled first,
 * because the extension host’s Node, Electron’s above all, may not understand TypeScript.
 */
export async function runSuite(options: SuiteOptions): Promise<SuiteResult> {
  const out = path.join(root, 'build', 'vscode-tests');
  await rm(out, { recursive: true, force: true });
  const names = (await readdir(options.suite)).filter((name) => name.endsWith('.test.ts')).sort();
  if (names.length === 0) throw new Error(`No *.test.ts in ${options.suite}`);
  const entryPoints = [
    ...names.map((name) => path.join(options.suite, name)),
    path.join(import.meta.dirname, 'mochaInHost.ts'),
  ];
  await build({
    entryPoints: Object.fromEntries(entryPoints.map((file) => [path.basename(file, '.ts'), file])),
    outdir: out,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    packages: 'external',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const bundled = (name: string): string => path.join(out, `${path.basename(name, '.ts')}.cjs`);

  const editor = await openEditor(options);
  try {
    return await editor.window.evaluate(
      ({ require: load, log }, { runner, files, grep }) => {
        const host = load(runner) as { runFiles: typeof runFiles };
        return host.runFiles(files, grep, log);
      },
      { runner: bundled('mochaInHost.ts'), files: names.map(bundled), grep: options.grep ?? '' },
    );
  } finally {
    await editor.close();
  }
}
