/**
 * What gates and hooks load before they answer: small, and nothing that only other programs need. Everything else is loaded
 * with `import()` where it is met.
 */
import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../support/host.ts';

/** Files that one program loads at once, and how much that may be. */
const programs = {
  gate: { entries: ['src/cli/main.ts'], modules: 40, lines: 6_000 },
  'hook that edits a file while nothing is held': {
    entries: ['src/hook/main.ts', 'src/hosts/claudeCode.ts', 'src/hook/guard.ts', 'src/app/workspace/atGate.ts'],
    modules: 40,
    lines: 6_000,
  },
  'look at held files': { entries: ['src/cli/main.ts', 'src/app/hold/lookAtHeld.ts'], modules: 47, lines: 6_500 },
} as const;

/** What is reached through static imports; packages by name. */
async function loadedBy(entries: readonly string[]): Promise<Set<string>> {
  const { metafile } = await build({
    ...{ entryPoints: [...entries], absWorkingDir: root, outdir: 'none', write: false, metafile: true },
    ...{ bundle: true, splitting: true, platform: 'node', format: 'esm', packages: 'external' },
  });
  const found = new Set(entries);
  for (const file of found)
    for (const { kind, path: to, external } of metafile.inputs[file]?.imports ?? [])
      if (kind !== 'dynamic-import' && !(external === true && to.startsWith('node:'))) found.add(to);
  return found;
}

describe('before its answer', () => {
  for (const [name, { entries, modules, lines }] of Object.entries(programs))
    it(`a ${name} loads little, and no package`, async () => {
      const loaded = await loadedBy(entries);
      const ours = [...loaded].filter((file) => file.startsWith('src/'));
      const texts = await Promise.all(ours.map((file) => readFile(path.join(root, file), 'utf8')));
      const size = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
      const unwanted = /^(?!src\/)|^src\/(core\/(fold|decision)|store\/(rows|shared)|mcp|serve)\//;
      assert.deepEqual(
        [...loaded].filter((file) => unwanted.test(file)),
        [],
      );
      assert.ok(
        ours.length <= modules && size <= lines,
        `${String(ours.length)} modules, ${String(size)} lines:\n${ours.sort().join('\n')}`,
      );
    });
});
