import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../support/host.ts';

const folders = /^(?:src|webview|test|docs|l10n|scripts)\/|^package(?:\.\w+)*\.json$/;

function pathsIn(page: string): string[] {
  return [...page.matchAll(/`([^`\s]+)`/g)].flatMap(([, code = '']) => (folders.test(code) ? [code] : []));
}

function missing(page: string): string[] {
  return pathsIn(page).filter((name) => !existsSync(path.join(root, name)));
}

describe('the recipes in docs/dev/recipes.md', () => {
  const page = readFileSync(path.join(root, 'docs', 'dev', 'recipes.md'), 'utf8');

  it('name only files and folders that exist', () => {
    assert.deepEqual(missing(page), []);
    assert.ok(pathsIn(page).length > 80, String(pathsIn(page).length));
    assert.deepEqual(missing('Change `src/core/no-such.ts` and `npm run generate`.'), ['src/core/no-such.ts']);
  });

  it('are ten in number', () => {
    assert.equal(page.match(/^## /gm)?.length, 10);
  });
});

describe('the recipe in docs/ci.md that unpacks the command line', () => {
  it('extracts every file that the command line reads, each in its folder', () => {
    const page = readFileSync(path.join(root, 'docs', 'ci.md'), 'utf8');
    const [, patterns = ''] = /`unzip holdpoint\.vsix ((?:'[^']+' ?)+)`/.exec(page) ?? [];
    const folders = [...patterns.matchAll(/'extension\/([^']+)\*'/g)].map(([, folder = '']) => folder);
    const shipped = readFileSync(path.join(root, '.vscodeignore'), 'utf8').split('\n');
    const needed = shipped.flatMap((line) => /^!((?:dist|media\/prompts)\/\*\.\w+)$/.exec(line)?.[1] ?? []);
    assert.deepEqual(needed, ['media/prompts/*.md', 'dist/*.cjs']);
    assert.deepEqual(
      needed.filter((file) => !folders.some((folder) => file.startsWith(folder))),
      [],
    );
  });
});
